import { defineGroup } from "../../behavior";
import { isRefused, type Json, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { insert, project, regional } from "./resources";

const words = ["list-a", "list-b", "list-c"];
const policy = { profile: "MODERN", minTlsVersion: "TLS_1_2" };

type Query = Readonly<Record<string, string | number>>;

const ofRun = (side: Side): Query => ({ filter: `name eq ${side.name("list-.*")}` });

function list(side: Side, query: Query): Promise<Json> {
  return side.make("compute.sslPolicies.list", { ...project(side), ...query });
}

function namesOf({ items }: Json): readonly unknown[] {
  return ((items ?? []) as readonly Json[]).map(({ name }) => name);
}

/** Returns the names of all pages with one item each. */
async function namesOfPages(side: Side): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  let pageToken = "";
  do {
    const page = await list(side, { ...ofRun(side), maxResults: 1, ...(pageToken === "" ? {} : { pageToken }) });
    names.push(...namesOf(page));
    pageToken = String(page.nextPageToken ?? "");
  } while (pageToken !== "");
  return names;
}

export const lists = defineGroup<undefined>({
  service: "compute-engine",
  concept: "lists",
  prepare: async (side) => {
    // The order of creation differs from the order of the names.
    for (const word of ["list-b", "list-c", "list-a"]) {
      await insert(side, "sslPolicies", word, policy);
      await side.wait(1_000);
    }
    const body = { name: side.name("list-d"), ...policy };
    await side.run("compute.regionSslPolicies.insert", regional(side), body);
    return undefined;
  },
  behaviors: [
    {
      word: "answer",
      statement: "A list has a kind of its own, and its full link.",
      source: pages.computeLists,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: {
        kind: "compute#sslPoliciesList",
        selfLink: "{root}compute/v1/projects/{project}/global/sslPolicies",
      },
      observe: async (side) => {
        const { kind, selfLink } = await list(side, ofRun(side));
        return { kind, selfLink };
      },
    },
    {
      word: "order",
      statement: "A list is in the order of the names.",
      source: pages.computeLists,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: words.map((word) => `{prefix}-${word}`),
      observe: async (side) => namesOf(await list(side, ofRun(side))),
    },
    {
      word: "newest-first",
      statement: "`creationTimestamp desc` lists the newest resource first.",
      source: pages.computeLists,
      reliedOnBy: ["lib/cloud/front/listing.ts"],
      expected: ["{prefix}-list-a", "{prefix}-list-c", "{prefix}-list-b"],
      observe: async (side) => namesOf(await list(side, { ...ofRun(side), orderBy: "creationTimestamp desc" })),
    },
    {
      word: "by-name",
      statement: "A filter with `=` finds the resource with exactly this name.",
      source: pages.computeLists,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: ["{prefix}-list-a"],
      observe: async (side) => namesOf(await list(side, { filter: `name = "${side.name("list-a")}"` })),
    },
    {
      word: "by-expression",
      statement: "A filter with `eq` is a regular expression that has to match the whole value.",
      source: pages.computeLists,
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: { whole: 3, part: 0 },
      observe: async (side) => {
        const part = namesOf(await list(side, { filter: `name eq ${side.name("list")}` })).length;
        return { whole: namesOf(await list(side, ofRun(side))).length, part };
      },
    },
    {
      word: "invalid-filter",
      statement: "A filter that can't be parsed is refused.",
      source: pages.computeLists,
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: true,
      observe: async (side) =>
        isRefused(await side.call("compute.sslPolicies.list", { ...project(side), filter: "name = (" })),
    },
    {
      word: "nothing-found",
      statement: "A list that finds nothing has no items.",
      source: providerFile("services/compute/data_source_google_compute_addresses.go"),
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: false,
      observe: async (side) => "items" in (await list(side, { filter: `name = "${side.name("nothing")}"` })),
    },
    {
      word: "all-pages",
      statement: "The tokens of pages lead through all resources, each once and in the order of the names.",
      source: pages.computeLists,
      reliedOnBy: ["lib/google/pages.ts"],
      expected: words.map((word) => `{prefix}-${word}`),
      observe: namesOfPages,
    },
    {
      word: "too-large-page",
      statement: "A page with more than 500 resources is refused.",
      source: pages.computeLists,
      reliedOnBy: ["max-results-out-of-range"],
      expected: true,
      observe: async (side) =>
        isRefused(await side.call("compute.sslPolicies.list", { ...project(side), maxResults: 501 })),
    },
    {
      word: "unknown-token",
      statement: "A page token that the service did not give is refused.",
      source: pages.computeLists,
      reliedOnBy: ["page-token-refused"],
      expected: true,
      observe: async (side) =>
        isRefused(await side.call("compute.sslPolicies.list", { ...project(side), pageToken: "unknown" })),
    },
    {
      word: "selected-fields",
      statement: "`fields` selects what the answer contains.",
      source: "https://cloud.google.com/deployment-manager/docs/reference/latest/performance",
      reliedOnBy: ["lib/cloud/front/field-mask.ts"],
      expected: { items: words.map((word) => ({ name: `{prefix}-${word}` })) },
      observe: (side) => list(side, { ...ofRun(side), fields: "items(name)" }),
    },
    {
      word: "aggregated",
      statement: "An aggregated list has the global and the regional resources, each under its scope.",
      source: pages.computeLists,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: { global: words.map((word) => `{prefix}-${word}`), regional: ["{prefix}-list-d"] },
      observe: async (side) => {
        const answer = await side.make("compute.sslPolicies.aggregatedList", { ...project(side), ...ofRun(side) });
        const scopes = answer.items as Readonly<Record<string, { readonly sslPolicies?: readonly Json[] }>>;
        const namesIn = (scope: string) => (scopes[scope]?.sslPolicies ?? []).map(({ name }) => name);
        return { global: namesIn("global"), regional: namesIn("regions/us-central1") };
      },
    },
    {
      word: "empty-scope",
      statement: "A scope without results has a warning `NO_RESULTS_ON_PAGE` instead of resources.",
      source: pages.computeLists,
      reliedOnBy: ["lib/cloud/compute/answers.ts"],
      expected: "NO_RESULTS_ON_PAGE",
      observe: async (side) => {
        const filter = `name = "${side.name("list-d")}"`;
        const answer = await side.make("compute.sslPolicies.aggregatedList", { ...project(side), filter });
        const scopes = answer.items as Readonly<Record<string, { readonly warning?: { readonly code?: string } }>>;
        return scopes.global?.warning?.code;
      },
    },
  ],
});
