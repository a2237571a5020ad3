import { CloudError } from "../../lib/cloud/cloud-error";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: Awaited<ReturnType<typeof startLoadBalancerCloud>>;
let provider: TerraformProvider;
const faults = new Map<string, CloudError>();

beforeAll(async () => {
  cloud = await startLoadBalancerCloud({
    fault: (methodId) => {
      const error = faults.get(methodId);
      return error === undefined ? undefined : { error };
    },
    failOperation: (methodId, { parameters }) =>
      parameters.certificateMapId === "doomed" ? new CloudError("INTERNAL", `${methodId} broke`) : undefined,
  });
  provider = await startTerraformProvider({ cloudUrl: cloud.url });
});

afterAll(async () => {
  await provider.close();
  await cloud[Symbol.asyncDispose]();
});

function stackOf(resource: object, google: object = { project: "refusals" }): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google },
    resource,
  };
}

/** Returns Terraform's errors about a stack, in one line. */
async function refusalOf(stack: object, command = "apply"): Promise<string> {
  await using terraform = await openTerraform(provider);
  await terraform.write(stack);
  const options = command === "apply" ? ["-auto-approve"] : [];
  const { exitCode, stderr } = await terraform.run(command, ...options, "-no-color");
  expect(exitCode).toBe(1);
  return stderr.replace(/\s+/g, " ");
}

const mapOf = (name: string) => ({ google_certificate_manager_certificate_map: { main: { name } } });

test("shows the API's message with the attempted action", async () => {
  const refusal = await refusalOf(stackOf(mapOf("Not_A_Name!")));

  expect(refusal).toContain(
    "Error: creating google_certificate_manager_certificate_map 'projects/refusals/locations/global/certificateMaps/Not_A_Name!'",
  );
  expect(refusal).toContain("answered HTTP 400 INVALID_ARGUMENT");
});

test("reports a name that is in use, and leaves the existing resource unchanged", async () => {
  await cloud.call("POST", "v1/projects/refusals/locations/global/certificateMaps?certificateMapId=taken", {
    description: "somebody's",
  });

  expect(await refusalOf(stackOf(mapOf("taken")))).toContain("HTTP 409 ALREADY_EXISTS");
  const kept = await cloud.call("GET", "v1/projects/refusals/locations/global/certificateMaps/taken");
  expect(kept.body.description).toBe("somebody's");
});

test("reports a failed operation, and stores nothing in the state", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.write(stackOf(mapOf("doomed")));
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringMatching(/the operation projects\/refusals\/.+ failed: 13 .*certificateMaps\.create broke/),
  ]);
  expect(await terraform.show("google_certificate_manager_certificate_map.main")).toBeUndefined();
});

test("keeps a resource that was created but could not be read, and recreates it", async () => {
  const get = "certificatemanager.projects.locations.certificateMaps.get";
  await using terraform = await openTerraform(provider);
  await terraform.write(stackOf(mapOf("unread")));
  faults.set(get, new CloudError("PERMISSION_DENIED", "not now"));
  const { exitCode } = await terraform.run("apply", "-auto-approve", "-no-color");
  faults.clear();

  expect(exitCode).toBe(1);
  const applied = await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(applied).toContain("is tainted, so must be replaced");
  expect(await terraform.plan()).toBe(0);
});

test("keeps a resource in the state if it is in use and can't be deleted", async () => {
  const project = "in-use";
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf(mapOf("m1"), { project }));
  const path = `v1/projects/${project}/locations/global`;
  await cloud.call("POST", `${path}/dnsAuthorizations?dnsAuthorizationId=a1`, { domain: "example.com" });
  await cloud.call("POST", `${path}/certificates?certificateId=c1`, {
    managed: {
      domains: ["example.com"],
      dnsAuthorizations: [`projects/${project}/locations/global/dnsAuthorizations/a1`],
    },
  });
  await cloud.call("POST", `${path}/certificateMaps/m1/certificateMapEntries?certificateMapEntryId=e1`, {
    hostname: "example.com",
    certificates: [`projects/${project}/locations/global/certificates/c1`],
  });
  const { exitCode, stderr } = await terraform.run("destroy", "-auto-approve", "-no-color");

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("FAILED_PRECONDITION")]);
  expect(await terraform.show("google_certificate_manager_certificate_map.main")).toMatchObject({ name: "m1" });
});

test("ends the plan if the API refuses a refresh, and keeps the state", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf(mapOf("m2")));
  faults.set(
    "certificatemanager.projects.locations.certificateMaps.get",
    new CloudError("PERMISSION_DENIED", "Permission 'certificatemanager.certmaps.get' denied"),
  );
  const { exitCode, stderr } = await terraform.run("plan", "-no-color");
  faults.clear();

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("answered HTTP 403 PERMISSION_DENIED: Permission 'certificatemanager.certmaps.get' denied"),
  ]);
  expect(await terraform.plan()).toBe(0);
});

const authorization = { name: "a1", domain: "example.com" };

test.each<[string, object, object, string]>([
  [
    "no project",
    { google_certificate_manager_dns_authorization: { main: authorization } },
    {},
    "google_certificate_manager_dns_authorization 'a1' has no project: set it here or in the provider block",
  ],
  [
    "a certificate that is neither managed nor self-managed",
    { google_certificate_manager_certificate: { main: { name: "c1" } } },
    { project: "p1" },
    "google_certificate_manager_certificate: exactly one of managed, self_managed must be set, found none",
  ],
  [
    "a proxy with certificates of two kinds",
    {
      google_compute_target_https_proxy: {
        main: { name: "x", url_map: "u", ssl_certificates: ["a"], certificate_manager_certificates: ["b"] },
      },
    },
    { project: "p1" },
    "google_compute_target_https_proxy: ssl_certificates conflicts with certificate_manager_certificates; set one of them",
  ],
  [
    "an unknown type",
    { google_pubsub_topic: { main: { name: "t1" } } },
    { project: "p1" },
    'The provider hashicorp/google does not support resource type "google_pubsub_topic"',
  ],
])("refuses a plan for %s", async (_, resource, google, message) => {
  expect(await refusalOf(stackOf(resource, google), "plan")).toContain(message);
});

test("refuses a malformed import id, and lists the accepted forms", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.write(stackOf({ google_certificate_manager_certificate: { main: { name: "c1", managed: {} } } }));
  const words = ["import", "-no-color", "google_certificate_manager_certificate.main", "a/b/c/d/e"];
  const { exitCode, stderr } = await terraform.run(...words);

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining(
      "'a/b/c/d/e' is not a valid id of google_certificate_manager_certificate: use projects/{project}/locations/{location}/certificates/{name} or {project}/{location}/{name}",
    ),
  ]);
});

test("reports a cloud that does not answer", async () => {
  const nowhere = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", fetch: refuseToConnect });
  await using terraform = await openTerraform(nowhere);
  await terraform.write(stackOf(mapOf("m3")));
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");
  await nowhere.close();

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("could not be reached")]);
});

test("reports that Terraform is not installed", async () => {
  await using terraform = await openTerraform(provider, "terraform-that-nobody-has");

  await expect(terraform.run("version")).rejects.toThrow("terraform-that-nobody-has is not on PATH");
});

async function refuseToConnect(): Promise<Response> {
  throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });
}
