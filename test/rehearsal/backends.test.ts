import { type Backends, backendsOf, makeBackends } from "../../lib/rehearsal/backends";
import type { StackJson } from "../../lib/rehearsal/stack";

const stackOf = (resource: object): StackJson => ({ provider: { google: [{ project: "p1" }] }, resource });

const regionalProxy = {
  google_compute_region_target_https_proxy: { proxy: { region: "europe-west1", url_map: "web" } },
};
const internalRule = { google_compute_forwarding_rule: { rule: { load_balancing_scheme: "INTERNAL_MANAGED" } } };

test.each<[string, object, Backends]>([
  ["nothing", {}, { urlMaps: [], services: [], policies: [] }],
  [
    "a URL map of two proxies, once",
    { google_compute_target_https_proxy: { one: { url_map: "web" }, two: { url_map: "web" } } },
    { urlMaps: [{ project: "p1", name: "web" }], services: [], policies: [] },
  ],
  [
    "no URL map that the stack makes itself",
    { google_compute_target_https_proxy: { one: { url_map: "${google_compute_url_map.web.id}" } } },
    { urlMaps: [], services: [], policies: [] },
  ],
  [
    "a regional URL map of an internal load balancer",
    { ...regionalProxy, ...internalRule },
    { urlMaps: [{ project: "p1", name: "web", region: "europe-west1", internal: true }], services: [], policies: [] },
  ],
  [
    "a URL map by its name alone, in the project of the proxy",
    { google_compute_target_https_proxy: { one: { project: "p3", url_map: "web" } } },
    { urlMaps: [{ project: "p3", name: "web" }], services: [], policies: [] },
  ],
  [
    "the backend service of a network load balancer",
    { google_compute_target_ssl_proxy: { proxy: { backend_service: "projects/p2/global/backendServices/mail" } } },
    { urlMaps: [], services: [{ project: "p2", name: "mail" }], policies: [] },
  ],
  [
    "an SSL policy of two proxies, once, and none that the stack makes itself",
    {
      google_compute_target_https_proxy: {
        one: { ssl_policy: "strict" },
        two: { ssl_policy: "projects/p1/global/sslPolicies/strict" },
        three: { ssl_policy: "${google_compute_ssl_policy.own.id}" },
      },
      google_compute_region_target_https_proxy: { regional: { region: "europe-west1", ssl_policy: "strict" } },
    },
    {
      urlMaps: [],
      services: [],
      policies: [
        { project: "p1", name: "strict" },
        { project: "p1", name: "strict", region: "europe-west1" },
      ],
    },
  ],
])("finds the URL maps of a stack that refers to %s", (_, resource, expected) => {
  expect(backendsOf(stackOf(resource))).toEqual(expected);
});

test("creates the missing backends, a service before its URL map", async () => {
  const posts: (readonly [string, object])[] = [];
  const { urlMaps } = backendsOf(stackOf({ ...regionalProxy, ...internalRule }));
  const services = [{ project: "p2", name: "mail" }];
  const policies = [{ project: "p1", name: "strict" }];
  await makeBackends({ urlMaps, services, policies }, async (path, body) => void posts.push([path, body]));
  const region = "projects/p1/regions/europe-west1";
  expect(posts).toEqual([
    [
      `compute/v1/${region}/backendServices`,
      { name: "web-backend", loadBalancingScheme: "INTERNAL_MANAGED", protocol: "HTTP" },
    ],
    [`compute/v1/${region}/urlMaps`, { name: "web", defaultService: `${region}/backendServices/web-backend` }],
    [
      "compute/v1/projects/p2/global/backendServices",
      { name: "mail", loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "TCP" },
    ],
    ["compute/v1/projects/p1/global/sslPolicies", { name: "strict" }],
  ]);
});
