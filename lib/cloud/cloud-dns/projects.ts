import { type Call, type Json, textParameter } from "../front";
import { projectNumberOf } from "../project-number";

/** Quotas of a new project; reported, not enforced. */
const quota = {
  kind: "dns#quota",
  managedZones: 10_000,
  rrsetsPerManagedZone: 10_000,
  rrsetAdditionsPerChange: 1_000,
  rrsetDeletionsPerChange: 1_000,
  resourceRecordsPerRrset: 100,
  totalRrdataSizePerChange: 100_000,
};

/** Returns a project; every requested project exists. */
export function describeProject(call: Call): Json {
  const id = textParameter(call, "project");
  return { kind: "dns#project", id, number: projectNumberOf(id), quota };
}
