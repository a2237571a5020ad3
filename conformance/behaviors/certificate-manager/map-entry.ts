import { defineGroup } from "../../behavior";
import { isRefused, refusalOf, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { makeUpload } from "../../uploads";
import { create, createEntry, get, nameOf, patch, tryCreateEntry, tryPatch, tryRemove } from "./resources";

const service = "services/certificatemanager";
const entry = providerFile(`${service}/resource_certificate_manager_certificate_map_entry.go`);
const entryTests = providerFile(`${service}/resource_certificate_manager_certificate_map_entry_generated_test.go`);

interface Fixture {
  readonly map: string;
  readonly entry: string;
  readonly certificates: readonly string[];
  readonly host: string;
}

/** Uploads a certificate for a host of the run. */
async function upload(side: Side, word: string, host: string): Promise<string> {
  return create(side, "certificates", word, { selfManaged: await makeUpload(side, [host]) });
}

/** Certificates with which an entry exceeds the documented maximum of four. */
const words = ["entry-1", "entry-2", "entry-3", "entry-4", "entry-5"];

export const certificateMapEntry = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "map-entry",
  prepare: async (side) => {
    const host = side.host("entry");
    const map = await create(side, "certificateMaps", "entries", {});
    const certificates: string[] = [];
    for (const word of words) certificates.push(await upload(side, word, host));
    const [first = ""] = certificates;
    const entry = await createEntry(side, map, "entry", { hostname: host, certificates: [first] });
    return { map, entry, certificates, host };
  },
  behaviors: [
    {
      word: "resource",
      statement: "An entry is returned with its hostname and the full names of its certificates.",
      source: [pages.managerProto, entryTests],
      reliedOnBy: ["lib/google/certificate-manager.ts"],
      expected: {
        hostname: "entry.{prefix}.{domain}",
        certificates: ["projects/{project}/locations/global/certificates/{prefix}-entry-1"],
      },
      observe: async (side, { entry }) => {
        const { hostname, certificates } = await get(side, entry);
        return { hostname, certificates };
      },
    },
    {
      word: "states",
      statement: "A new entry is PENDING while its change reaches the front ends, then ACTIVE.",
      source: pages.managerProto,
      reliedOnBy: ["entry-pending"],
      expected: { isReached: true, states: ["ACTIVE", "PENDING"] },
      observe: async (side, { map, certificates: [first = ""] }) => {
        const seen = new Set<unknown>(["ACTIVE"]);
        const hostname = side.host("entry-state");
        const name = await createEntry(side, map, "state", { hostname, certificates: [first] });
        const read = async () => {
          const { state } = await get(side, name);
          seen.add(state);
          return state;
        };
        const { isReached } = await side.eventually(read, (state) => state === "ACTIVE", { withinMs: 30 * 60_000 });
        return { isReached, states: [...seen].sort() };
      },
    },
    {
      word: "several-certificates",
      statement: "An entry accepts up to four certificates, in the given order.",
      source: pages.mapEntries,
      reliedOnBy: ["entry-too-many-certificates"],
      expected: [1, 2, 3, 4].map(
        (number) => `projects/{project}/locations/global/certificates/{prefix}-entry-${number}`,
      ),
      observe: async (side, { entry, certificates }) => {
        await patch(side, entry, "certificates", { certificates: certificates.slice(0, 4) });
        return (await get(side, entry)).certificates;
      },
    },
    {
      word: "five-certificates",
      statement: "An entry with five certificates is refused with 400 INVALID_ARGUMENT.",
      source: pages.mapEntries,
      reliedOnBy: ["entry-too-many-certificates"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { entry, certificates }) =>
        refusalOf(await tryPatch(side, entry, "certificates", { certificates })),
    },
    {
      word: "repointed",
      statement: "A patch with the mask `certificates` replaces the certificates of an entry in place.",
      source: [pages.mapEntries, entry],
      reliedOnBy: ["certificate-renamed", "uploaded-certificate-replaced"],
      expected: ["projects/{project}/locations/global/certificates/{prefix}-entry-2"],
      observe: async (side, { entry, certificates }) => {
        await patch(side, entry, "certificates", { certificates: certificates.slice(1, 2) });
        return (await get(side, entry)).certificates;
      },
    },
    {
      word: "hostname-immutable",
      statement: "A patch of the hostname is refused with 400 INVALID_ARGUMENT.",
      source: [entry, "https://github.com/GoogleCloudPlatform/magic-modules/pull/7448"],
      reliedOnBy: ["names-in-other-scripts", "lib/plan/entries.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { entry }) =>
        refusalOf(await tryPatch(side, entry, "hostname", { hostname: side.host("elsewhere") })),
    },
    {
      word: "duplicate-hostname",
      statement: "A second entry for a hostname of the map is refused.",
      source: pages.mapEntries,
      reliedOnBy: ["entry-in-two-constructs", "entry-exists"],
      expected: true,
      observe: async (side, { map, host, certificates: [first = ""] }) =>
        isRefused(await tryCreateEntry(side, map, "entry-again", { hostname: host, certificates: [first] })),
    },
    {
      word: "primary",
      statement: "An entry with the matcher PRIMARY has no hostname.",
      source: [pages.mapEntries, entryTests],
      reliedOnBy: ["primary-not-served"],
      expected: { matcher: "PRIMARY" },
      observe: async (side, { map, certificates: [first = ""] }) => {
        const body = { matcher: "PRIMARY", certificates: [first] };
        const { matcher, hostname } = await get(side, await createEntry(side, map, "primary", body));
        return { matcher, hostname };
      },
    },
    {
      word: "second-primary",
      statement: "A map has one PRIMARY entry at most; a second one is refused.",
      source: pages.mapEntries,
      reliedOnBy: ["primary-repeated"],
      expected: true,
      observe: async (side, { map, certificates: [first = ""] }) =>
        isRefused(await tryCreateEntry(side, map, "primary-2", { matcher: "PRIMARY", certificates: [first] })),
    },
    {
      word: "provisioning-certificate",
      statement: "A PRIMARY entry may have a managed certificate that is still PROVISIONING, and keeps its labels.",
      source: entryTests,
      reliedOnBy: ["lib/plan/entries.ts", "lib/terraform-provider/resources/certificate-manager.ts"],
      expected: {
        matcher: "PRIMARY",
        description: "My acceptance test certificate map entry",
        labels: { terraform: "true", "acc-test": "true" },
        certificates: ["projects/{project}/locations/global/certificates/{prefix}-entry-managed"],
      },
      observe: async (side) => {
        const domain = side.host("entry-managed");
        const authorization = await create(side, "dnsAuthorizations", "entry-managed", { domain });
        const managed = { domains: [domain], dnsAuthorizations: [authorization] };
        const certificate = await create(side, "certificates", "entry-managed", { managed, scope: "DEFAULT" });
        const name = await createEntry(side, await create(side, "certificateMaps", "entries-2", {}), "labeled", {
          matcher: "PRIMARY",
          certificates: [certificate],
          description: "My acceptance test certificate map entry",
          labels: { terraform: "true", "acc-test": "true" },
        });
        const { matcher, description, labels, certificates } = await get(side, name);
        return { matcher, description, labels, certificates };
      },
    },
    {
      word: "wildcard",
      statement: "An entry can be for a wildcard hostname.",
      source: [pages.managerProto, pages.selection],
      reliedOnBy: ["wildcard-only"],
      expected: "*.entry.{prefix}.{domain}",
      observe: async (side, { map, host, certificates: [first = ""] }) => {
        const name = await createEntry(side, map, "wild", { hostname: `*.${host}`, certificates: [first] });
        return (await get(side, name)).hostname;
      },
    },
    {
      word: "without-certificates",
      statement: "An entry without certificates is refused with 400 INVALID_ARGUMENT.",
      source: [pages.mapEntries, entry],
      reliedOnBy: ["entry-emptied"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { entry }) => refusalOf(await tryPatch(side, entry, "certificates", { certificates: [] })),
    },
    {
      word: "without-match",
      statement: "An entry without hostname and matcher is refused with 400 INVALID_ARGUMENT.",
      source: [pages.managerProto, entry],
      reliedOnBy: ["lib/plan/entries.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { map, certificates: [first = ""] }) =>
        refusalOf(await tryCreateEntry(side, map, "no-match", { certificates: [first] })),
    },
    {
      word: "missing-certificate",
      statement: "An entry with a certificate that does not exist is refused.",
      source: pages.mapEntries,
      reliedOnBy: ["existing-missing"],
      expected: true,
      observe: async (side, { map }) => {
        const certificates = [nameOf(side, "certificates", "never")];
        return isRefused(await tryCreateEntry(side, map, "dangling", { hostname: side.host("never"), certificates }));
      },
    },
    {
      word: "certificate-of-other-project",
      statement: "An entry with a certificate of another project is refused with 400 INVALID_ARGUMENT.",
      source: "https://github.com/hashicorp/terraform-provider-google/issues/24742",
      reliedOnBy: ["certificate-location-mismatch"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { map }) => {
        const certificates = [`projects/another-project/locations/global/certificates/${side.name("entry-1")}`];
        return refusalOf(await tryCreateEntry(side, map, "foreign", { hostname: side.host("foreign"), certificates }));
      },
    },
    {
      word: "certificate-scope",
      statement: "An entry with a certificate of the scope ALL_REGIONS is refused.",
      source: [pages.maps, pages.mapEntries],
      reliedOnBy: ["certificate-scope-mismatch"],
      expected: true,
      observe: async (side, { map }) => {
        const hostname = side.host("wide");
        const selfManaged = await makeUpload(side, [hostname]);
        const certificate = await create(side, "certificates", "wide", { selfManaged, scope: "ALL_REGIONS" });
        return isRefused(await tryCreateEntry(side, map, "wide", { hostname, certificates: [certificate] }));
      },
    },
    {
      word: "certificate-in-use",
      statement: "The deletion of a certificate that an entry uses is refused with 400 FAILED_PRECONDITION.",
      source: [
        "https://cloud.google.com/certificate-manager/docs/certificates#delete",
        "https://github.com/hashicorp/terraform-provider-google/issues/17312",
      ],
      reliedOnBy: ["certificate-destroyed-early", "without-the-constructs"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { certificates: [, second = ""] }) => refusalOf(await tryRemove(side, second)),
    },
    {
      word: "map-in-use",
      statement: "The deletion of a map with entries is refused with 400 FAILED_PRECONDITION.",
      source: pages.managerProto,
      reliedOnBy: ["deletion-of-the-whole", "map-replaced"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { map }) => refusalOf(await tryRemove(side, map)),
    },
  ],
});
