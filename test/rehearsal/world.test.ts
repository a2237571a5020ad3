import { createHttpClient } from "../../lib/http";
import { makeWorld, worldOf } from "../../lib/rehearsal/world";
import { startTestCloud } from "../support/cloud";

const provider = { google: [{ project: "p1" }] };
const authorizations = { google_certificate_manager_dns_authorization: { shop: { domain: "shop.example.com" } } };
const proof = {
  managed_zone: "example-com",
  name: "${google_certificate_manager_dns_authorization.shop.dns_resource_record[0].name}",
  type: "CNAME",
  rrdatas: ["${google_certificate_manager_dns_authorization.shop.dns_resource_record[0].data}"],
};

function stackOf(records: Readonly<Record<string, object>>, live: readonly string[] = [], more: object = {}) {
  return {
    provider,
    import: live.map((name) => ({ id: "x", to: `google_dns_record_set.${name}` })),
    resource: { ...authorizations, google_dns_record_set: records, ...more },
  };
}

describe("zones", () => {
  test.each([
    [
      "a record below the domain that the zone is named for",
      { proof },
      [{ project: "p1", name: "example-com", dnsName: "example.com." }],
    ],
    [
      "a record in a zone with another name, which has the registered domain",
      { proof: { ...proof, managed_zone: "prod" } },
      [{ project: "p1", name: "prod", dnsName: "example.com." }],
    ],
    [
      "two zones of one registered domain, which have what their records share",
      {
        proof: { ...proof, managed_zone: "prod" },
        www: { managed_zone: "web", name: "www.example.com.", type: "A", rrdatas: ["203.0.113.7"] },
      },
      [
        { project: "p1", name: "prod", dnsName: "shop.example.com." },
        { project: "p1", name: "web", dnsName: "www.example.com." },
      ],
    ],
    [
      "two names, in the zone of their common domain",
      { proof, www: { managed_zone: "example-com", name: "www.example.com.", type: "A", rrdatas: ["203.0.113.7"] } },
      [{ project: "p1", name: "example-com", dnsName: "example.com." }],
    ],
    [
      "the same name of a zone in two projects",
      { proof, other: { ...proof, project: "dns" } },
      [
        { project: "p1", name: "example-com", dnsName: "example.com." },
        { project: "dns", name: "example-com", dnsName: "example.com." },
      ],
    ],
    [
      "a wildcard, in the zone of its domain",
      { any: { managed_zone: "z", name: "*.example.com.", type: "A", rrdatas: ["203.0.113.7"] } },
      [{ project: "p1", name: "z", dnsName: "example.com." }],
    ],
  ])("for %s", (_, records, zones) => {
    expect(worldOf(stackOf(records)).zones).toEqual(zones);
  });

  test("fails for a record whose name is known only to Terraform", () => {
    const records = { www: { ...proof, name: "${var.name}" } };
    expect(() => worldOf(stackOf(records))).toThrow(expect.objectContaining({ code: "rehearsal-zone-unknown" }));
  });
});

describe("existing records", () => {
  const www = { managed_zone: "example-com", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] };
  const ingress = { ...www, name: "ingress.example.com.", rrdatas: ["203.0.113.7"] };

  test("are the records that the stack imports; the stack creates the others itself", () => {
    expect(worldOf(stackOf({ proof, www, ingress }, ["www"])).records).toEqual([
      { project: "p1", zone: "example-com", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] },
    ]);
  });

  test("are not created if an import uses another type under the same name", () => {
    const stack = { ...stackOf({ www }), import: [{ id: "x", to: "google_compute_target_https_proxy.www" }] };
    expect(worldOf(stack).records).toEqual([]);
  });

  test.each<[what: string, block: object, expected: readonly (string | number)[]]>([
    ["data in the stack", { type: "TXT", rrdatas: ['"v=spf1 -all"'], ttl: 60 }, ["TXT", '"v=spf1 -all"', 60]],
    ["addresses known only to Terraform", { rrdatas: ["${google_a.b.address}"] }, ["A", "198.51.100.10", 60]],
    ["a list known only to Terraform", { rrdatas: "${google_a.b.all}" }, ["A", "198.51.100.10", 60]],
    ["a policy instead of data", { rrdatas: undefined, routing_policy: {} }, ["A", "198.51.100.10", 60]],
    ["a time to live known only to Terraform", { ttl: "${google_a.b.ttl}" }, ["A", "198.51.100.1", 300]],
  ])("of an imported record set with %s", (_, change, [type, data, ttl]) => {
    const record = { ...www, ...change };
    expect(worldOf(stackOf({ record }, ["record"])).records).toEqual([
      { project: "p1", zone: "example-com", name: "www.example.com.", type, ttl, rrdatas: [data] },
    ]);
  });

  test("an alias targets a name of the previous provider, in its own zone", () => {
    const alias = { ...www, type: "CNAME", rrdatas: ["edge.old.example."] };
    const world = worldOf(stackOf({ alias }, ["alias"]));
    expect(world.zones.at(-1)).toEqual({ project: "p1", name: "previous-provider-1", dnsName: "edge.old.example." });
    expect(world.records.at(-1)).toEqual({
      project: "p1",
      zone: "previous-provider-1",
      name: "edge.old.example.",
      type: "A",
      ttl: 300,
      rrdatas: ["198.51.100.10"],
    });
  });

  test("an alias to a name within a zone of the stack adds no zone", () => {
    const alias = { ...www, type: "CNAME", rrdatas: ["edge.example.com."] };
    const other = { ...www, name: "example.com." };
    const world = worldOf(stackOf({ alias, other }, ["alias", "other"]));
    expect(world.zones).toHaveLength(1);
    expect(world.records.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "www.example.com. CNAME",
      "example.com. A",
      "edge.example.com. A",
    ]);
  });
});

describe("the stack's own zones", () => {
  const zone = { name: "own", dns_name: "example.com." };
  const record = {
    managed_zone: "${google_dns_managed_zone.z.name}",
    name: "www.example.com.",
    type: "A",
    rrdatas: ["198.51.100.1"],
  };

  test("exist before Terraform runs if the stack states their name and domain", () => {
    const stack = stackOf({ www: record }, ["www"], { google_dns_managed_zone: { z: zone } });
    expect(worldOf(stack)).toMatchObject({
      zones: [{ project: "p1", name: "own", dnsName: "example.com." }],
      records: [{ project: "p1", zone: "own", name: "www.example.com." }],
    });
  });

  test("include the zones that the stack looks up, by the names in them", () => {
    const read = { ...record, managed_zone: "${data.google_dns_managed_zone.z.name}" };
    const stack = {
      ...stackOf({ www: read }),
      data: { google_dns_managed_zone: { z: { name: "read", project: "dns" } } },
    };
    expect(worldOf(stack).zones).toEqual([{ project: "dns", name: "read", dnsName: "example.com." }]);
  });

  test("include a private zone that the stack creates in a domain that public DNS does not have", () => {
    const own = { name: "corp", dns_name: "corp.internal.", visibility: "private" };
    const status = { ...record, name: "status.corp.internal.", managed_zone: "${google_dns_managed_zone.z.name}" };
    expect(worldOf(stackOf({ status }, [], { google_dns_managed_zone: { z: own } })).zones).toEqual([
      { project: "p1", name: "corp", dnsName: "corp.internal.", visibility: "private" },
    ]);
  });

  test("exclude other private zones that the stack creates", () => {
    const zones = { z: { ...zone, visibility: "private" } };
    expect(worldOf(stackOf({}, [], { google_dns_managed_zone: zones })).zones).toEqual([]);
  });
});

describe("names without records in the stack", () => {
  test("are served by the previous provider, in a zone of the stack or of their domain", () => {
    const www = { managed_zone: "com", name: "www.example.com.", type: "A", rrdatas: ["198.51.100.1"] };
    const apex = { ...www, name: "example.com." };
    const world = worldOf(stackOf({ www, apex }, ["www"]), {
      hostnames: ["www.example.com", "a.example.com", "b.example.net", "c.example.net"],
    });
    expect(world.zones).toEqual([
      { project: "p1", name: "com", dnsName: "example.com." },
      { project: "p1", name: "today-example-net", dnsName: "example.net." },
    ]);
    expect(world.records.map(({ zone, name, rrdatas }) => [zone, name, rrdatas])).toEqual([
      ["com", "www.example.com.", ["198.51.100.1"]],
      ["com", "a.example.com.", ["198.51.100.10"]],
      ["today-example-net", "b.example.net.", ["198.51.100.10"]],
      ["today-example-net", "c.example.net.", ["198.51.100.10"]],
    ]);
  });
});

test.each(["CAA", "MX", "TXT"])(
  "are served by the previous provider if the stack looks up only their %s record",
  (type) => {
    const data = { google_dns_record_set: { it: { name: "www.example.com.", type, managed_zone: "com" } } };
    const { records } = worldOf({ provider, data }, { hostnames: ["www.example.com"] });
    expect(records.map((record) => record.type)).toEqual([type, "A"]);
  },
);

test("names in private domains have a zone and lead to the previous provider", () => {
  const { zones, records } = worldOf(stackOf({}), { hostnames: ["status.corp.internal"] });
  expect(zones).toEqual([{ project: "p1", name: "today-corp-internal", dnsName: "corp.internal." }]);
  expect(records.map(({ zone, name, rrdatas }) => [zone, name, rrdatas])).toEqual([
    ["today-corp-internal", "status.corp.internal.", ["198.51.100.10"]],
  ]);
});

test("a name belongs to the zone with the longest matching suffix", () => {
  const zone = (dns_name: string) => ({ name: dns_name.replaceAll(".", "-"), dns_name });
  const zones = { com: zone("example.com."), shop: zone("shop.example.com.") };
  const { records } = worldOf(stackOf({}, [], { google_dns_managed_zone: zones }), {
    hostnames: ["a.shop.example.com", "shop.example.com", "www.example.com"],
  });
  expect(records.map(({ zone: name }) => name)).toEqual(["shop-example-com-", "shop-example-com-", "example-com-"]);
});

test("existing records point to the previous provider even if the stack sends traffic to the load balancer", () => {
  const record = { managed_zone: "com", name: "www.example.com.", rrdatas: ["203.0.113.7"] };
  const records = {
    a: { ...record, type: "A" },
    aaaa: { ...record, type: "AAAA" },
    alias: { ...record, name: "m.example.com.", type: "CNAME" },
  };
  const world = worldOf(stackOf(records, ["a", "aaaa", "alias"]), { isMoved: true });
  expect(world.records.map(({ name, type, rrdatas }) => [name, type, rrdatas[0]])).toEqual([
    ["www.example.com.", "A", "198.51.100.10"],
    ["www.example.com.", "AAAA", "2001:db8:0:10::10"],
    ["m.example.com.", "CNAME", "previous-provider.m.example.com."],
    ["previous-provider.m.example.com.", "A", "198.51.100.10"],
  ]);
});

test.each([
  ["a name", "web", { project: "p1", name: "web" }],
  ["an id", "projects/other/global/urlMaps/web", { project: "other", name: "web" }],
])("URL maps exist before Terraform runs if proxies refer to them by %s", (_, link, urlMap) => {
  const proxies = { one: { url_map: link }, two: { url_map: link } };
  expect(worldOf(stackOf({}, [], { google_compute_target_https_proxy: proxies })).urlMaps).toEqual([urlMap]);
});

test("a URL map of the stack is not created in advance", () => {
  const proxies = { one: { url_map: "${google_compute_url_map.web.id}" } };
  expect(worldOf(stackOf({}, [], { google_compute_target_https_proxy: proxies })).urlMaps).toEqual([]);
});

test("creates the world that it has read from the stack in a cloud", async () => {
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0 } });
  const record = { project: "p1", zone: "z", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] };
  const inSpellings = ["2001:db8::1", "2001:DB8::0:1"].map((address, index) => {
    return { ...record, name: `six-${index}.example.com.`, type: "AAAA", rrdatas: [address] };
  });
  const world = {
    zones: [{ project: "p1", name: "z", dnsName: "example.com." }],
    urlMaps: [{ project: "p1", name: "web" }],
    services: [],
    policies: [],
    records: [record, ...inSpellings],
  };
  await makeWorld(world, { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
  const { body } = await cloud.call("GET", "/dns/v1/projects/p1/managedZones/z/rrsets?name=www.example.com.");
  expect(body.rrsets).toMatchObject([{ name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] }]);
  const { status } = await cloud.call("GET", "/compute/v1/projects/p1/global/urlMaps/web");
  expect(status).toBe(200);
  // The cloud gives an address in use to no other resource.
  const reserved = await cloud.call("POST", "/compute/v1/projects/p1/global/addresses", {
    name: "mine",
    address: "198.51.100.1",
  });
  expect(reserved.status).toBe(400);
});
