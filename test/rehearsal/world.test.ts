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
    ["one proof", { proof }, [{ project: "p1", name: "example-com", dnsName: "shop.example.com." }]],
    [
      "two names: what they share",
      { proof, www: { managed_zone: "example-com", name: "www.example.com.", type: "A", rrdatas: ["203.0.113.7"] } },
      [{ project: "p1", name: "example-com", dnsName: "example.com." }],
    ],
    [
      "the same name of a zone in two projects",
      { proof, other: { ...proof, project: "dns" } },
      [
        { project: "p1", name: "example-com", dnsName: "shop.example.com." },
        { project: "dns", name: "example-com", dnsName: "shop.example.com." },
      ],
    ],
    [
      "a wildcard lies in the zone of its domain",
      { any: { managed_zone: "z", name: "*.example.com.", type: "A", rrdatas: ["203.0.113.7"] } },
      [{ project: "p1", name: "z", dnsName: "example.com." }],
    ],
  ])("%s", (_, records, zones) => {
    expect(worldOf(stackOf(records)).zones).toEqual(zones);
  });

  test("fails for a record whose name only Terraform would know", () => {
    const records = { www: { ...proof, name: "${var.name}" } };
    expect(() => worldOf(stackOf(records))).toThrow(expect.objectContaining({ code: "rehearsal-zone-unknown" }));
  });
});

describe("records of today", () => {
  const www = { managed_zone: "example-com", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] };
  const ingress = { ...www, name: "ingress.example.com.", rrdatas: ["203.0.113.7"] };

  test("are those that the stack imports; others it makes itself", () => {
    expect(worldOf(stackOf({ proof, www, ingress }, ["www"])).records).toEqual([
      { project: "p1", zone: "example-com", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] },
    ]);
  });

  test("an alias leads to a name of the old provider, in a zone of its own", () => {
    const alias = { ...www, type: "CNAME", rrdatas: ["edge.old.example."] };
    const world = worldOf(stackOf({ alias }, ["alias"]));
    expect(world.zones.at(-1)).toEqual({ project: "p1", name: "old-provider-1", dnsName: "edge.old.example." });
    expect(world.records.at(-1)).toEqual({
      project: "p1",
      zone: "old-provider-1",
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

test.each([
  ["a name", "web", { project: "p1", name: "web" }],
  ["an id", "projects/other/global/urlMaps/web", { project: "other", name: "web" }],
])("url maps that proxies name by %s are there already", (_, link, urlMap) => {
  const proxies = { one: { url_map: link }, two: { url_map: link } };
  expect(worldOf(stackOf({}, [], { google_compute_target_https_proxy: proxies })).urlMaps).toEqual([urlMap]);
});

test("a url map of the stack's own is not made beforehand", () => {
  const proxies = { one: { url_map: "${google_compute_url_map.web.id}" } };
  expect(worldOf(stackOf({}, [], { google_compute_target_https_proxy: proxies })).urlMaps).toEqual([]);
});

test("is made in a cloud as it was read", async () => {
  await using cloud = await startTestCloud({ speed: 1, operationMs: 0 });
  const record = { project: "p1", zone: "z", name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] };
  const world = {
    zones: [{ project: "p1", name: "z", dnsName: "example.com." }],
    urlMaps: [{ project: "p1", name: "web" }],
    services: [],
    records: [record],
  };
  await makeWorld(world, cloud.endpoints.http, createHttpClient());
  const { body } = await cloud.call("GET", "/dns/v1/projects/p1/managedZones/z/rrsets?name=www.example.com.");
  expect(body.rrsets).toMatchObject([{ name: "www.example.com.", type: "A", ttl: 60, rrdatas: ["198.51.100.1"] }]);
  const { status } = await cloud.call("GET", "/compute/v1/projects/p1/global/urlMaps/web");
  expect(status).toBe(200);
});
