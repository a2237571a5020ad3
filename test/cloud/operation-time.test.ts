import { makeZone, parent, startTestCloud } from "../support/cloud";

const changes = "/dns/v1/projects/p1/managedZones/z1/changes";
const addition = (name: string, address: string) => ({ name, type: "A", ttl: 60, rrdatas: [address] });

test("requests the time of each operation by its method, and completes operations without a time at once", async () => {
  const asked = new Set<string>();
  await using cloud = await startTestCloud({
    behavior: {
      operationMs: (methodId) => {
        const isFirst = !asked.has(methodId);
        asked.add(methodId);
        return isFirst ? 500 : 0;
      },
    },
  });
  const make = (path: string, body: object) => cloud.make("POST", path, body);
  await makeZone(cloud, "z1", "example.com.");
  const address = (name: string) => make("/compute/v1/projects/p1/global/addresses", { name });
  const map = (id: string) => make(`/v1/${parent}/certificateMaps?certificateMapId=${id}`, {});
  expect([(await address("a1")).status, (await address("a2")).status]).toEqual(["PENDING", "DONE"]);
  expect([(await map("m1")).done, (await map("m2")).done]).toEqual([undefined, true]);
  const service = (id: string, verb: string) => make(`/v1/projects/p1/services/${id}.googleapis.com:${verb}`, {});
  expect([(await service("run", "enable")).done, (await service("spanner", "enable")).done]).toEqual([undefined, true]);
  expect((await service("run", "disable")).done).toBe(undefined);
  const bucket = (id: string) => make(`/v2/projects/p1/locations/global/buckets:createAsync?bucketId=${id}`, {});
  expect([(await bucket("b1")).done, (await bucket("b2")).done]).toEqual([undefined, true]);
  expect([...asked]).toEqual([
    "dns.managedZones.create",
    "compute.globalAddresses.insert",
    "certificatemanager.projects.locations.certificateMaps.create",
    "serviceusage.services.enable",
    "serviceusage.services.disable",
    "logging.projects.locations.buckets.createAsync",
  ]);
});

test.each([
  ["Service Usage", "/v1/projects/p1/services/run.googleapis.com:enable", "/v1/"],
  ["Cloud Logging", "/v2/projects/p1/locations/global/buckets:createAsync?bucketId=b1", "/v2/"],
])("keeps an operation of %s pending for its time, and completes it afterwards", async (_, path, version) => {
  await using cloud = await startTestCloud({ behavior: { operationMs: 500 } });
  const { name } = await cloud.make("POST", path, {});
  const poll = () => cloud.make("GET", `${version}${name}`);
  expect(await poll()).toEqual({ name });
  await cloud.clock.advance(499);
  expect(await poll()).toEqual({ name });
  await cloud.clock.advance(1);
  expect(await poll()).toMatchObject({ name, done: true, response: { "@type": expect.stringContaining("google") } });
  expect((await cloud.call("GET", `${version}${name}x`)).status).toBe(404);
});

test("completes a change without effect on a service at once", async () => {
  await using cloud = await startTestCloud({ behavior: { operationMs: 500 } });
  const path = "/v1/projects/p1/services/compute.googleapis.com:enable";
  expect(await cloud.make("POST", path, {})).toMatchObject({ done: true, response: { service: { state: "ENABLED" } } });
});

test("applies an instant change after a pending change of the same zone, because changes keep their order", async () => {
  let next = 0;
  await using cloud = await startTestCloud({ behavior: { operationMs: () => next } });
  await makeZone(cloud, "z1", "example.com.");
  const name = "www.example.com.";
  next = 500;
  await cloud.make("POST", changes, { additions: [addition(name, "192.0.2.1")] });
  next = 0;
  const second = await cloud.make("POST", changes, {
    deletions: [addition(name, "192.0.2.1")],
    additions: [addition(name, "192.0.2.2")],
  });
  expect(second.status).toBe("pending");
  await cloud.clock.advance(500);
  expect(await cloud.make("GET", `${changes}/${second.id}`)).toMatchObject({ status: "done" });
  const { Resolver } = require("node:dns/promises") as typeof import("node:dns/promises");
  const resolver = new Resolver();
  resolver.setServers([cloud.endpoints.dns]);
  expect(await resolver.resolve4(name)).toEqual(["192.0.2.2"]);
  const third = await cloud.make("POST", changes, { additions: [addition("a.example.com.", "192.0.2.3")] });
  expect(third.status).toBe("done");
});
