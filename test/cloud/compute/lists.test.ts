import { base, refusal, startCompute } from "./start-compute";

const collection = "p1/global/healthChecks";
const check = (name: string, type = "TCP") => [collection, { name, type }] as const;
const namesOf = (body: Readonly<Record<string, unknown>>) =>
  ((body.items ?? []) as { name: string }[]).map(({ name }) => name);

describe("a list", () => {
  it("is empty without items", async () => {
    await using cloud = await startCompute();
    expect(await cloud.get(collection)).toEqual({
      kind: "compute#healthCheckList",
      id: "projects/p1/global/healthChecks",
      selfLink: `${base}/global/healthChecks`,
    });
  });

  it("contains the resources of its project and scope, by name", async () => {
    await using cloud = await startCompute();
    await cloud.make(check("b"), check("a"), ["p2/global/healthChecks", { name: "c", type: "TCP" }]);
    await cloud.make(["p1/regions/europe-west1/healthChecks", { name: "d", type: "TCP" }]);
    expect(namesOf(await cloud.get(collection))).toEqual(["a", "b"]);
    expect(namesOf(await cloud.get("p2/global/healthChecks"))).toEqual(["c"]);
    expect(namesOf(await cloud.get("p1/regions/europe-west1/healthChecks"))).toEqual(["d"]);
    expect(namesOf(await cloud.get("p1/regions/us-east1/healthChecks"))).toEqual([]);
  });

  it("is read page by page, whatever is deleted between two pages", async () => {
    await using cloud = await startCompute();
    await cloud.make(check("a"), check("b"), check("c"), check("d"));
    const first = await cloud.get(`${collection}?maxResults=2`);
    expect(namesOf(first)).toEqual(["a", "b"]);
    await cloud.call("DELETE", `${collection}/a`);
    const second = await cloud.get(`${collection}?maxResults=2&pageToken=${first.nextPageToken}`);
    expect(namesOf(second)).toEqual(["c", "d"]);
    expect(second).not.toHaveProperty("nextPageToken");
  });

  it.each([
    ["filter=name%20%3D%20a", ["a"]],
    ["filter=name%20eq%20b", ["b"]],
    ["filter=type%20%3D%20SSL%20OR%20name%20%3D%20a", ["a", "c"]],
    ["filter=name%20!%3D%20a", ["b", "c"]],
    ["orderBy=name%20desc", ["c", "b", "a"]],
    ["orderBy=creationTimestamp%20desc", ["c", "b", "a"]],
    ["maxResults=0", ["a", "b", "c"]],
    ["maxResults=500", ["a", "b", "c"]],
  ])("can be requested with %s", async (query, expected) => {
    await using cloud = await startCompute();
    for (const request of [check("a"), check("b"), check("c", "SSL")]) {
      await cloud.make(request);
      await cloud.clock.advance(1_000);
    }
    expect(namesOf(await cloud.get(`${collection}?${query}`))).toEqual(expected);
  });

  it.each([
    ["maxResults=501", "400 invalid: Invalid value for field 'resource.maxResults': '501'. Values are from 0 to 500."],
    ["filter=name%20%3D", /^400 invalid: filter: /],
    ["pageToken=x", /^400 invalid: page_token: /],
  ])("fails with %s", async (query, expected) => {
    await using cloud = await startCompute();
    expect(refusal(await cloud.call("GET", `${collection}?${query}`))).toMatch(expected);
  });
});

const path = "p1/aggregated/addresses";

it("an aggregated list contains the resources of a project, by scope", async () => {
  await using cloud = await startCompute();
  await cloud.make(
    ["p1/global/addresses", { name: "a" }],
    ["p1/regions/us-east1/addresses", { name: "c" }],
    ["p1/regions/europe-west1/addresses", { name: "b" }],
    ["p2/global/addresses", { name: "other" }],
  );
  expect(await cloud.get(path)).toEqual({
    kind: "compute#addressAggregatedList",
    id: "projects/p1/aggregated/addresses",
    selfLink: `${base}/aggregated/addresses`,
    items: {
      global: { addresses: [expect.objectContaining({ name: "a" })] },
      "regions/europe-west1": { addresses: [expect.objectContaining({ name: "b" })] },
      "regions/us-east1": { addresses: [expect.objectContaining({ name: "c" })] },
    },
  });
});

it("an aggregated list has a warning for each empty scope", async () => {
  await using cloud = await startCompute();
  expect((await cloud.get(path)).items).toEqual({
    global: {
      warning: {
        code: "NO_RESULTS_ON_PAGE",
        message: "There are no results for scope 'global' on this page.",
        data: [{ key: "scope", value: "global" }],
      },
    },
  });
});

it("an aggregated list is read page by page", async () => {
  await using cloud = await startCompute();
  await cloud.make(["p1/global/addresses", { name: "a" }], ["p1/regions/us-east1/addresses", { name: "b" }]);
  const { items, nextPageToken } = await cloud.get(`${path}?maxResults=1`);
  expect(items).toMatchObject({ global: { addresses: [{ name: "a" }] } });
  const second = await cloud.get(`${path}?maxResults=1&pageToken=${nextPageToken}`);
  expect(second.items).toMatchObject({ "regions/us-east1": { addresses: [{ name: "b" }] } });
  expect(second).not.toHaveProperty("nextPageToken");
});

it.each([
  "targetHttpsProxies",
  "targetHttpProxies",
  "urlMaps",
  "backendServices",
  "sslCertificates",
  "forwardingRules",
])("an aggregated list exists for %s", async (collectionName) => {
  await using cloud = await startCompute();
  expect(await cloud.get(`p1/aggregated/${collectionName}`)).toMatchObject({
    kind: expect.stringMatching(/^compute#\w+AggregatedList$/),
    items: { global: {} },
  });
});
