import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { change, get, insert, linkTo, sharedUrlMap, tryChange, tryInsert } from "./resources";

const resource = providerFile("services/compute/resource_compute_url_map.go");
const tests = providerFile("services/compute/resource_compute_url_map_test.go");
const root = "{root}compute/v1/projects/{project}/global";

/** Returns hosts, the paths of each path matcher, and the number of tests of a URL map. */
export function rulesOf({ hostRules, pathMatchers, tests: given }: Json): Json {
  const matchers = ((pathMatchers ?? []) as readonly Json[]).map(({ name, pathRules }): [string, unknown] => {
    return [String(name), ((pathRules ?? []) as readonly Json[]).map(({ paths }) => paths)];
  });
  return {
    hosts: ((hostRules ?? []) as readonly Json[]).map(({ hosts }) => hosts),
    matchers: Object.fromEntries(matchers),
    tests: ((given ?? []) as readonly unknown[]).length,
  };
}

export const urlMaps = defineGroup<undefined>({
  service: "compute-engine",
  concept: "url-maps",
  prepare: async (side) => {
    await sharedUrlMap(side);
    await insert(side, "urlMaps", "routes", { defaultService: linkTo(side, "backendServices", "backend") });
    return undefined;
  },
  behaviors: [
    {
      word: "links",
      statement: "A URL map is returned with the full link of its backend service and a fingerprint.",
      source: resource,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: {
        kind: "compute#urlMap",
        defaultService: `${root}/backendServices/{prefix}-backend`,
        fingerprint: "{fingerprint}",
      },
      observe: async (side) => {
        const { kind, defaultService, fingerprint } = await get(side, "urlMaps", "routes");
        return { kind, defaultService, fingerprint };
      },
    },
    {
      word: "backend-in-use",
      statement: "A backend service that a URL map uses can't be deleted: 400 resourceInUseByAnotherResource.",
      source: issue("terraform-google-modules/terraform-google-lb-http/159"),
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side) => refusalOf(await tryChange(side, "backendServices", "backend", "delete")),
    },
    {
      word: "missing",
      statement: "A URL map that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => refusalOf(await tryChange(side, "urlMaps", "missing", "get")),
    },
    {
      word: "missing-backend",
      statement: "A URL map to a backend service that does not exist is refused.",
      source: resource,
      reliedOnBy: ["references-not-in-outputs"],
      expected: true,
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "missing");
        return isRefused(await tryInsert(side, "urlMaps", "broken", { defaultService }));
      },
    },
    {
      word: "update-without-fingerprint",
      statement: "The update of a URL map without a fingerprint is refused with 400 required.",
      source: "https://github.com/GoogleCloudPlatform/k8s-multicluster-ingress/pull/70",
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 400, reason: "required" },
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "backend");
        const body = { name: side.name("routes"), defaultService };
        return refusalOf(await tryChange(side, "urlMaps", "routes", "update", body));
      },
    },
    {
      word: "backend-update-without-fingerprint",
      statement: "The update of a backend service without a fingerprint is refused with 400 required.",
      source: issue("ansible-collections/google.cloud/342"),
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 400, reason: "required" },
      observe: async (side) => {
        const body = { name: side.name("backend"), loadBalancingScheme: "EXTERNAL_MANAGED", timeoutSec: 60 };
        return refusalOf(await tryChange(side, "backendServices", "backend", "update", body));
      },
    },
    {
      word: "stale-fingerprint",
      statement: "The update of a backend service with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: ["https://github.com/ansible-collections/google.cloud/pull/327", pages.backendServiceRest],
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const body = {
          name: side.name("backend"),
          loadBalancingScheme: "EXTERNAL_MANAGED",
          fingerprint: "AAAAAAAAAAA=",
        };
        return refusalOf(await tryChange(side, "backendServices", "backend", "update", body));
      },
    },
    {
      word: "fingerprint-changes",
      statement: "An update with the present fingerprint succeeds and changes the fingerprint.",
      source: resource,
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { description: "new", isChanged: true },
      observe: async (side) => {
        const { fingerprint, defaultService, name } = await get(side, "urlMaps", "routes");
        const body = { name, defaultService, description: "new", fingerprint };
        const after = await change(side, "urlMaps", "routes", "update", body);
        return { description: after.description, isChanged: after.fingerprint !== fingerprint };
      },
    },
    {
      word: "unknown-path-matcher",
      statement: "A host rule that leads to an unknown path matcher is refused.",
      source: resource,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: true,
      observe: async (side) => {
        const { fingerprint, defaultService, name } = await get(side, "urlMaps", "routes");
        const hostRules = [{ hosts: [side.host()], pathMatcher: "unknown" }];
        const body = { name, defaultService, hostRules, fingerprint };
        return isRefused(await tryChange(side, "urlMaps", "routes", "update", body));
      },
    },
    {
      word: "host-rules",
      statement: "A URL map keeps host rules, path rules and tests; an update replaces all of them at once.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: [
        { hosts: [["one.example.com", "two.example.com"]], matchers: { "first-1": [["/*"]] }, tests: 1 },
        {
          hosts: [["one.example.com", "two.example.com"], ["three.example.com"]],
          matchers: { "first-2": [["/*", "/home"]], "second-2": [["/home"], ["/login"]] },
          tests: 0,
        },
      ],
      observe: async (side) => {
        const service = linkTo(side, "backendServices", "backend");
        const matcher = (name: string, ...paths: readonly (readonly string[])[]) => {
          return { name, defaultService: service, pathRules: paths.map((each) => ({ paths: each, service })) };
        };
        const hosts = ["one.example.com", "two.example.com"];
        await insert(side, "urlMaps", "rules", {
          defaultService: service,
          hostRules: [{ hosts, pathMatcher: "first-1" }],
          pathMatchers: [matcher("first-1", ["/*"])],
          tests: [{ host: "one.example.com", path: "/test", service }],
        });
        const before = await get(side, "urlMaps", "rules");
        const after = await change(side, "urlMaps", "rules", "update", {
          name: side.name("rules"),
          defaultService: service,
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
      word: "matcher-without-rules",
      statement: "A path matcher may have a default service and no path rules.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: { hosts: [["one.example.com"]], matchers: { all: [] }, tests: 0 },
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "backend");
        await insert(side, "urlMaps", "plain", {
          defaultService,
          hostRules: [{ hosts: ["one.example.com"], pathMatcher: "all" }],
          pathMatchers: [{ name: "all", defaultService }],
        });
        return rulesOf(await get(side, "urlMaps", "plain"));
      },
    },
    {
      word: "redirect",
      statement: "A URL map may redirect everything, without a backend service.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: {
        defaultService: undefined,
        defaultUrlRedirect: {
          httpsRedirect: true,
          redirectResponseCode: "MOVED_PERMANENTLY_DEFAULT",
          stripQuery: false,
        },
      },
      observe: async (side) => {
        const redirect = { httpsRedirect: true, redirectResponseCode: "MOVED_PERMANENTLY_DEFAULT", stripQuery: false };
        await insert(side, "urlMaps", "redirect", { defaultUrlRedirect: redirect });
        const { defaultService, defaultUrlRedirect } = await get(side, "urlMaps", "redirect");
        const { httpsRedirect, redirectResponseCode, stripQuery = false } = defaultUrlRedirect as Json;
        return { defaultService, defaultUrlRedirect: { httpsRedirect, redirectResponseCode, stripQuery } };
      },
    },
    {
      word: "rewrite",
      statement: "An update replaces the rewriting of URLs in the default actions of a URL map and a path matcher.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: ["dev", "stage"].map((word) => {
        const rewrite = { hostRewrite: `${word}.example.com`, pathPrefixRewrite: `/${word}/api/` };
        return { map: rewrite, matcher: rewrite };
      }),
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "backend");
        const bodyOf = (word: string) => {
          const rewrite = { hostRewrite: `${word}.example.com`, pathPrefixRewrite: `/${word}/api/` };
          const defaultRouteAction = { urlRewrite: rewrite };
          return {
            defaultService,
            defaultRouteAction,
            hostRules: [{ hosts: ["one.example.com"], pathMatcher: "all" }],
            pathMatchers: [{ name: "all", defaultService, defaultRouteAction }],
          };
        };
        const rewriteOf = ({ defaultRouteAction }: Json) => (defaultRouteAction as Json | undefined)?.urlRewrite;
        const rewritesOf = (found: Json) => {
          const [matcher = {}] = (found.pathMatchers ?? []) as readonly Json[];
          return { map: rewriteOf(found), matcher: rewriteOf(matcher) };
        };
        await insert(side, "urlMaps", "rewrite", bodyOf("dev"));
        const before = await get(side, "urlMaps", "rewrite");
        const body = { name: side.name("rewrite"), ...bodyOf("stage"), fingerprint: before.fingerprint };
        return [rewritesOf(before), rewritesOf(await change(side, "urlMaps", "rewrite", "update", body))];
      },
    },
  ],
});
