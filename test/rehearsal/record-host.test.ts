import { createHttpClient } from "../../lib/http";
import { recordHostOf } from "../../lib/rehearsal/record-host";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.", "p1");
});
afterAll(() => cloud.stop());

const zones = [{ project: "p1", name: "example-com", dnsName: "example.com." }];
const host = () => recordHostOf({ cloudUrl: cloud.endpoints.http, http: createHttpClient() }, zones);

const record = (name: string, ...data: readonly string[]) => ({
  name: `${name}.example.com`,
  type: "A",
  ttlSeconds: 60,
  data,
  isProxied: false,
});

async function served(name: string): Promise<unknown> {
  const query = new URLSearchParams({ name: `${name}.example.com.` });
  const path = `dns/v1/projects/p1/managedZones/example-com/rrsets?${query}`;
  const response = await fetch(`${cloud.endpoints.http}${path}`);
  const { rrsets = [] } = (await response.json()) as { rrsets?: { type: string; ttl: number; rrdatas: string[] }[] };
  return rrsets.map(({ type, ttl, rrdatas }) => `${type} ${ttl} ${rrdatas.join(" ")}`);
}

test("creates a record set, changes it in place, and removes it", async () => {
  const [before, after] = [
    record("set", "203.0.113.1"),
    { ...record("set", "203.0.113.2", "203.0.113.3"), ttlSeconds: 30 },
  ];
  await host().create(before, false);
  expect(await served("set")).toEqual(["A 60 203.0.113.1"]);
  await host().update(after, before, false);
  expect(await served("set")).toEqual(["A 30 203.0.113.2 203.0.113.3"]);
  await host().withdraw(after, false);
  expect(await served("set")).toEqual([]);
});

test("keeps the other values of a set, where each value is a resource of its own", async () => {
  const [first, second, third] = ["1", "2", "3"].map((last) => record("values", `203.0.113.${last}`)) as [
    ReturnType<typeof record>,
    ReturnType<typeof record>,
    ReturnType<typeof record>,
  ];
  await host().create(first, true);
  await host().create(second, true);
  await host().update(third, first, true);
  expect(await served("values")).toEqual(["A 60 203.0.113.2 203.0.113.3"]);
  await host().withdraw(second, true);
  expect(await served("values")).toEqual(["A 60 203.0.113.3"]);
});

test("replaces the only value of a set for an imported resource, whose value is not known", async () => {
  await host().create(record("imported", "203.0.113.1"), true);
  await host().update(record("imported", "203.0.113.2"), undefined, true);
  expect(await served("imported")).toEqual(["A 60 203.0.113.2"]);
});

test("moves a record whose name changes", async () => {
  const before = record("former", "203.0.113.1");
  await host().create(before, false);
  await host().update(record("present", "203.0.113.1"), before, false);
  expect([await served("former"), await served("present")]).toEqual([[], ["A 60 203.0.113.1"]]);
});

test.each([
  ["a record set", false],
  ["a value", true],
])("refuses to create %s twice, as DNS hosts do", async (what, isOneValue) => {
  const twice = record(what.replace(/\W/g, "-"), "203.0.113.1");
  await host().create(twice, isOneValue);
  await expect(host().create(twice, isOneValue)).rejects.toMatchObject({ code: "record-exists" });
});

test("answers with addresses of a proxy for a proxied record, and with the CNAME without the proxy", async () => {
  const alias = { ...record("proxied", "target.example.net."), type: "CNAME" };
  await host().create({ ...alias, isProxied: true }, true);
  expect(await served("proxied")).toEqual(["A 60 192.0.2.200 192.0.2.201"]);
  await host().update(alias, { ...alias, isProxied: true }, true);
  expect(await served("proxied")).toEqual(["CNAME 60 target.example.net."]);
});

test("refuses a name outside of the rehearsal's zones", async () => {
  const elsewhere = { ...record("x", "203.0.113.1"), name: "x.example.org" };
  await expect(host().create(elsewhere, false)).rejects.toMatchObject({ code: "rehearsal-zone-unknown" });
});
