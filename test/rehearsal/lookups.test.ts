import { makeThirdPartyCertificates } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { existingProxiesOf } from "../../lib/rehearsal/existing-proxies";
import {
  isPreparable,
  lookedUpAddresses,
  lookupsOf,
  makeLookedUp,
  makeLookedUpRules,
} from "../../lib/rehearsal/lookups";
import { makeWorld, worldOf } from "../../lib/rehearsal/world";
import { openKnownTypes, startTerraformProvider } from "../../lib/terraform-provider";
import { dataKinds } from "../../lib/terraform-provider/resources";
import { startTestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const provider = { google: [{ project: "p1", region: "europe-west1" }] };
const web = { web: { name: "web" } };

/** Data sources of every type of the stand-in, whose objects exist outside of the stack. */
const data = {
  google_certificate_manager_certificate_map: web,
  google_client_config: { web: {} },
  google_compute_address: web,
  google_compute_backend_service: web,
  google_compute_forwarding_rule: { web: { name: "regional" } },
  google_compute_global_address: { web: { name: "web" }, ipv6: { name: "ipv6" } },
  google_compute_global_forwarding_rule: web,
  google_compute_health_check: web,
  google_compute_network: web,
  google_compute_region_backend_service: web,
  google_compute_region_ssl_certificate: web,
  google_compute_ssl_certificate: web,
  google_compute_ssl_policy: web,
  google_compute_subnetwork: web,
  google_dns_managed_zone: { web: { name: "example-com" }, dns: { name: "tools", project: "dns" } },
  google_dns_record_set: {
    web: { name: "mail.example.com.", type: "A", managed_zone: "${data.google_dns_managed_zone.web.name}" },
    apex: { name: "example.com.", type: "NS", managed_zone: "example-com" },
  },
  google_project: { web: {} },
};

test("prepares every data source that the provider stand-in has", () => {
  expect(Object.keys(data).sort()).toEqual(dataKinds.map(({ type }) => type).sort());
  expect(Object.keys(data).filter((type) => !openKnownTypes().hasDataSource(type))).toEqual([]);
});

test("prepares an empty cloud so that Terraform can read every data source of a stack", async () => {
  const output = Object.entries(data).flatMap(([type, blocks]) =>
    Object.keys(blocks).map((name) => [`${type}-${name}`, { value: `\${data.${type}.${name}.id}`, sensitive: true }]),
  );
  const stack = {
    terraform: { required_providers: { google: { source: "hashicorp/google" } } },
    provider,
    data,
    output: Object.fromEntries(output),
  };
  const { certificates } = await makeThirdPartyCertificates([{ names: ["a.example.com"] }], { now: () => new Date() });
  const [certificate] = certificates;
  if (certificate === undefined) throw new Error("no certificate was made");
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0, propagationMs: 0 } });
  const making = { cloudUrl: cloud.endpoints.http, http: createHttpClient(), certificate };
  const lookups = lookupsOf(stack);
  await makeWorld(worldOf(stack, { hostnames: ["a.example.com"] }), making);
  await makeLookedUp(lookups, making);
  await makeLookedUpRules(lookups, making, undefined);
  const standIn = await startTerraformProvider({ cloudUrl: making.cloudUrl });
  try {
    await using terraform = await openTerraform(standIn);
    await terraform.apply(stack);
    expect(await terraform.show("data.google_compute_global_address.web")).toMatchObject({ address: "203.0.113.102" });
    expect(await terraform.show("data.google_dns_managed_zone.dns")).toMatchObject({ dns_name: "tools.example." });
    expect(await terraform.show("data.google_dns_record_set.web")).toMatchObject({ rrdatas: ["198.51.100.10"] });
  } finally {
    await standIn.close();
  }
});

describe("addresses", () => {
  const rule = (name: string, version: string) => ({
    ip_version: version,
    ip_address: `\${data.google_compute_global_address.${name}.address}`,
  });
  const output = (ipv4: readonly string[], ipv6: readonly string[] = []) => ({
    cert_migration: { value: { version: 1, migrations: { shop: { addresses: { ipv4, ipv6 } } } } },
  });
  const stack = {
    provider,
    data: { google_compute_global_address: data.google_compute_global_address },
    resource: { google_compute_global_forwarding_rule: { a: rule("web", "IPV4"), b: rule("ipv6", "IPV6") } },
    output: output(
      ["192.0.2.1", "${data.google_compute_global_address.web.address}", "${google_x.y.address}"],
      ["${data.google_compute_global_address.ipv6.address}"],
    ),
  };

  test("have the IP version that their forwarding rule needs", () => {
    expect([...lookupsOf(stack).addresses]).toEqual([
      ["data.google_compute_global_address.web.address", "203.0.113.100"],
      ["data.google_compute_global_address.ipv6.address", "2001:db8:0:100::2"],
    ]);
  });

  test("of migrations are known both if looked up and if written as text", () => {
    expect(lookedUpAddresses(stack, lookupsOf(stack))).toEqual(["192.0.2.1", "203.0.113.100", "2001:db8:0:100::2"]);
  });

  const adopted = {
    provider,
    import: [{ to: "google_compute_target_https_proxy.web", id: "web" }],
    resource: {
      google_compute_target_https_proxy: { web: { name: "web", url_map: "projects/p1/global/urlMaps/web" } },
    },
  };

  test("are those of the load balancer that the stack adopts", () => {
    const stackOf = { ...adopted, data: stack.data, output: stack.output };
    expect(existingProxiesOf(stackOf)[0]?.addresses).toEqual(["192.0.2.1", "203.0.113.100", "2001:db8:0:100::2"]);
  });

  test("of a looked-up forwarding rule lead to the adopted proxy through that rule alone", () => {
    const rules = { google_compute_global_forwarding_rule: web };
    const own = output(["${data.google_compute_global_forwarding_rule.web.ip_address}"]);
    expect(existingProxiesOf({ ...adopted, data: rules, output: own })[0]?.addresses).toEqual([]);
  });
});

test("a forwarding rule leads to the adopted proxy until the proxy is destroyed, and can still be looked up afterwards", async () => {
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0, propagationMs: 0 } });
  const base = "/compute/v1/projects/p1/global";
  await cloud.make("POST", `${base}/backendServices`, { name: "s", loadBalancingScheme: "EXTERNAL_MANAGED" });
  await cloud.make("POST", `${base}/urlMaps`, { name: "u", defaultService: "projects/p1/global/backendServices/s" });
  await cloud.make("POST", "/v1/projects/p1/locations/global/certificateMaps?certificateMapId=m", {});
  const certificateMap = "//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/m";
  await cloud.make("POST", `${base}/targetHttpsProxies`, { name: "p", urlMap: "global/urlMaps/u", certificateMap });
  const making = { cloudUrl: cloud.endpoints.http, http: createHttpClient() };
  const lookups = lookupsOf({ provider, data: { google_compute_global_forwarding_rule: web } });
  const retire = await makeLookedUpRules(lookups, making, "projects/p1/global/targetHttpsProxies/p");
  const target = async () => (await cloud.call("GET", `${base}/forwardingRules/web`)).body.target;
  expect(await target()).toContain("/targetHttpsProxies/p");
  await retire();
  expect(await target()).toContain("/targetHttpProxies/web-today");
});

test.each<[string, string, object, boolean]>([
  ["a name", "google_compute_global_address", { name: "web" }, true],
  ["nothing but the project", "google_project", {}, true],
  ["the name of a resource of the stack", "google_compute_global_address", { name: "${google_a.b.name}" }, true],
  ["the name of a resource that is left out", "google_compute_global_address", { name: "${random_id.s.hex}" }, false],
  ["an attribute of another data source", "google_compute_address", { name: "${data.google_project.p.name}" }, false],
  [
    "a record of a zone that is looked up",
    "google_dns_record_set",
    { name: "a.", type: "A", managed_zone: "${data.google_dns_managed_zone.z.name}" },
    true,
  ],
  ["several at once", "google_compute_global_address", { name: "${each.key}", for_each: ["a"] }, false],
  ["a part of a name", "google_compute_global_address", { name: "web-${google_a.b.name}" }, false],
])("decides whether it can prepare %s", (_, type, block, expected) => {
  expect(isPreparable(type, { ...block }, { google_a: { b: {} } })).toBe(expected);
});

test("does not prepare resources that the stack creates itself", () => {
  const resource = { google_compute_global_address: { own: { name: "web" } } };
  const { objects, addresses } = lookupsOf({ provider, resource, data: { google_compute_global_address: web } });
  expect({ objects, addresses: addresses.size }).toEqual({ objects: [], addresses: 0 });
});

test("uses the project and region of the block, otherwise of its provider block", () => {
  const google = [{ project: "p1" }, { alias: "eu", project: "p2", region: "europe-west4" }];
  const found = lookupsOf({
    provider: { google },
    data: {
      google_compute_address: {
        a: { name: "a", provider: "google.eu" },
        b: { name: "b", project: "p3", region: "asia-east1" },
      },
    },
  });
  expect(found.objects.map(({ path }) => path)).toEqual([
    "compute/v1/projects/p2/regions/europe-west4/addresses",
    "compute/v1/projects/p3/regions/asia-east1/addresses",
  ]);
});
