import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: Awaited<ReturnType<typeof startLoadBalancerCloud>>;
let provider: TerraformProvider;
const project = "defects";
const region = "europe-west1";

beforeAll(async () => {
  cloud = await startLoadBalancerCloud();
  provider = await startTerraformProvider({ cloudUrl: cloud.url });
  for (const location of ["global", region]) {
    const place = `projects/${project}/${location === "global" ? "global" : `regions/${location}`}`;
    await cloud.call("POST", `compute/v1/${place}/healthChecks`, {
      name: "alive",
      type: "TCP",
      tcpHealthCheck: { port: 1 },
    });
    await cloud.call("POST", `compute/v1/${place}/backendServices`, {
      name: "web",
      protocol: "HTTP",
      loadBalancingScheme: "INTERNAL_MANAGED",
      healthChecks: [`${place}/healthChecks/alive`],
    });
    await cloud.call("POST", `compute/v1/${place}/urlMaps`, {
      name: "urls",
      defaultService: `${place}/backendServices/web`,
    });
    const manager = `v1/projects/${project}/locations/${location}`;
    await cloud.call("POST", `${manager}/dnsAuthorizations?dnsAuthorizationId=a`, { domain: "example.com" });
    for (const name of ["one", "two"]) {
      await cloud.call("POST", `${manager}/certificates?certificateId=${name}`, {
        ...(location === "global" ? { scope: "ALL_REGIONS" } : {}),
        managed: {
          domains: ["example.com"],
          dnsAuthorizations: [`projects/${project}/locations/${location}/dnsAuthorizations/a`],
        },
      });
    }
  }
});

afterAll(async () => {
  await provider.close();
  await cloud[Symbol.asyncDispose]();
});

type Kind = "global" | "regional";
const locationOf = (kind: Kind) => (kind === "global" ? "global" : region);
const id = (kind: Kind, name: string) => `projects/${project}/locations/${locationOf(kind)}/certificates/${name}`;
let proxies = 0;

function stackOf(kind: Kind, name: string, certificates: readonly string[]): object {
  const place = kind === "global" ? "global" : `regions/${region}`;
  const type = kind === "global" ? "google_compute_target_https_proxy" : "google_compute_region_target_https_proxy";
  const proxy = {
    name,
    url_map: `projects/${project}/${place}/urlMaps/urls`,
    certificate_manager_certificates: certificates,
  };
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project, region } },
    resource: { [type]: { main: proxy } },
  };
}

/** Applies the first list, then plans the second. @returns the exit code of the plan; 1 where the apply failed */
async function planAfter(kind: Kind, first: readonly string[], second: readonly string[]): Promise<number> {
  const name = `proxy-${proxies++}`;
  await using terraform = await openTerraform(provider);
  await terraform.write(stackOf(kind, name, first));
  const { exitCode } = await terraform.run("apply", "-auto-approve", "-no-color");
  if (exitCode !== 0) return 1;
  await terraform.write(stackOf(kind, name, second));
  return await terraform.plan();
}

const host = "//certificatemanager.googleapis.com/";
const api = "https://certificatemanager.googleapis.com/v1/";

describe("certificate_manager_certificates", () => {
  test.each<[string, Kind, readonly string[]]>([
    ["one id on a regional proxy", "regional", [id("regional", "one")]],
    ["one id on a global proxy", "global", [id("global", "one")]],
    ["two ids", "regional", [id("regional", "one"), id("regional", "two")]],
    ["an id beside a link without a scheme", "regional", [id("regional", "one"), `${host}${id("regional", "two")}`]],
    ["an id beside a link of the API", "global", [id("global", "two"), `${api}${id("global", "one")}`]],
  ])("accepts %s, and plans no change after the apply", async (_, kind, certificates) => {
    expect(await planAfter(kind, certificates, certificates)).toBe(0);
  });

  test.each<[string, Kind, readonly string[], readonly string[]]>([
    ["an id in place of a link", "regional", [`${host}${id("regional", "one")}`], [id("regional", "one")]],
    ["a link in place of an id", "global", [id("global", "one")], [`${api}${id("global", "one")}`]],
  ])("accepts %s without a difference", async (_, kind, first, second) => {
    expect(await planAfter(kind, first, second)).toBe(0);
  });

  test.each<[string, Kind, readonly string[], readonly string[]]>([
    ["another certificate by its id", "regional", [id("regional", "one")], [id("regional", "two")]],
    ["another certificate in the other spelling", "global", [id("global", "one")], [`${host}${id("global", "two")}`]],
    ["a certificate more", "regional", [id("regional", "one")], [id("regional", "one"), id("regional", "two")]],
    [
      "certificates in another order",
      "global",
      [id("global", "one"), id("global", "two")],
      [id("global", "two"), id("global", "one")],
    ],
  ])("finds %s as a difference", async (_, kind, first, second) => {
    expect(await planAfter(kind, first, second)).toBe(2);
  });

  test.each<[string, Kind, string]>([
    ["a name alone", "regional", "one"],
    ["a path without the project", "global", "locations/global/certificates/one"],
    ["the id of a certificate that does not exist", "regional", id("regional", "three")],
    ["the id of a certificate of another location", "regional", id("global", "one")],
  ])("refuses %s", async (_, kind, certificate) => {
    expect(await planAfter(kind, [certificate], [certificate])).toBe(1);
  });
});
