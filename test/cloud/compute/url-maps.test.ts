import { base, loadBalancer, refusal, startCompute } from "./start-compute";

const { backendService, urlMap } = loadBalancer;
const path = "p1/global/urlMaps/u1";

/** A URL map of maximum size, with a service in every place that allows one. */
const routing = {
  defaultService: "global/backendServices/b1",
  hostRules: [{ hosts: ["shop.example.com", "*.example.net"], pathMatcher: "shop" }],
  pathMatchers: [
    {
      name: "shop",
      defaultRouteAction: { weightedBackendServices: [{ backendService: "global/backendServices/b1", weight: 100 }] },
      pathRules: [{ paths: ["/images/*"], service: "global/backendBuckets/images" }],
      routeRules: [
        {
          priority: 1,
          routeAction: { requestMirrorPolicy: { backendService: "projects/p1/global/backendServices/b1" } },
        },
      ],
    },
  ],
  tests: [{ host: "shop.example.com", path: "/", service: "global/backendServices/b1" }],
};

it("a URL map is returned with full links to its services in every position", async () => {
  await using cloud = await startCompute();
  const service = `${base}/global/backendServices/b1`;
  await cloud.make(backendService, ["p1/global/urlMaps", { name: "u1", ...routing }]);
  expect(await cloud.get(path)).toEqual({
    kind: "compute#urlMap",
    id: expect.any(String),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "u1",
    selfLink: `${base}/global/urlMaps/u1`,
    defaultService: service,
    hostRules: routing.hostRules,
    pathMatchers: [
      {
        name: "shop",
        defaultRouteAction: { weightedBackendServices: [{ backendService: service, weight: 100 }] },
        pathRules: [{ paths: ["/images/*"], service: `${base}/global/backendBuckets/images` }],
        routeRules: [{ priority: 1, routeAction: { requestMirrorPolicy: { backendService: service } } }],
      },
    ],
    tests: [{ host: "shop.example.com", path: "/", service }],
    fingerprint: expect.any(String),
  });
});

const [matcher] = routing.pathMatchers;
it.each([
  [
    "no default service",
    { defaultService: undefined },
    "400 required: Required field 'resource.defaultService' not specified",
  ],
  [
    "a missing service",
    { tests: [{ host: "h", path: "/", service: "global/backendServices/b9" }] },
    "404 notFound: The resource 'projects/p1/global/backendServices/b9' was not found",
  ],
  [
    "a service that is a name",
    { defaultService: "b1" },
    "400 invalid: Invalid value for field 'resource.defaultService': 'b1'. The URL is malformed.",
  ],
  [
    "another resource instead of a service",
    { defaultService: "global/urlMaps/u2" },
    "400 invalid: Invalid value for field 'resource.defaultService': 'global/urlMaps/u2'. This is not a backend service.",
  ],
  [
    "a service without HTTP",
    { pathMatchers: [{ name: "shop", defaultService: "global/backendServices/tcp" }] },
    "400 invalid: Invalid value for field 'resource.pathMatchers[0].defaultService': 'global/backendServices/tcp'. Its protocol is TCP; it has to be one of HTTP, HTTPS, HTTP2, H2C, GRPC.",
  ],
  [
    "a service of a region",
    { defaultService: "regions/europe-west1/backendServices/b1" },
    "400 invalid: Invalid value for field 'resource.defaultService': 'regions/europe-west1/backendServices/b1'. The URL map and its backend services have to be in the same region, or all global.",
  ],
  [
    "a host rule without a path matcher",
    { pathMatchers: [] },
    "400 invalid: Invalid value for field 'resource.hostRules[0].pathMatcher': 'shop'. Unknown path matcher.",
  ],
  [
    "an unused path matcher",
    { hostRules: [] },
    "400 invalid: Invalid value for field 'resource.pathMatchers[0].name': 'shop'. No host rule leads to this path matcher.",
  ],
  [
    "two path matchers with one name",
    { pathMatchers: [matcher, matcher] },
    "400 invalid: Invalid value for field 'resource.pathMatchers[1].name': 'shop'. Another path matcher has the same name.",
  ],
  [
    "a host in two rules",
    { hostRules: [...routing.hostRules, ...routing.hostRules] },
    "400 invalid: Invalid value for field 'resource.hostRules': 'shop.example.com'. This host is in more than one host rule.",
  ],
])("a URL map fails with %s", async (_, change, expected) => {
  await using cloud = await startCompute();
  await cloud.make(
    backendService,
    ["p1/global/backendServices", { name: "tcp", protocol: "TCP" }],
    ["p1/regions/europe-west1/backendServices", { name: "b1" }],
  );
  expect(refusal(await cloud.call("POST", "p1/global/urlMaps", { name: "u1", ...routing, ...change }))).toBe(expected);
});

it("a URL map accepts as many hosts as fit into a request, and finds a duplicate host", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService);
  const hosts = Array.from({ length: 200_000 }, (_, number) => `h${number}.example`);
  const refused = await cloud.call("POST", "p1/global/urlMaps", {
    name: "u1",
    defaultService: "global/backendServices/b1",
    hostRules: [{ hosts: [...hosts, "h7.example"], pathMatcher: "m" }],
    pathMatchers: [{ name: "m", defaultService: "global/backendServices/b1" }],
  });
  expect(refusal(refused)).toBe(
    "400 invalid: Invalid value for field 'resource.hostRules': 'h7.example'. This host is in more than one host rule.",
  );
});

it("a URL map is replaced by an update with its fingerprint", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, ["p1/global/urlMaps", { name: "u1", description: "old", ...routing }]);
  const before = await cloud.get(path);
  const body = { name: "u1", defaultService: before.defaultService, fingerprint: before.fingerprint };
  expect(await cloud.call("PUT", path, body)).toMatchObject({ status: 200, body: { operationType: "update" } });
  const after = await cloud.get(path);
  const { kind, id, creationTimestamp, selfLink } = before;
  expect(after).toEqual({ ...body, kind, id, creationTimestamp, selfLink, fingerprint: expect.any(String) });
  expect(after.fingerprint).not.toBe(before.fingerprint);
});

it.each([
  [
    "an update with a stale fingerprint",
    "PUT",
    { defaultService: "global/backendServices/b1", fingerprint: "AAAAAAAAAAA=" },
  ],
  ["a patch with a stale fingerprint", "PATCH", { description: "new", fingerprint: "AAAAAAAAAAA=" }],
])("a URL map fails %s", async (_, method, body) => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap);
  expect(refusal(await cloud.call(method, path, body))).toBe("412 conditionNotMet: Invalid fingerprint.");
});

it("a URL map fails an update without a fingerprint", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap);
  const answer = await cloud.call("PUT", path, { defaultService: "global/backendServices/b1" });
  expect(refusal(answer)).toBe("400 required: Required field 'resource.fingerprint' not specified");
});

it("a URL map is merged with a patch", async () => {
  await using cloud = await startCompute();
  await cloud.make(backendService, ["p1/global/urlMaps", { name: "u1", description: "old", ...routing }]);
  const before = await cloud.get(path);
  await cloud.call("PATCH", path, { description: "new", fingerprint: before.fingerprint });
  expect(await cloud.get(path)).toEqual({ ...before, description: "new", fingerprint: expect.any(String) });
});
