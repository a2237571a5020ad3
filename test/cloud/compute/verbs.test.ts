import { base, loadBalancer, manager, refusal, startCompute } from "./start-compute";

const { backendService, urlMap, proxy, rule } = loadBalancer;
const path = "p1/global/targetHttpsProxies/x1";

it("a resource is returned by its id and by its name", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap, proxy);
  const resource = await cloud.get(path);
  expect(await cloud.get(`p1/global/targetHttpsProxies/${resource.id}`)).toEqual(resource);
  expect(await cloud.call("DELETE", `p1/global/targetHttpsProxies/${resource.id}`)).toMatchObject({ status: 200 });
  expect(await cloud.call("GET", path)).toMatchObject({ status: 404 });
});

it("a resource can't be created twice", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService);
  expect(refusal(await cloud.call("POST", ...backendService))).toBe(
    "409 alreadyExists: The resource 'projects/p1/global/backendServices/b1' already exists",
  );
});

it("a resource may have the same name as a resource in another project or region", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, ["p2/global/backendServices", { name: "b1" }]);
  await cloud.make(["p1/regions/europe-west1/backendServices", { name: "b1" }]);
  const ids = await Promise.all(
    ["p1/global", "p2/global", "p1/regions/europe-west1"].map(
      async (scope) => (await cloud.get(`${scope}/backendServices/b1`)).id,
    ),
  );
  expect(new Set(ids).size).toBe(3);
});

it.each([
  ["no name", {}, /^400 required: Required field 'resource\.name' not specified$/],
  ["a name in upper case", { name: "B1" }, /^400 invalid: .*name/],
  ["a name of 64 characters", { name: "a".repeat(64) }, /^400 invalid: .*name/],
  ["an unknown member", { name: "b1", colour: "red" }, /^400 invalid: .*colour/],
  ["a word that there isn't", { name: "b1", protocol: "GOPHER" }, /^400 invalid: .*protocol/],
])("a resource fails with %s", async (_, body, expected) => {
  await using cloud = await startCompute();
  expect(refusal(await cloud.call("POST", backendService[0], body))).toMatch(expected);
});

it("a resource keeps output-only members, whatever a client sends", async () => {
  await using cloud = await startCompute();
  const own = {
    id: "1",
    kind: "compute#other",
    selfLink: "https://example.com/",
    creationTimestamp: "2000-01-01T00:00:00Z",
  };
  await cloud.make(backendService, urlMap, [proxy[0], { ...proxy[1], ...own, fingerprint: "AAAAAAAAAAA=" }]);
  const resource = await cloud.get(path);
  expect(resource).toMatchObject({
    kind: "compute#targetHttpsProxy",
    selfLink: `${base}/global/targetHttpsProxies/x1`,
  });
  expect(resource.id).not.toBe("1");
  await cloud.call("PATCH", path, { ...own, description: "new" });
  expect(await cloud.get(path)).toEqual({ ...resource, description: "new", fingerprint: expect.any(String) });
});

it("a resource can be patched with its complete previous answer", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap, proxy);
  const before = await cloud.get(path);
  expect(await cloud.call("PATCH", path, { ...before, quicOverride: "ENABLE" })).toMatchObject({ status: 200 });
  const after = await cloud.get(path);
  expect(after).toEqual({ ...before, quicOverride: "ENABLE", fingerprint: expect.any(String) });
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(refusal(await cloud.call("PATCH", path, { ...before, quicOverride: "DISABLE" }))).toBe(
    "412 conditionNotMet: Invalid fingerprint.",
  );
});

it("a resource has no members that are null in its creation", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap, [proxy[0], { ...proxy[1], description: null }]);
  expect(await cloud.get(path)).not.toHaveProperty("description");
});

it("a resource loses members that are null in a patch", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap, [proxy[0], { ...proxy[1], description: "old" }]);
  await cloud.call("PATCH", path, { description: null });
  expect(await cloud.get(path)).not.toHaveProperty("description");
});

it("a resource keeps no nested null: in creations, patches and updates (RFC 7396)", async () => {
  await using cloud = await startCompute();
  const [maps, body] = urlMap;
  const defaultRouteAction = { timeout: { seconds: "1", nanos: null }, urlRewrite: null };
  const kept = { timeout: { seconds: "1" } };
  await cloud.make(backendService, [maps, { ...body, defaultRouteAction }], [maps, { ...body, name: "u2" }]);
  expect((await cloud.get(`${maps}/u1`)).defaultRouteAction).toEqual(kept);
  await cloud.call("PATCH", `${maps}/u2`, { defaultRouteAction });
  const { fingerprint, ...patched } = await cloud.get(`${maps}/u2`);
  expect(patched.defaultRouteAction).toEqual(kept);
  await cloud.call("PUT", `${maps}/u2`, { ...patched, defaultRouteAction, fingerprint });
  expect((await cloud.get(`${maps}/u2`)).defaultRouteAction).toEqual(kept);
});

it.each([
  ["p1/global/urlMaps/u1", ["compute.urlMaps.get", "compute.urlMaps.use"]],
  ["p1/global/backendServices/b1", ["compute.backendServices.update"]],
])("a resource reports all permissions of the caller: %s", async (resource, permissions) => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap);
  expect(await cloud.call("POST", `${resource}/testIamPermissions`, { permissions })).toEqual({
    status: 200,
    body: { permissions },
  });
});

it("a resource reports no permissions for a missing resource", async () => {
  await using cloud = await startCompute();
  const answer = await cloud.call("POST", "p1/global/urlMaps/u9/testIamPermissions", { permissions: [] });
  expect(answer.status).toBe(404);
});

describe("labels", () => {
  const rulePath = "p1/global/forwardingRules/r1";

  it.each([["p1/global/forwardingRules/r1"], ["p1/global/addresses/a1"], ["p1/regions/europe-west1/addresses/a1"]])(
    "are replaced with their present fingerprint: %s",
    async (resource) => {
      await using cloud = await startCompute();
      await cloud.make(backendService, urlMap, proxy, rule, ["p1/global/addresses", { name: "a1" }]);
      await cloud.make(["p1/regions/europe-west1/addresses", { name: "a1", labels: { old: "1" } }]);
      const before = await cloud.get(resource);
      const labels = { env: "test", team: "web" };
      expect(
        await cloud.call("POST", `${resource}/setLabels`, { labels, labelFingerprint: before.labelFingerprint }),
      ).toMatchObject({ status: 200, body: { operationType: "setLabels" } });
      const after = await cloud.get(resource);
      expect(after).toEqual({ ...before, labels, labelFingerprint: expect.any(String) });
      expect(after.labelFingerprint).not.toBe(before.labelFingerprint);
    },
  );

  it.each([
    ["a stale fingerprint", { labels: {}, labelFingerprint: "AAAAAAAAAAA=" }],
    ["no fingerprint", { labels: {} }],
  ])("fail to be replaced with %s", async (_, body) => {
    await using cloud = await startCompute();
    await cloud.make(backendService, urlMap, proxy, rule);
    expect(refusal(await cloud.call("POST", `${rulePath}/setLabels`, body))).toBe(
      "412 conditionNotMet: Labels fingerprint either invalid or resource labels have changed",
    );
  });

  it("are limited to 64", async () => {
    await using cloud = await startCompute();
    const labels = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, ""]));
    expect(refusal(await cloud.call("POST", "p1/global/addresses", { name: "a1", labels }))).toBe(
      "400 invalid: Invalid value for field 'resource.labels': '65 labels'. At most 64 are allowed.",
    );
  });
});

describe("an unsupported method", () => {
  it.each([
    ["compute.urlMaps.invalidateCache", "POST", "p1/global/urlMaps/u1/invalidateCache"],
    ["compute.backendServices.getHealth", "POST", "p1/global/backendServices/b1/getHealth"],
    ["compute.networks.get", "GET", "p1/global/networks/default"],
  ])("is reported: %s", async (id, method, resource) => {
    await using cloud = await startCompute();
    expect(refusal(await cloud.call(method, resource))).toBe(
      `501 notImplemented: the rehearsal cloud does not emulate ${id}`,
    );
  });
});

describe("a project", () => {
  it("reports its quotas and their usage", async () => {
    await using cloud = await startCompute();
    await cloud.make(backendService, urlMap, proxy);
    const project = await cloud.get("p1");
    expect(project).toMatchObject({
      kind: "compute#project",
      name: "p1",
      id: expect.stringMatching(/^\d{12}$/),
      selfLink: base,
    });
    const quotas = Object.fromEntries(
      (project.quotas as { metric: string; limit: number; usage: number }[]).map(({ metric, limit, usage }) => [
        metric,
        { limit, usage },
      ]),
    );
    expect(quotas).toMatchObject({
      TARGET_HTTPS_PROXIES: { limit: 100, usage: 1 },
      URL_MAPS: { limit: 100, usage: 1 },
      SSL_CERTIFICATES: { limit: 100, usage: 0 },
    });
  });
});

describe("observers", () => {
  it("are notified of every change, and of nothing else", async () => {
    await using cloud = await startCompute();
    const counted = async (request: Promise<unknown>) => {
      const before = cloud.changes.count;
      await request;
      return cloud.changes.count - before;
    };
    await cloud.make(backendService, urlMap);
    expect(await counted(cloud.call("POST", ...proxy))).toBe(1);
    expect(await counted(cloud.call("GET", path))).toBe(0);
    expect(await counted(cloud.call("POST", `${path}/setCertificateMap`, {}))).toBe(0);
    const certificateMap = `${manager}/global/certificateMaps/m2`;
    expect(await counted(cloud.call("POST", `${path}/setCertificateMap`, { certificateMap }))).toBe(1);
    expect(await counted(cloud.call("DELETE", path))).toBe(1);
  });
});
