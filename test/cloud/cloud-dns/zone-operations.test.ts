import { makeZone, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());
afterEach(() => cloud.reset());

const zone = "/dns/v1/projects/p1/managedZones/com";

describe("the operations of a zone", () => {
  it("are returned for changes of the zone, and can be read by id", async () => {
    await makeZone(cloud, "com", "example.com.");
    const before = await cloud.make("GET", zone);
    const operation = await cloud.make("PATCH", zone, { description: "new" });
    expect(operation).toEqual({
      kind: "dns#operation",
      id: "2",
      startTime: cloud.clock.now().toISOString(),
      status: "done",
      type: "update",
      user: "anonymous",
      zoneContext: { oldValue: before, newValue: { ...before, description: "new" } },
    });
    expect(await cloud.make("GET", `${zone}/operations/2`)).toEqual(operation);
    expect((await cloud.call("GET", `${zone}/operations/3`)).status).toBe(404);
    expect((await cloud.call("GET", `${zone}2/operations/2`)).status).toBe(404);
  });

  it("are listed with the creation of the zone, in pages and in order", async () => {
    await makeZone(cloud, "com", "example.com.");
    await makeZone(cloud, "net", "example.net.");
    for (let count = 1; count <= 10; count++) await cloud.make("PATCH", zone, { description: `d${count}` });
    await cloud.make("PUT", zone, { name: "com", dnsName: "example.com.", description: "whole" });
    const { kind, operations } = await cloud.make("GET", `${zone}/operations?sortBy=id`);
    expect(kind).toBe("dns#managedZoneOperationsListResponse");
    expect((operations as readonly { id: string; type: string }[]).map(({ id, type }) => `${id} ${type}`)).toEqual([
      "1 create",
      ...Array.from({ length: 11 }, (_, index) => `${index + 2} update`),
    ]);
    const { nextPageToken } = await cloud.make("GET", `${zone}/operations?maxResults=9`);
    expect(await cloud.make("GET", `${zone}/operations?pageToken=${nextPageToken}`)).toMatchObject({
      operations: [{ id: "10" }, { id: "11" }, { id: "12" }],
    });
  });

  it("are deleted with the zone", async () => {
    await makeZone(cloud, "com", "example.com.");
    await cloud.call("DELETE", zone);
    expect((await cloud.call("GET", `${zone}/operations`)).status).toBe(404);
    await makeZone(cloud, "com", "example.com.");
    expect(await cloud.make("GET", `${zone}/operations`)).toMatchObject({ operations: [{ id: "1" }] });
  });
});
