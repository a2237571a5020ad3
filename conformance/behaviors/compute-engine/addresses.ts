import { isIPv6 } from "node:net";
import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { providerFile } from "../../sources";
import { at, type ComputeCollection, get, insert } from "./resources";

const service = "services/compute";
const tests = providerFile(`${service}/resource_compute_address_test.go`);
const globalTests = providerFile(`${service}/resource_compute_global_address_test.go`);
const dataSource = providerFile(`${service}/data_source_google_compute_address_test.go`);
const globalDataSource = providerFile(`${service}/data_source_google_compute_global_address_test.go`);
const lists = providerFile(`${service}/data_source_google_compute_addresses_test.go`);
const reader = "lib/google/load-balancers.ts";

/** Replaces the labels of an address. @returns the labels afterwards */
async function setLabels(side: Side, collection: ComputeCollection, word: string, labels: Json): Promise<unknown> {
  const { labelFingerprint } = await get(side, collection, word);
  const { address, ...place } = at(side, collection, word);
  const parameters = { ...place, resource: String(address) };
  await side.run(`compute.${collection}.setLabels`, parameters, { labels, labelFingerprint });
  return (await get(side, collection, word)).labels ?? {};
}

/** Returns the names of the addresses of this group in a list. */
async function namesIn(side: Side, items: unknown): Promise<readonly string[]> {
  const names = ((items ?? []) as readonly Json[]).map(({ name }) => String(name));
  return names.filter((name) => name.startsWith(side.name("ip-"))).sort();
}

/** Reserved addresses without a rule; each costs a few cents in a run. */
export const addresses = defineGroup<undefined>({
  service: "compute-engine",
  concept: "addresses",
  prepare: async (side) => {
    await insert(side, "addresses", "ip-standard", { networkTier: "STANDARD" });
    await insert(side, "addresses", "ip-plain", {});
    await insert(side, "globalAddresses", "ip-global", {});
    return undefined;
  },
  behaviors: [
    {
      word: "regional",
      statement: "A reserved regional address is `RESERVED`, external and of the premium tier, without labels.",
      source: [dataSource, tests],
      reliedOnBy: [reader, "address-not-reserved"],
      expected: {
        name: "{prefix}-ip-plain",
        status: "RESERVED",
        addressType: "EXTERNAL",
        networkTier: "PREMIUM",
        labels: undefined,
        hasId: true,
      },
      observe: async (side) => {
        const { name, status, addressType, networkTier, labels, id } = await get(side, "addresses", "ip-plain");
        return { name, status, addressType, networkTier, labels, hasId: /^\d+$/.test(String(id)) };
      },
    },
    {
      word: "standard-tier",
      statement: "A regional address keeps the standard tier.",
      source: tests,
      reliedOnBy: [reader],
      expected: "STANDARD",
      observe: async (side) => (await get(side, "addresses", "ip-standard")).networkTier,
    },
    {
      word: "labels",
      statement: "`setLabels` sets, replaces and removes the labels of a regional address in place.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/compute-frontends.ts"],
      expected: [{ env: "foo", default_expiration_ms: "3600000" }, { env: "bar" }, {}],
      observe: async (side) => [
        await setLabels(side, "addresses", "ip-standard", { env: "foo", default_expiration_ms: "3600000" }),
        await setLabels(side, "addresses", "ip-standard", { env: "bar" }),
        await setLabels(side, "addresses", "ip-standard", {}),
      ],
    },
    {
      word: "global",
      statement: "A reserved global address is `RESERVED` and has no region.",
      source: globalDataSource,
      reliedOnBy: [reader],
      expected: {
        status: "RESERVED",
        region: undefined,
        selfLink: "{root}compute/v1/projects/{project}/global/addresses/{prefix}-ip-global",
      },
      observe: async (side) => {
        const { status, region, selfLink } = await get(side, "globalAddresses", "ip-global");
        return { status, region, selfLink };
      },
    },
    {
      word: "global-labels",
      statement: "`setLabels` replaces the labels of a global address in place.",
      source: globalTests,
      reliedOnBy: ["lib/terraform-provider/resources/compute-frontends.ts"],
      expected: [{ foo: "bar" }, { foo: "baz" }],
      observe: async (side) => [
        await setLabels(side, "globalAddresses", "ip-global", { foo: "bar" }),
        await setLabels(side, "globalAddresses", "ip-global", { foo: "baz" }),
      ],
    },
    {
      word: "global-ipv6",
      statement: "A global address with the IP version IPV6 gets an IPv6 address, and keeps its description.",
      source: globalTests,
      reliedOnBy: ["lib/cloud/compute/addresses.ts"],
      expected: { ipVersion: "IPV6", isIpv6: true, description: "with IPv6" },
      observe: async (side) => {
        await insert(side, "globalAddresses", "ip-6", { ipVersion: "IPV6", description: "with IPv6" });
        const { ipVersion, address, description } = await get(side, "globalAddresses", "ip-6");
        return { ipVersion, isIpv6: isIPv6(String(address)), description };
      },
    },
    {
      word: "list-by-name",
      statement: "The list of a region with a filter by a beginning of names has the addresses with such names.",
      source: lists,
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: ["{prefix}-ip-plain", "{prefix}-ip-standard"],
      observe: async (side) => {
        const query = { project: side.project, region: "us-central1", filter: `name:${side.name("ip-")}*` };
        return namesIn(side, (await side.make("compute.addresses.list", query)).items);
      },
    },
    {
      word: "aggregated-by-name",
      statement: "The aggregated list with such a filter has the addresses of all regions, by region.",
      source: lists,
      reliedOnBy: [reader],
      expected: ["{prefix}-ip-plain", "{prefix}-ip-standard"],
      observe: async (side) => {
        const query = { project: side.project, filter: `name:${side.name("ip-")}*` };
        const { items } = await side.make("compute.addresses.aggregatedList", query);
        return namesIn(side, ((items ?? {}) as Readonly<Record<string, Json>>)["regions/us-central1"]?.addresses);
      },
    },
    {
      word: "global-list",
      statement: "The list of global addresses has no regional address.",
      source: providerFile(`${service}/list_compute_global_address_generated_test.go`),
      reliedOnBy: [reader],
      expected: ["{prefix}-ip-6", "{prefix}-ip-global"],
      observe: async (side) =>
        namesIn(side, (await side.make("compute.globalAddresses.list", { project: side.project })).items),
    },
  ],
});
