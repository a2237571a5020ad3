import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { protoFile } from "../../sources";
import { makeUpload } from "../../uploads";

const page = "https://cloud.google.com/certificate-manager/docs/logs-metrics";
const texts = "lib/constructs/certificate-alerts/texts.ts";
const dayMs = 86_400_000;

/** Returns the entries of the expiry log, the oldest first. */
async function expiryEntries(side: Side, orderBy: string): Promise<readonly Json[]> {
  const filter = `logName="projects/${side.project}/logs/certificatemanager.googleapis.com%2Fcertificates_expiry"`;
  const body = { resourceNames: [`projects/${side.project}`], filter, orderBy };
  const { entries = [] } = await side.make("logging.entries.list", {}, body);
  return entries as readonly Json[];
}

/**
 * The log has an entry a day, so that a run on Google Cloud reads the entries of earlier days; the clock of the
 * rehearsal cloud is moved by two days instead.
 */
export const expiryLog = defineGroup<readonly Json[]>({
  service: "logging",
  concept: "expiry-log",
  needs: ["audit-log"],
  prepare: async (side) => {
    if (side.kind === "rehearsal") {
      const upload = await makeUpload(side, [side.host("expiring")], "ecdsa-p256", 8);
      const parameters = { parent: side.location(), certificateId: side.name("expiring") };
      await side.run("certificatemanager.projects.locations.certificates.create", parameters, { selfManaged: upload });
      await side.wait(2 * dayMs);
    }
    const entries = await expiryEntries(side, "timestamp asc");
    if (entries.length === 0) throw new Error("no certificate of the project was near its expiry in the last days");
    return entries;
  },
  behaviors: [
    {
      word: "resource",
      statement: "An entry of the expiry log has the resource type of Certificate Manager's projects.",
      source: page,
      reliedOnBy: [texts],
      expected: ["certificatemanager.googleapis.com/Project"],
      observe: async (_, entries) => [...new Set(entries.map(({ resource }) => (resource as Json).type))],
    },
    {
      word: "state",
      statement: "The payload of an entry has the state `CLOSE_TO_EXPIRY` or `EXPIRED`.",
      source: page,
      reliedOnBy: [texts, "expires-soon"],
      expected: true,
      observe: async (_, entries) =>
        entries.every(({ jsonPayload }) => /^(?:CLOSE_TO_EXPIRY|EXPIRED)$/.test(String((jsonPayload as Json).state))),
    },
    {
      word: "ascending",
      statement: "Entries in the order `timestamp asc` have increasing timestamps.",
      source: protoFile("logging/v2/logging.proto"),
      reliedOnBy: ["lib/cloud/log-entries.ts"],
      expected: true,
      observe: async (_, entries) => {
        const times = entries.map(({ timestamp }) => Date.parse(String(timestamp)));
        return times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0));
      },
    },
    {
      word: "descending",
      statement: "Entries in the order `timestamp desc` begin with the newest.",
      source: protoFile("logging/v2/logging.proto"),
      reliedOnBy: ["lib/cloud/log-entries.ts"],
      expected: true,
      observe: async (side) => {
        const times = (await expiryEntries(side, "timestamp desc")).map(({ timestamp }) =>
          Date.parse(String(timestamp)),
        );
        return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
      },
    },
  ],
});
