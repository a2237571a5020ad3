import { type Call, type Json, textParameter } from "../front";
import { projectNumberOf } from "../project-number";

/** Limits of a new project. They are told, not enforced. */
const quota = {
  kind: "dns#quota",
  managedZones: 10_000,
  rrsetsPerManagedZone: 10_000,
  rrsetAdditionsPerChange: 1_000,
  rrsetDeletionsPerChange: 1_000,
  resourceRecordsPerRrset: 100,
  totalRrdataSizePerChange: 100_000,
};

/** Every project that is asked for exists. */
export function describeProject(call: Call): Json {
  const id = textParameter(call, "project");
  return { kind: "dns#project", id, number: projectNumberOf(id), quota };
}
