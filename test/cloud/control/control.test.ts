import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "../../support/cloud";
import { until } from "../../support/until";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ startAt: new Date("2026-11-21T00:00:00Z") });
});
afterAll(() => cloud.stop());

it("control calls report every address, also if a base and a path are joined with two slashes or none", async () => {
  const { endpoints } = cloud;
  expect(endpoints).toEqual({
    http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    dns: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    trustBundle: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
    control: `${endpoints.http}_cloud/`,
  });
  for (const url of [
    `${endpoints.control}endpoints`,
    `${endpoints.control}/endpoints`,
    `${endpoints.http}_cloud/endpoints?x=1`,
  ]) {
    expect(await (await fetch(url)).json()).toEqual(endpoints);
  }
});

it("control calls step the clock, and are answered after all due work is done", async () => {
  const { now: before } = await cloud.make("GET", "/_cloud/clock");
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=clock`, {});
  const { now: after } = await cloud.make("POST", "/_cloud/clock", { advanceMs: 90_000 });
  expect(Date.parse(String(after)) - Date.parse(String(before))).toBe(90_000);
  const { operations } = await cloud.make("GET", `/v1/${parent}/operations`);
  expect(operations).toContainEqual(expect.objectContaining({ done: true }));
});

test.each([
  [{}],
  [{ advanceMs: -1 }],
  [{ advanceMs: "1" }],
  [{ advanceMs: 1e300 }],
  [{ advanceMs: null }],
  ["nonsense"],
  ["[]"],
  [undefined],
])("control calls fail to step the clock by %j", async (body) => {
  const { status, body: answer } = await cloud.call("POST", "/_cloud/clock", body);
  expect([status, answer]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
});

it("control calls set faults, report them with their counts, and remove them", async () => {
  const plan = { seed: 3, requests: [{ method: "*", status: "ABORTED", times: 1 }] };
  expect(await cloud.make("PUT", "/_cloud/faults", plan)).toEqual({ plan });
  expect((await cloud.call("GET", `/v1/${parent}/certificateMaps`)).status).toBe(409);
  expect(await cloud.make("GET", "/_cloud/faults")).toEqual({
    plan,
    faultCounts: [{ list: "requests", fault: plan.requests[0], count: 1 }],
  });
  expect(await cloud.make("PUT", "/_cloud/faults", {})).toEqual({ plan: {} });
});

it("control calls refuse faults that are malformed, with every mistake, and keep the present faults", async () => {
  const { status, body } = await cloud.call("PUT", "/_cloud/faults", { requests: [{}], colour: 1 });
  expect([status, body]).toMatchObject([
    400,
    { error: { message: expect.stringMatching(/'requests\[0\].method' is missing\n.*'colour' is unknown/) } },
  ]);
  expect(cloud.faults.plan).toEqual({});
  expect(await cloud.call("PUT", "/_cloud/faults", "{")).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^the body is not JSON: '/) } },
  });
});

it("control calls report requests, listeners and handshakes, and update listeners without the delay", async () => {
  await makeZone(cloud, "com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "main", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "web", { certificateMap });
  expect(await fetch(`${cloud.endpoints.control}listeners`).then((answer) => answer.json())).toEqual([]);
  const settled = await cloud.call("POST", "/_cloud/settle");
  expect(settled).toMatchObject({
    status: 200,
    body: [{ forwardingRule: expect.stringMatching(/\/web$/), port: 443 }],
  });
  expect((await cloud.call("GET", "/_cloud/listeners")).body).toEqual(settled.body);
  expect(await cloud.handshake("web", "example.com")).toMatchObject({ commonName: "example.com" });
  const counts = () => cloud.make("GET", "/_cloud/handshakes");
  expect(await until(counts, ({ answered }) => (answered as readonly unknown[]).length > 0)).toEqual({
    answered: [{ serverName: "example.com", certificateName: certificate, count: 1 }],
    failed: [],
  });
  const requests = (await cloud.call("GET", "/_cloud/requests")).body;
  expect(requests).toEqual(cloud.requests());
  expect(requests).toContainEqual(
    expect.objectContaining({ method: "compute.globalForwardingRules.insert", status: 200 }),
  );

  expect(await cloud.make("POST", "/_cloud/reset")).toEqual({});
  expect([cloud.requests(), cloud.loadBalancers.listeners(), cloud.loadBalancers.handshakes()]).toEqual([
    [],
    [],
    { answered: [], failed: [] },
  ]);
  expect((await cloud.call("GET", `/v1/${certificate}`)).status).toBe(404);
  expect((await cloud.call("GET", "/dns/v1/projects/p1/managedZones")).body).toMatchObject({ managedZones: [] });
  expect(Object.keys((await cloud.call("GET", `/v1/${parent}/operations`)).body)).not.toContain("nextPageToken");
  await cloud.clock.advance(48 * 3_600_000);
  await makeZone(cloud, "com", "example.com.");
  expect(await makeActiveCertificate(cloud, "shop", "com", ["example.com"])).toBe(certificate);
});

it("control calls that do not exist are refused with a list of the available calls", async () => {
  const { status, body } = await cloud.call("DELETE", "/_cloud/clock");
  expect([status, body]).toMatchObject([404, { error: { message: expect.stringContaining("GET clock, POST clock") } }]);
  expect((await cloud.call("GET", "/_cloud")).status).toBe(404);
});
