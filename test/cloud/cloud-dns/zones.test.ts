import { Resolver } from "node:dns/promises";
import { type Answer, startTestCloud, type TestCloud } from "../../support/cloud";

const zones = "/dns/v1/projects/p1/managedZones";
const reasonOf = ({ status, body }: Answer) => {
  const { error } = body as { error?: { errors: readonly { reason: string }[] } };
  return `${status} ${error?.errors[0]?.reason ?? "done"}`;
};

let cloud: TestCloud;
let resolver: Resolver;
beforeAll(async () => {
  cloud = await startTestCloud();
  resolver = new Resolver({ tries: 1, timeout: 20_000 });
  resolver.setServers([cloud.endpoints.dns]);
});
afterAll(() => cloud.stop());
afterEach(() => cloud.reset());

const make = (name: string, dnsName: string, more: object = {}) =>
  cloud.make("POST", zones, { name, dnsName, description: "", ...more });

it("a zone is returned completely, with its SOA and NS at once, and resolvers find it a moment later", async () => {
  const zone = await make("com", "Example.COM.", { labels: { env: "prod" } });
  expect(zone).toEqual({
    kind: "dns#managedZone",
    id: expect.stringMatching(/^\d{1,20}$/),
    name: "com",
    dnsName: "example.com.",
    description: "",
    labels: { env: "prod" },
    creationTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    visibility: "public",
    nameServers: [1, 2, 3, 4].map((number) =>
      expect.stringMatching(`^ns-cloud-[a-e]${number}\\.googledomains\\.com\\.$`),
    ),
    cloudLoggingConfig: { kind: "dns#managedZoneCloudLoggingConfig" },
  });
  const { rrsets } = await cloud.make("GET", `${zones}/com/rrsets`);
  expect(rrsets).toMatchObject([
    { type: "NS", ttl: 21_600, rrdatas: zone.nameServers },
    { type: "SOA", ttl: 21_600 },
  ]);
  await expect(resolver.resolveSoa("example.com")).rejects.toMatchObject({ code: "EREFUSED" });
  await cloud.clock.advance(500);
  expect(await resolver.resolveSoa("example.com")).toMatchObject({ minttl: 300 });
});

it("a zone is returned by name, by number and by project", async () => {
  const { id } = await make("com", "example.com.");
  expect(await cloud.make("GET", `${zones}/${id}`)).toMatchObject({ name: "com" });
  expect(reasonOf(await cloud.call("GET", "/dns/v1/projects/p2/managedZones/com"))).toBe("404 notFound");
  expect(reasonOf(await cloud.call("GET", `${zones}/12345`))).toBe("404 notFound");
});

test.each<[what: string, body: object, outcome: string]>([
  ["a name that is in use", { name: "com", dnsName: "other.example.", description: "" }, "409 alreadyExists"],
  ["a domain that another zone has", { name: "com2", dnsName: "example.com.", description: "" }, "200 done"],
  ["upper case in its name", { name: "Com", dnsName: "a.example.", description: "" }, "400 invalid"],
  ["no name", { dnsName: "a.example.", description: "" }, "400 invalid"],
  ["a name that is too long", { name: "a".repeat(64), dnsName: "a.example.", description: "" }, "400 invalid"],
  ["no domain", { name: "a", description: "" }, "400 invalid"],
  ["a domain without its dot", { name: "a", dnsName: "a.example", description: "" }, "400 invalid"],
  ["the root for a domain", { name: "a", dnsName: ".", description: "" }, "400 invalid"],
  ["an invalid domain", { name: "a", dnsName: "a..example.", description: "" }, "400 invalid"],
])("a zone is refused with %s", async (_what, body, outcome) => {
  await make("com", "example.com.");
  expect(reasonOf(await cloud.call("POST", zones, body))).toBe(outcome);
});

it("a zone can be patched in its mutable members, and an update removes the members that it omits", async () => {
  await make("com", "example.com.", { description: "old", labels: { a: "b" } });
  const operation = await cloud.make("PATCH", `${zones}/com`, { description: "new" });
  expect(operation).toMatchObject({ kind: "dns#operation", status: "done", type: "update" });
  expect(await cloud.make("GET", `${zones}/com`)).toMatchObject({ description: "new", labels: { a: "b" } });
  await cloud.make("PUT", `${zones}/com`, { name: "com", dnsName: "example.com.", description: "put" });
  const after = await cloud.make("GET", `${zones}/com`);
  expect([after.description, after.labels]).toEqual(["put", undefined]);
  await cloud.make("PATCH", `${zones}/com`, { ...after, description: "read and written" });
  expect(await cloud.make("GET", `${zones}/com`)).toEqual({ ...after, description: "read and written" });
  for (const change of [
    { dnsName: "other.example." },
    { name: "other" },
    { visibility: "private" },
    { reverseLookupConfig: {} },
  ]) {
    expect(reasonOf(await cloud.call("PATCH", `${zones}/com`, change))).toBe("400 invalid");
  }
  expect(reasonOf(await cloud.call("PATCH", `${zones}/none`, {}))).toBe("404 notFound");
});

it("a zone can be deleted when it has only SOA and NS, and is not found afterwards", async () => {
  await make("com", "example.com.");
  const record = { name: "a.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
  await cloud.make("POST", `${zones}/com/rrsets`, record);
  expect(reasonOf(await cloud.call("DELETE", `${zones}/com`))).toBe("400 containerNotEmpty");
  await cloud.make("DELETE", `${zones}/com/rrsets/a.example.com./A`);
  await cloud.clock.advance(500);
  expect((await cloud.call("DELETE", `${zones}/com`)).status).toBe(204);
  await expect(resolver.resolveSoa("example.com")).rejects.toMatchObject({ code: "EREFUSED" });
  expect(reasonOf(await cloud.call("GET", `${zones}/com`))).toBe("404 notFound");

  await make("com", "example.com.");
  await cloud.clock.advance(500);
  expect(await cloud.make("GET", `${zones}/com/changes`)).toMatchObject({ changes: [] });
  await expect(resolver.resolve4("a.example.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
});

it("a zone is not answered by the name server if it is private", async () => {
  const zone = await make("inside", "inside.example.com.", {
    visibility: "private",
    privateVisibilityConfig: { networks: [] },
  });
  expect(zone).toMatchObject({ visibility: "private", nameServers: ["ns-gcp-private.googledomains.com."] });
  await cloud.clock.advance(1_000);
  await expect(resolver.resolveSoa("inside.example.com")).rejects.toMatchObject({ code: "EREFUSED" });
});

it("a zone is answered by the name server if it is private and in a domain that public DNS does not have", async () => {
  await make("corp", "corp.internal.", { visibility: "private", privateVisibilityConfig: { networks: [] } });
  await cloud.clock.advance(1_000);
  expect(await resolver.resolveSoa("corp.internal")).toMatchObject({ serial: 1 });
});

it("a zone with a longer name answers for the names in it", async () => {
  await make("com", "example.com.");
  await make("sub", "sub.example.com.");
  const at = (zone: string, address: string) =>
    cloud.make("POST", `${zones}/${zone}/rrsets`, {
      name: "a.sub.example.com.",
      type: "A",
      ttl: 60,
      rrdatas: [address],
    });
  await at("com", "192.0.2.1");
  await at("sub", "192.0.2.2");
  await cloud.clock.advance(500);
  expect(await resolver.resolve4("a.sub.example.com")).toEqual(["192.0.2.2"]);
  await cloud.make("DELETE", `${zones}/sub/rrsets/a.sub.example.com./A`);
  await cloud.make("DELETE", `${zones}/sub`);
  expect(await resolver.resolve4("a.sub.example.com")).toEqual(["192.0.2.1"]);
});

it("a zone answers for a domain after the other zone with that domain is deleted", async () => {
  await make("first", "example.com.");
  await make("second", "example.com.");
  await cloud.make("POST", `${zones}/second/rrsets`, {
    name: "a.example.com.",
    type: "A",
    ttl: 60,
    rrdatas: ["192.0.2.2"],
  });
  await cloud.clock.advance(500);
  await expect(resolver.resolve4("a.example.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await cloud.make("DELETE", `${zones}/first`);
  expect(await resolver.resolve4("a.example.com")).toEqual(["192.0.2.2"]);
});

describe("zones", () => {
  it("are listed by project and by domain, in pages", async () => {
    for (const name of ["a", "b", "c"]) await make(name, `${name}.example.`);
    await cloud.make("POST", "/dns/v1/projects/p2/managedZones", { name: "d", dnsName: "a.example.", description: "" });
    const names = async (query: string, project = "p1") => {
      const { managedZones } = await cloud.make("GET", `/dns/v1/projects/${project}/managedZones${query}`);
      return (managedZones as readonly { name: string }[]).map(({ name }) => name).join();
    };
    expect(await names("")).toBe("a,b,c");
    expect(await names("", "p2")).toBe("d");
    expect(await names("?dnsName=B.example.")).toBe("b");
    const { nextPageToken } = await cloud.make("GET", `${zones}?maxResults=2`);
    expect(await names(`?maxResults=2&pageToken=${String(nextPageToken)}`)).toBe("c");
  });

  it("have quotas that their project reports", async () => {
    expect(await cloud.make("GET", "/dns/v1/projects/p1")).toMatchObject({
      kind: "dns#project",
      id: "p1",
      quota: { kind: "dns#quota", managedZones: 10_000 },
    });
  });
});
