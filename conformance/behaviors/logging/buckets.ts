import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";

const methods = "logging.projects.locations.buckets";
const proto = protoFile("logging/v2/logging_config.proto");
const provider = providerFile("services/logging/resource_logging_project_bucket_config.go");
const stored = "lib/terraform-provider/resources/log-bucket.ts";

const nameOf = (side: Side, id: string) => `${side.location()}/buckets/${id}`;

interface Fixture {
  readonly name: string;
  readonly operation: Json;
}

/** Observed in this order: the bucket is deleted and restored at the end. */
export const buckets = defineGroup<Fixture>({
  service: "logging",
  concept: "buckets",
  prepare: async (side) => {
    const parameters = { parent: side.location(), bucketId: side.name("bucket") };
    const operation = await side.run(`${methods}.createAsync`, parameters, { description: "of the conformance suite" });
    return { name: nameOf(side, side.name("bucket")), operation };
  },
  behaviors: [
    {
      word: "operation",
      statement: "`createAsync` answers with an operation, whose response is the bucket.",
      source: [proto, aip(151)],
      reliedOnBy: [stored],
      expected: { done: true, name: "projects/{project}/locations/global/buckets/{prefix}-bucket" },
      observe: async (_, { operation }) => ({ done: operation.done, name: (operation.response as Json).name }),
    },
    {
      word: "defaults",
      statement: "A bucket without a retention keeps entries for 30 days and is `ACTIVE`.",
      source: [proto, provider],
      reliedOnBy: [stored, "log-bucket-invalid"],
      expected: { retentionDays: 30, lifecycleState: "ACTIVE" },
      observe: async (side, { name }) => {
        const { retentionDays, lifecycleState } = await side.make(`${methods}.get`, { name });
        return { retentionDays, lifecycleState };
      },
    },
    {
      word: "own-buckets",
      statement: "Every project has the buckets `_Default` and `_Required`.",
      source: provider,
      reliedOnBy: [stored],
      expected: ["_Default", "_Required"],
      observe: async (side) => {
        const { buckets: found = [] } = await side.make(`${methods}.list`, { parent: side.location() });
        const ids = (found as readonly Json[]).map(({ name }) => String(name).split("/").at(-1) ?? "");
        return ids.filter((id) => id.startsWith("_")).sort();
      },
    },
    {
      word: "update-by-mask",
      statement: "An update with a mask changes the retention and leaves the description as it is.",
      source: [proto, provider],
      reliedOnBy: [stored],
      expected: { retentionDays: 7, description: "of the conformance suite" },
      observe: async (side, { name }) => {
        const body = { retentionDays: 7, description: "ignored" };
        await side.run(`${methods}.updateAsync`, { name, updateMask: "retentionDays" }, body);
        const { retentionDays, description } = await side.make(`${methods}.get`, { name });
        return { retentionDays, description };
      },
    },
    {
      word: "duplicate-id",
      statement: "A second bucket with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["created-twice", stored],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side) => {
        const parameters = { parent: side.location(), bucketId: side.name("bucket") };
        return refusalOf(await side.call(`${methods}.create`, parameters, {}));
      },
    },
    {
      word: "missing",
      statement: "A bucket that does not exist is refused with 404 NOT_FOUND.",
      source: aip(193),
      reliedOnBy: [stored],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) =>
        refusalOf(await side.call(`${methods}.get`, { name: nameOf(side, side.name("missing")) })),
    },
    {
      word: "deletion",
      statement: "A deleted bucket is in the state `DELETE_REQUESTED`, and keeps its name.",
      source: proto,
      reliedOnBy: [stored],
      expected: "DELETE_REQUESTED",
      observe: async (side, { name }) => {
        await side.make(`${methods}.delete`, { name });
        return (await side.make(`${methods}.get`, { name })).lifecycleState;
      },
    },
    {
      word: "deleted-is-fixed",
      statement: "A bucket in the state `DELETE_REQUESTED` can't be updated.",
      source: proto,
      reliedOnBy: [stored],
      expected: { isUpdated: false },
      observe: async (side, { name }) => {
        const parameters = { name, updateMask: "retentionDays" };
        return { isUpdated: (await side.call(`${methods}.patch`, parameters, { retentionDays: 8 })).status < 300 };
      },
    },
    {
      word: "undelete",
      statement: "A deleted bucket is restored within 7 days.",
      source: proto,
      reliedOnBy: [stored],
      expected: "ACTIVE",
      observe: async (side, { name }) => {
        await side.make(`${methods}.undelete`, { name }, {});
        return (await side.make(`${methods}.get`, { name })).lifecycleState;
      },
    },
  ],
});
