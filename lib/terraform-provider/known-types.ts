import { cloudKinds, dataKinds, keptRows } from "./resources";
import { openBindings } from "./schema";

/** What the stand-in does with a type. `cloud`: the rehearsal cloud has it. `kept`: it is in the state alone. `bindings`: it can be kept if asked. */
export type TypeStanding = "cloud" | "kept" | "bindings" | "unknown";

/** Tells of resource types of the google provider, without starting anything. */
export function openKnownTypes(): {
  readonly resource: (type: string) => TypeStanding;
  readonly hasDataSource: (type: string) => boolean;
} {
  const bindings = openBindings();
  const inCloud = new Set(cloudKinds.map(({ type }) => type));
  const kept = new Set(keptRows.map(({ type }) => type));
  const read = new Set(dataKinds.map(({ type }) => type));
  return {
    resource: (type) => {
      if (inCloud.has(type)) return "cloud";
      if (kept.has(type)) return "kept";
      const folder = /^google_([a-z0-9_]+)$/.exec(type)?.[1]?.replaceAll("_", "-");
      return folder !== undefined && bindings.read(folder) !== undefined ? "bindings" : "unknown";
    },
    hasDataSource: (type) => read.has(type),
  };
}
