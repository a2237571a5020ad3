import { defineGroup } from "../../behavior";
import type { Json } from "../../side";
import { providerFile } from "../../sources";
import { change, get, insert, linkTo, regional } from "./resources";
import { rulesOf } from "./url-maps";

const service = "services/compute";
const tests = providerFile(`${service}/resource_compute_region_url_map_test.go`);
const lists = providerFile(`${service}/list_compute_region_url_map_generated_test.go`);
const backendTests = providerFile(`${service}/resource_compute_region_backend_service_test.go`);
const backendSource = providerFile(`${service}/data_source_google_compute_region_backend_service_test.go`);
const cloud = "lib/cloud/compute/url-maps.ts";

/** What regional proxies lead to. */
export const regionalBackends = defineGroup<undefined>({
  service: "compute-engine",
  concept: "regional-backends",
  prepare: async (side) => {
    await insert(side, "regionBackendServices", "region-back", { loadBalancingScheme: "EXTERNAL_MANAGED" });
    return undefined;
  },
  behaviors: [
    {
      word: "backend-service",
      statement: "A regional backend service has the link of its region and the defaults of its settings.",
      source: backendSource,
      reliedOnBy: ["regional-external", "lib/cloud/compute/backends.ts"],
      expected: {
        region: "{root}compute/v1/projects/{project}/regions/us-central1",
        selfLink: "{root}compute/v1/projects/{project}/regions/us-central1/backendServices/{prefix}-region-back",
        protocol: "HTTP",
        timeoutSec: 30,
        sessionAffinity: "NONE",
      },
      observe: async (side) => {
        const found = await get(side, "regionBackendServices", "region-back");
        const { region, selfLink, protocol, timeoutSec, sessionAffinity } = found;
        return { region, selfLink, protocol, timeoutSec, sessionAffinity };
      },
    },
    {
      word: "logging",
      statement: "An update switches the logging of a regional backend service on and off.",
      source: backendTests,
      reliedOnBy: ["lib/cloud/compute/backends.ts"],
      expected: [true, false],
      observe: async (side) => {
        const seen: unknown[] = [];
        for (const logConfig of [{ enable: true, sampleRate: 0.7 }, { enable: false }]) {
          const body = { ...(await get(side, "regionBackendServices", "region-back")), logConfig };
          const found = await change(side, "regionBackendServices", "region-back", "update", body);
          seen.push(((found.logConfig ?? {}) as Json).enable ?? false);
        }
        return seen;
      },
    },
    {
      word: "host-rules",
      statement: "An update replaces host rules, path matchers and tests of a regional URL map at once.",
      source: tests,
      reliedOnBy: ["regional-external", cloud],
      expected: [
        { hosts: [["one.example.com", "two.example.com"]], matchers: { "first-1": [] }, tests: 1 },
        {
          hosts: [["one.example.com", "two.example.com"], ["three.example.com"]],
          matchers: { "first-2": [["/*", "/home"]], "second-2": [["/home"], ["/login"]] },
          tests: 0,
        },
      ],
      observe: async (side) => {
        const backend = linkTo(side, "regionBackendServices", "region-back");
        const matcher = (name: string, ...paths: readonly (readonly string[])[]) => {
          return { name, defaultService: backend, pathRules: paths.map((each) => ({ paths: each, service: backend })) };
        };
        const hosts = ["one.example.com", "two.example.com"];
        await insert(side, "regionUrlMaps", "region-rules", {
          defaultService: backend,
          hostRules: [{ hosts, pathMatcher: "first-1" }],
          pathMatchers: [matcher("first-1")],
          tests: [{ host: "one.example.com", path: "/test", service: backend }],
        });
        const before = await get(side, "regionUrlMaps", "region-rules");
        const after = await change(side, "regionUrlMaps", "region-rules", "update", {
          name: side.name("region-rules"),
          defaultService: backend,
          hostRules: [
            { hosts, pathMatcher: "first-2" },
            { hosts: ["three.example.com"], pathMatcher: "second-2" },
          ],
          pathMatchers: [matcher("first-2", ["/*", "/home"]), matcher("second-2", ["/home"], ["/login"])],
          fingerprint: before.fingerprint,
        });
        return [before, after].map(rulesOf);
      },
    },
    {
      word: "redirects",
      statement: "A regional URL map and its path matcher may redirect everything, without a backend service.",
      source: tests,
      reliedOnBy: [cloud],
      expected: { map: true, matcher: true },
      observe: async (side) => {
        const defaultUrlRedirect = { httpsRedirect: true, stripQuery: false };
        await insert(side, "regionUrlMaps", "region-redirect", {
          defaultUrlRedirect,
          hostRules: [{ hosts: ["one.example.com"], pathMatcher: "all" }],
          pathMatchers: [{ name: "all", defaultUrlRedirect }],
        });
        const found = await get(side, "regionUrlMaps", "region-redirect");
        const [matcher = {}] = (found.pathMatchers ?? []) as readonly Json[];
        const isRedirect = (part: Json) => (part.defaultUrlRedirect as Json | undefined)?.httpsRedirect === true;
        return { map: isRedirect(found), matcher: isRedirect(matcher) };
      },
    },
    {
      word: "list",
      statement: "The list of a region has the URL maps of this region.",
      source: lists,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: ["{prefix}-region-redirect", "{prefix}-region-rules"],
      observe: async (side) => {
        const { items } = await side.make("compute.regionUrlMaps.list", regional(side));
        const names = ((items ?? []) as readonly Json[]).map(({ name }) => String(name));
        return names.filter((name) => name.startsWith(side.name("region-"))).sort();
      },
    },
  ],
});
