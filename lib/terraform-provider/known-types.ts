import { cloudKinds, dataKinds, keptRows } from "./resources";
import { type Block, classOfType, deriveBlock, openBindings } from "./schema";

/** What the stand-in does with a type. `cloud`: the rehearsal cloud has it. `kept`: it is in the state alone. `bindings`: it can be kept if asked. */
type TypeStanding = "cloud" | "kept" | "bindings" | "unknown";

/** What is known of the google provider, without starting anything. */
export interface KnownTypes {
  readonly resource: (type: string) => TypeStanding;
  readonly hasDataSource: (type: string) => boolean;
  /** Arguments of a resource type, of a data source or of the provider block; undefined for a type that it does not have. */
  readonly schemaOf: (kind: "resource" | "data" | "provider", type: string) => Block | undefined;
}

export function openKnownTypes(): KnownTypes {
  const bindings = openBindings();
  const inCloud = new Set(cloudKinds.map(({ type }) => type));
  const kept = new Set(keptRows.map(({ type }) => type));
  const read = new Set(dataKinds.map(({ type }) => type));
  const folderOf = (type: string) => /^google_([a-z0-9_]+)$/.exec(type)?.[1]?.replaceAll("_", "-");
  const schemas = new Map<string, Block | undefined>();
  const derive = (kind: "resource" | "data" | "provider", type: string): Block | undefined => {
    const own = kind === "provider" ? "provider" : folderOf(type);
    const sections = own === undefined ? undefined : bindings.read(kind === "data" ? `data-google-${own}` : own);
    if (sections === undefined) return undefined;
    return deriveBlock(sections, kind === "provider" ? "GoogleProvider" : classOfType(sections, type));
  };
  return {
    resource: (type) => {
      if (inCloud.has(type)) return "cloud";
      if (kept.has(type)) return "kept";
      const folder = folderOf(type);
      return folder !== undefined && bindings.read(folder) !== undefined ? "bindings" : "unknown";
    },
    hasDataSource: (type) => read.has(type),
    schemaOf: (kind, type) => {
      const key = `${kind} ${type}`;
      if (!schemas.has(key)) schemas.set(key, derive(kind, type));
      return schemas.get(key);
    },
  };
}
