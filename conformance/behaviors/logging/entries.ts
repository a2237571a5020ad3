import { defineGroup } from "../../behavior";
import { refusalOf, type Side } from "../../side";
import { aip, protoFile } from "../../sources";

const proto = protoFile("logging/v2/logging.proto");
const filters = "lib/constructs/certificate-alerts/texts.ts";
const entries = "lib/cloud/log-entries.ts";
const invalid = { status: 400, code: "INVALID_ARGUMENT" };

const list = (side: Side, body: object) => side.call("logging.entries.list", {}, body);
const refused = async (side: Side, body: object) =>
  refusalOf(await list(side, { resourceNames: [`projects/${side.project}`], ...body }));

/** Only questions: the suite writes no entry. */
export const logEntries = defineGroup({
  service: "logging",
  concept: "entries",
  behaviors: [
    {
      word: "log-missing",
      statement: "A filter on a log without entries returns no entry, and is not refused.",
      source: proto,
      reliedOnBy: [filters],
      expected: { status: 200, entries: [] },
      observe: async (side) => {
        const filter = `logName="projects/${side.project}/logs/${side.prefix}"`;
        const { status, body } = await list(side, { resourceNames: [`projects/${side.project}`], filter });
        return { status, entries: body.entries ?? [] };
      },
    },
    {
      word: "expiry-filter",
      statement: "The filters on the expiry log of Certificate Manager are accepted.",
      source: "https://cloud.google.com/certificate-manager/docs/logs-metrics",
      reliedOnBy: [filters, "renewal-overdue"],
      expected: [200, 200],
      observe: async (side) => {
        const log = `projects/${side.project}/logs/certificatemanager.googleapis.com%2Fcertificates_expiry`;
        const statuses: number[] = [];
        for (const state of ["CLOSE_TO_EXPIRY", "EXPIRED"]) {
          const filter = `logName = "${log}" AND jsonPayload.state = "${state}"`;
          statuses.push((await list(side, { resourceNames: [`projects/${side.project}`], filter })).status);
        }
        return statuses;
      },
    },
    {
      word: "filter-malformed",
      statement: "A filter that can't be read is refused with 400 INVALID_ARGUMENT.",
      source: [proto, aip(160)],
      reliedOnBy: [filters],
      expected: invalid,
      observe: (side) => refused(side, { filter: 'logName="' }),
    },
    {
      word: "filter-long",
      statement: "A filter of 15,000 characters is accepted.",
      source: proto,
      reliedOnBy: ["filter-too-long"],
      expected: 200,
      observe: async (side) => {
        const filter = `logName="projects/${side.project}/logs/${side.prefix}${"x".repeat(14_900)}"`;
        return (await list(side, { resourceNames: [`projects/${side.project}`], filter })).status;
      },
    },
    {
      word: "filter-too-long",
      statement: "A filter of more than 20,000 characters is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: ["filter-too-long"],
      expected: invalid,
      observe: (side) => refused(side, { filter: `logName="${"x".repeat(20_001)}"` }),
    },
    {
      word: "no-resources",
      statement: "A list without a resource name is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: [entries],
      expected: invalid,
      observe: (side) => refused(side, { resourceNames: [] }),
    },
    {
      word: "too-many-resources",
      statement: "A list with more than 100 resource names is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: [entries],
      expected: invalid,
      observe: (side) =>
        refused(side, { resourceNames: Array.from({ length: 101 }, () => `projects/${side.project}`) }),
    },
    {
      word: "order-unknown",
      statement: "An order by another field than the timestamp is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: [entries],
      expected: invalid,
      observe: (side) => refused(side, { orderBy: "severity desc" }),
    },
    {
      word: "page-too-large",
      statement: "A page size above 1,000 is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: [entries],
      expected: invalid,
      observe: (side) => refused(side, { pageSize: 1_001 }),
    },
    {
      word: "page-negative",
      statement: "A negative page size is refused with 400 INVALID_ARGUMENT.",
      source: proto,
      reliedOnBy: [entries],
      expected: invalid,
      observe: (side) => refused(side, { pageSize: -1 }),
    },
  ],
});
