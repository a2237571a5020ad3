import { CloudError } from "../../../lib/cloud/cloud-error";
import { createCloudClock } from "../../../lib/cloud/state";
import { base, loadBalancer, refusal, startCompute } from "./start-compute";

const { backendService, urlMap, proxy } = loadBalancer;

it("an operation is pending, then runs, then is done, while its change is visible at once", async () => {
  await using cloud = await startCompute();
  const { body: pending } = await cloud.call("POST", ...backendService);
  const resource = await cloud.get("p1/global/backendServices/b1");
  expect(pending).toEqual({
    kind: "compute#operation",
    id: expect.stringMatching(/^\d+$/),
    name: expect.stringMatching(/^operation-1795219200000-[0-9a-f]{8}-[0-9a-f]{8}$/),
    operationType: "insert",
    targetLink: `${base}/global/backendServices/b1`,
    targetId: resource.id,
    user: "anonymous",
    status: "PENDING",
    progress: 0,
    insertTime: "2026-11-21T00:00:00.000Z",
    selfLink: `${base}/global/operations/${pending.name}`,
  });
  const path = `p1/global/operations/${pending.name}`;
  await cloud.clock.advance(400);
  const running = { ...pending, status: "RUNNING", progress: 40, startTime: "2026-11-21T00:00:00.000Z" };
  expect(await cloud.get(path)).toEqual(running);
  await cloud.clock.advance(600);
  const done = { ...running, status: "DONE", progress: 100, endTime: "2026-11-21T00:00:01.000Z" };
  expect(await cloud.get(path)).toEqual(done);
  expect(await cloud.get(`p1/global/operations/${pending.id}`)).toEqual(done);
  expect(await cloud.get("p1/global/operations")).toMatchObject({ kind: "compute#operationList", items: [done] });
  expect(await cloud.get("p1/aggregated/operations")).toMatchObject({
    kind: "compute#operationAggregatedList",
    items: { global: { operations: [done] } },
  });
});

it("an operation is done at once if operations take no time", async () => {
  await using cloud = await startCompute({ operationMs: 0 });
  expect((await cloud.call("POST", ...backendService)).body).toMatchObject({ status: "DONE", progress: 100 });
});

it("an operation is stored in the scope of its resource", async () => {
  await using cloud = await startCompute();
  const { body } = await cloud.call("POST", "p1/regions/europe-west1/backendServices", { name: "b1" });
  const region = `${base}/regions/europe-west1`;
  expect(body).toMatchObject({ region, selfLink: `${region}/operations/${body.name}` });
  expect(await cloud.call("GET", `p1/regions/europe-west1/operations/${body.name}`)).toMatchObject({ status: 200 });
  expect(refusal(await cloud.call("GET", `p1/global/operations/${body.name}`))).toBe(
    `404 notFound: The resource 'projects/p1/global/operations/${body.name}' was not found`,
  );
  expect(await cloud.get("p1/global/operations")).not.toHaveProperty("items");
});

it("an operation can be deleted", async () => {
  await using cloud = await startCompute();
  const { body } = await cloud.call("POST", ...backendService);
  expect(await cloud.call("DELETE", `p1/global/operations/${body.name}`)).toEqual({ status: 204, body: {} });
  expect(await cloud.call("GET", `p1/global/operations/${body.name}`)).toMatchObject({ status: 404 });
});

it("an operation reports the caller", async () => {
  await using cloud = await startCompute();
  const response = await fetch(new URL(`compute/v1/projects/${backendService[0]}`, cloud.url), {
    method: "POST",
    headers: { authorization: "Bearer a-token-1234" },
    body: JSON.stringify(backendService[1]),
  });
  expect(await response.json()).toMatchObject({ user: "token …1234" });
});

describe("waiting for an operation", () => {
  /** Reports each wait for the clock. */
  function watchedClock() {
    const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 0 });
    let arrive = () => {};
    const someoneWaits = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const after: typeof clock.after = (ms, task) => {
      arrive();
      return clock.after(ms, task);
    };
    return { clock: { ...clock, after }, someoneWaits };
  }

  it("ends when it is done", async () => {
    const { clock, someoneWaits } = watchedClock();
    await using cloud = await startCompute({ clock });
    const { body } = await cloud.call("POST", ...backendService);
    const waiting = cloud.call("POST", `p1/global/operations/${body.name}/wait`);
    await someoneWaits;
    await clock.advance(1_000);
    expect((await waiting).body).toMatchObject({ status: "DONE", endTime: "2026-11-21T00:00:01.000Z" });
  });

  it("ends at once if it is already done", async () => {
    await using cloud = await startCompute();
    const { body } = await cloud.call("POST", ...backendService);
    await cloud.clock.advance(5_000);
    expect(await cloud.call("POST", `p1/global/operations/${body.name}/wait`)).toMatchObject({
      body: { status: "DONE" },
    });
  });

  it("ends after the time limit, and reports the progress", async () => {
    await using cloud = await startCompute({ longestWaitMs: 20 });
    const { body } = await cloud.call("POST", ...backendService);
    expect(await cloud.call("POST", `p1/global/operations/${body.name}/wait`)).toEqual({ status: 200, body });
  });

  it("ends when the cloud stops", async () => {
    const { clock, someoneWaits } = watchedClock();
    await using cloud = await startCompute({ clock });
    const { body } = await cloud.call("POST", ...backendService);
    const waiting = cloud.call("POST", `p1/global/operations/${body.name}/wait`);
    await someoneWaits;
    cloud.compute.release();
    expect((await waiting).body).toEqual(body);
  });

  it("accepts a body although the method defines none", async () => {
    await using cloud = await startCompute({ operationMs: 0 });
    const { body } = await cloud.call("POST", ...backendService);
    const url = new URL(`compute/v1/projects/p1/global/operations/${body.name}/wait`, cloud.url);
    const response = await fetch(url, { method: "POST", body: '""' });
    expect(response.status).toBe(200);
  });
});

describe("an operation that fails", () => {
  const failure = new CloudError("RESOURCE_EXHAUSTED", "Quota 'URL_MAPS' exceeded.", {
    httpStatus: 403,
    reason: "quotaExceeded",
  });

  it("ends with its error, and changes nothing", async () => {
    await using cloud = await startCompute({
      failOperation: (methodId) => (methodId === "compute.urlMaps.insert" ? failure : undefined),
    });
    await cloud.make(backendService);
    const before = cloud.changes.count;
    const { status, body } = await cloud.call("POST", ...urlMap);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "PENDING" } });
    expect(body).not.toHaveProperty("error");
    await cloud.clock.advance(1_000);
    expect(await cloud.get(`p1/global/operations/${body.name}`)).toMatchObject({
      status: "DONE",
      error: { errors: [{ code: "QUOTA_EXCEEDED", message: "Quota 'URL_MAPS' exceeded." }] },
      httpErrorStatusCode: 403,
      httpErrorMessage: "FORBIDDEN",
    });
    expect(await cloud.call("GET", "p1/global/urlMaps/u1")).toMatchObject({ status: 404 });
    expect(cloud.changes.count).toBe(before);
  });

  it.each([
    ["a deletion", "DELETE", "p1/global/targetHttpsProxies/x1", undefined],
    ["a patch", "PATCH", "p1/global/targetHttpsProxies/x1", { quicOverride: "ENABLE" }],
    ["a setting", "POST", "p1/global/targetHttpsProxies/x1/setQuicOverride", { quicOverride: "ENABLE" }],
  ])("leaves the resource unchanged: %s", async (_, method, path, body) => {
    let isBroken = false;
    await using cloud = await startCompute({ failOperation: () => (isBroken ? failure : undefined) });
    await cloud.make(backendService, urlMap, proxy);
    const before = await cloud.get("p1/global/targetHttpsProxies/x1");
    isBroken = true;
    expect(await cloud.call(method, path, body)).toMatchObject({ status: 200 });
    expect(await cloud.get("p1/global/targetHttpsProxies/x1")).toEqual(before);
  });

  it("is not created for a refused request", async () => {
    await using cloud = await startCompute({ failOperation: () => failure });
    expect(await cloud.call("POST", ...urlMap)).toMatchObject({ status: 404 });
    expect(await cloud.get("p1/global/operations")).not.toHaveProperty("items");
  });
});

describe("a request with a requestId", () => {
  const id = "9f0c2c7e-0b1d-4c58-9d9d-0d3c4b1a2f3e";
  const insert = (body: object = backendService[1]) => [`${backendService[0]}?requestId=${id}`, body] as const;

  it("takes effect once", async () => {
    await using cloud = await startCompute();
    const { body: first } = await cloud.call("POST", ...insert());
    await cloud.clock.advance(1_000);
    const { status, body: second } = await cloud.call("POST", ...insert());
    expect({ status, name: second.name, state: second.status }).toEqual({
      status: 200,
      name: first.name,
      state: "DONE",
    });
    expect((await cloud.get("p1/global/operations")).items).toHaveLength(1);
  });

  it("is not repeated after an hour", async () => {
    await using cloud = await startCompute();
    await cloud.call("POST", ...insert());
    await cloud.clock.advance(60 * 60_000);
    expect(await cloud.call("POST", ...insert())).toMatchObject({ status: 409 });
  });

  it("that was refused can be retried", async () => {
    await using cloud = await startCompute();
    const request = [`${urlMap[0]}?requestId=${id}`, urlMap[1]] as const;
    expect(await cloud.call("POST", ...request)).toMatchObject({ status: 404 });
    await cloud.make(backendService);
    expect(await cloud.call("POST", ...request)).toMatchObject({ status: 200 });
  });

  it("fails if another request has used the id", async () => {
    await using cloud = await startCompute();
    await cloud.call("POST", ...insert());
    expect(refusal(await cloud.call("POST", ...insert({ name: "b2" })))).toBe(
      "400 invalid: Invalid value for field 'requestId': it has been used for another request.",
    );
  });

  it.each(["1", "00000000-0000-0000-0000-000000000000"])("fails with the id %s", async (requestId) => {
    await using cloud = await startCompute();
    expect(refusal(await cloud.call("POST", `${backendService[0]}?requestId=${requestId}`, backendService[1]))).toBe(
      "400 invalid: Invalid value for field 'requestId': it has to be a UUID, and not all zeros.",
    );
  });
});
