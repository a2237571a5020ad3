import { makeCertificate } from "../support/make-certificate";
import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn();

interface Migration {
  readonly project: string;
  readonly domain?: string;
  readonly domains?: readonly string[];
  readonly certificate?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the CNAME is published and the entry waits for the certificate. */
  readonly gate?: boolean;
}

/** Returns a stack with one certificate and one map entry, in the test's own project. */
function stackOf(migration: Migration): object {
  const { project, domain = "example.com", domains = [domain], certificate = "c1", labels, gate = false } = migration;
  const precondition = {
    condition: '${google_certificate_manager_certificate.main.managed[0].state == "ACTIVE"}',
    error_message: "the certificate is not ACTIVE yet",
  };
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project } },
    resource: {
      google_certificate_manager_dns_authorization: { main: { name: "a1", domain, labels } },
      ...(gate ? published(domain) : {}),
      google_certificate_manager_certificate: {
        main: {
          name: certificate,
          labels,
          managed: { domains, dns_authorizations: ["${google_certificate_manager_dns_authorization.main.id}"] },
          lifecycle: { create_before_destroy: true },
        },
      },
      google_certificate_manager_certificate_map: { main: { name: "m1" } },
      google_certificate_manager_certificate_map_entry: {
        main: {
          name: "e1",
          map: "${google_certificate_manager_certificate_map.main.name}",
          hostname: domain,
          certificates: ["${google_certificate_manager_certificate.main.id}"],
          ...(gate ? { lifecycle: { precondition: [precondition] } } : {}),
        },
      },
    },
    output: { record: { value: "${google_certificate_manager_dns_authorization.main.dns_resource_record[0]}" } },
  };
}

/** The zone and the CNAME of the authorization. */
function published(domain: string): object {
  const record = "google_certificate_manager_dns_authorization.main.dns_resource_record[0]";
  return {
    google_dns_managed_zone: { main: { name: "zone", dns_name: `${domain}.` } },
    google_dns_record_set: {
      main: {
        managed_zone: "${google_dns_managed_zone.main.name}",
        name: `\${${record}.name}`,
        type: `\${${record}.type}`,
        ttl: 300,
        rrdatas: [`\${${record}.data}`],
      },
    },
  };
}

const certificate = "google_certificate_manager_certificate.main";
const entry = "google_certificate_manager_certificate_map_entry.main";

/** Returns the requested changes of a project, in order, for example `PATCH certificates/c1`. */
function changesOf(project: string): readonly string[] {
  return standIn.cloud.log
    .list()
    .filter(({ target, mutation }) => mutation && target.includes(`/projects/${project}/`))
    .map(({ httpMethod, target }) => `${httpMethod} ${target.replace(/^.*\/locations\/global\//, "")}`);
}

test("applies resources to the cloud, plans no second change, and destroys all of them", async () => {
  await using terraform = await openTerraform(standIn.provider);
  await terraform.write(stackOf({ project: "whole" }));
  // Nothing is downloaded: the provider is attached.
  expect(await terraform.succeed("init", "-input=false", "-no-color")).toContain("successfully initialized");
  await terraform.succeed("validate", "-no-color");
  await terraform.succeed("apply", "-auto-approve", "-input=false", "-no-color");

  expect(await terraform.show(entry)).toMatchObject({
    id: "projects/whole/locations/global/certificateMaps/m1/certificateMapEntries/e1",
    project: "whole",
    certificates: ["projects/whole/locations/global/certificates/c1"],
    effective_labels: { "goog-terraform-provisioned": "true" },
  });
  expect(JSON.parse(await terraform.succeed("output", "-json", "record"))).toMatchObject({
    name: "_acme-challenge.example.com.",
    type: "CNAME",
  });
  expect(await terraform.plan()).toBe(0);

  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  const left = await standIn.cloud.call("GET", "v1/projects/whole/locations/-/certificates");
  expect(left.body.certificates ?? []).toEqual([]);
});

test("changes labels in place, and sends nothing else", async () => {
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf({ project: "labels", labels: { team: "web" } }));
  const made = changesOf("labels").length;
  await terraform.apply(stackOf({ project: "labels", labels: { team: "shop" } }));

  expect([...changesOf("labels").slice(made)].sort()).toEqual([
    "PATCH certificates/c1?updateMask=labels",
    "PATCH dnsAuthorizations/a1?updateMask=labels",
  ]);
  expect((await standIn.cloud.call("GET", "v1/projects/labels/locations/global/certificates/c1")).body.labels).toEqual({
    team: "shop",
    "goog-terraform-provisioned": "true",
  });
  expect(await terraform.plan()).toBe(0);
});

test("creates a certificate for other domains, then updates the entry, then deletes the previous certificate", async () => {
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf({ project: "rotation" }));
  const made = changesOf("rotation").length;
  await terraform.apply(stackOf({ project: "rotation", certificate: "c2", domains: ["example.com", "*.example.com"] }));

  expect(changesOf("rotation").slice(made)).toEqual([
    "POST certificates?certificateId=c2",
    "PATCH certificateMaps/m1/certificateMapEntries/e1?updateMask=certificates",
    "DELETE certificates/c1",
  ]);
  expect(await terraform.plan()).toBe(0);
});

test("delays the entry with a gate until the certificate is ACTIVE, and plans no change afterwards", async () => {
  const project = "gate";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.write(stackOf({ project, domain: "gate.example", gate: true }));
  const first = await terraform.run("apply", "-auto-approve", "-no-color");
  expect([first.exitCode, first.stderr]).toEqual([1, expect.stringContaining("the certificate is not ACTIVE yet")]);
  expect(await terraform.show(entry)).toBeUndefined();

  await standIn.cloud.clock.advance(2 * 3_600_000);
  await terraform.succeed("apply", "-auto-approve", "-no-color");

  expect(await terraform.show(certificate)).toMatchObject({ managed: [{ state: "ACTIVE" }] });
  expect(await terraform.plan()).toBe(0);
});

test("detects and reverts a change made outside Terraform", async () => {
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf({ project: "drift", labels: { team: "web" } }));
  const path = "v1/projects/drift/locations/global";
  await standIn.cloud.call("PATCH", `${path}/certificateMaps/m1?updateMask=description`, { description: "by hand" });
  await standIn.cloud.call("DELETE", `${path}/certificateMaps/m1/certificateMapEntries/e1`);

  expect(await terraform.plan()).toBe(2);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect((await standIn.cloud.call("GET", `${path}/certificateMaps/m1`)).body.description ?? "").toBe("");
  expect((await standIn.cloud.call("GET", `${path}/certificateMaps/m1/certificateMapEntries/e1`)).status).toBe(200);
  expect(await terraform.plan()).toBe(0);
});

test("keeps labels that other clients have set", async () => {
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf({ project: "foreign-labels", labels: { team: "web" } }));
  const path = "v1/projects/foreign-labels/locations/global/certificates/c1";
  const labels = { team: "web", "goog-terraform-provisioned": "true", owner: "audit" };
  await standIn.cloud.call("PATCH", `${path}?updateMask=labels`, { labels });

  expect(await terraform.plan()).toBe(0);
  await terraform.apply(stackOf({ project: "foreign-labels", labels: { team: "shop" } }));
  expect((await standIn.cloud.call("GET", path)).body.labels).toEqual({ ...labels, team: "shop" });
});

test("imports existing resources, and then plans no change", async () => {
  await using before = await openTerraform(standIn.provider);
  await before.apply(stackOf({ project: "adopted" }));
  await using terraform = await openTerraform(standIn.provider);
  const stack = stackOf({ project: "adopted" }) as { readonly resource: object };
  const base = "projects/adopted/locations/global";
  await terraform.write({
    ...stack,
    import: [
      { to: "google_certificate_manager_dns_authorization.main", id: `${base}/dnsAuthorizations/a1` },
      { to: certificate, id: "adopted/global/c1" },
      { to: "google_certificate_manager_certificate_map.main", id: "m1" },
      { to: entry, id: `${base}/certificateMaps/m1/certificateMapEntries/e1` },
    ],
  });
  const imported = await terraform.succeed("apply", "-auto-approve", "-no-color");

  expect(imported).toContain("4 imported, 0 added");
  expect(imported).toContain("0 destroyed");
  expect(await terraform.plan()).toBe(0);
});

test("hides the key of a self-managed certificate, and replaces the certificate for another key", async () => {
  const project = "self-managed";
  const stack = (key: 0 | 1) => {
    const { certificatePem, privateKeyPem } = makeCertificate(["example.com"], { key });
    return {
      terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
      provider: { google: { project } },
      resource: {
        google_certificate_manager_certificate: {
          main: { name: "own", self_managed: { pem_certificate: certificatePem, pem_private_key: privateKeyPem } },
        },
      },
    };
  };
  await using terraform = await openTerraform(standIn.provider);
  const applied = await terraform.apply(stack(0));
  expect(applied).not.toContain("PRIVATE KEY");
  expect(await terraform.show(certificate)).toMatchObject({
    san_dnsnames: ["example.com"],
    self_managed: [{ pem_private_key: expect.stringContaining("PRIVATE KEY") }],
  });
  expect(await terraform.plan()).toBe(0);

  await terraform.write(stack(1));
  expect((await terraform.run("plan", "-no-color")).stdout).toMatch(
    /pem_private_key = \(sensitive value\) # forces replacement/,
  );
});

test("uses the project of each of two provider blocks", async () => {
  await using terraform = await openTerraform(standIn.provider);
  const map = { name: "m1" };
  await terraform.apply({
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: {
      google: [{ project: "first" }, { alias: "other", project: "second", default_labels: { team: "web" } }],
    },
    resource: {
      google_certificate_manager_certificate_map: {
        first: map,
        second: { ...map, provider: "google.other" },
        // Planned when both blocks have been configured, whichever came first.
        third: { name: "m3", depends_on: ["google_certificate_manager_certificate_map.second"] },
        fourth: {
          name: "m4",
          provider: "google.other",
          depends_on: ["google_certificate_manager_certificate_map.first"],
        },
      },
    },
  });

  expect(await terraform.show("google_certificate_manager_certificate_map.first")).toMatchObject({ project: "first" });
  expect(await terraform.show("google_certificate_manager_certificate_map.third")).toMatchObject({ project: "first" });
  expect(await terraform.show("google_certificate_manager_certificate_map.fourth")).toMatchObject({
    project: "second",
  });
  expect(await terraform.show("google_certificate_manager_certificate_map.second")).toMatchObject({
    project: "second",
    labels: null,
    effective_labels: { team: "web", "goog-terraform-provisioned": "true" },
  });
});
