import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { protoFile } from "../../sources";

const page = "https://cloud.google.com/certificate-manager/docs/audit-logging";
const auditLog = protoFile("cloud/audit/audit_log.proto");
const filter = "lib/constructs/admin-change-alerts/filter.ts";
const reading = "lib/audit/reading/forms/cloud-logging.ts";
const method = "google.cloud.certificatemanager.v1.CertificateManager.CreateCertificateMap";

/** Returns the audit entries of a certificate map that the run has created; empty if there are none in ten minutes. */
async function entriesOfMap(side: Side): Promise<readonly Json[]> {
  const parameters = { parent: side.location(), certificateMapId: side.name("audited") };
  await side.run("certificatemanager.projects.locations.certificateMaps.create", parameters, {});
  const body = {
    resourceNames: [`projects/${side.project}`],
    filter: [
      `logName="projects/${side.project}/logs/cloudaudit.googleapis.com%2Factivity"`,
      'protoPayload.serviceName="certificatemanager.googleapis.com"',
      `protoPayload.resourceName:"${side.name("audited")}"`,
    ].join(" AND "),
  };
  const ask = async () => ((await side.make("logging.entries.list", {}, body)).entries ?? []) as readonly Json[];
  return (await side.eventually(ask, (found) => found.length >= 2, { withinMs: 10 * 60_000, everyMs: 15_000 })).value;
}

export const auditEntries = defineGroup<readonly Json[]>({
  service: "logging",
  concept: "audit-log",
  needs: ["audit-log"],
  prepare: entriesOfMap,
  behaviors: [
    {
      word: "operation",
      statement: "The audit log has two entries for a creation: of the start and of the end of its operation.",
      source: page,
      reliedOnBy: [filter],
      expected: { entries: 2, first: 1, last: 1 },
      observe: async (_, entries) => {
        const marked = (mark: "first" | "last") =>
          entries.filter(({ operation }) => (operation as Json | undefined)?.[mark] === true).length;
        return { entries: entries.length, first: marked("first"), last: marked("last") };
      },
    },
    {
      word: "payload",
      statement: "The payload of an audit entry names the service, the method and the caller.",
      source: [page, auditLog],
      reliedOnBy: [filter, reading],
      expected: { service: ["certificatemanager.googleapis.com"], method: [method], hasCaller: true },
      observe: async (_, entries) => {
        const payloads = entries.map(({ protoPayload }) => protoPayload as Json);
        const [{ authenticationInfo } = {} as Json] = payloads;
        return {
          service: [...new Set(payloads.map(({ serviceName }) => serviceName))],
          method: [...new Set(payloads.map(({ methodName }) => methodName))],
          hasCaller: typeof (authenticationInfo as Json | undefined)?.principalEmail === "string",
        };
      },
    },
  ],
});
