import { cloudKinds, dataKinds, keptRows } from "./resources";
import type { ProviderRequirement, SchemaBlock } from "./schema";
import { dataSourceSchema, openBindings, providerSchema, resourceSchema } from "./schema";

/**
 * How the stand-in treats a type. `cloud`: the rehearsal cloud has it. `kept`: it is kept in the state alone.
 * `bindings`: it can be kept on request.
 */
type TypeSupport = "cloud" | "kept" | "bindings" | "unknown";

type BlockKind = "resource" | "data" | "provider";

/** Knowledge of the google provider that is available without starting the stand-in. */
export interface KnownTypes {
  readonly resource: (type: string) => TypeSupport;
  readonly hasDataSource: (type: string) => boolean;
  /**
   * Returns the schema of a resource type, of a data source or of the provider block (for any type); undefined for an
   * unknown type.
   */
  readonly schemaOf: (kind: BlockKind, type: string) => SchemaBlock | undefined;
}

/** @throws InputError `bindings-missing` if no installed bindings fit the requirement of the stack */
export function openKnownTypes(requirement?: ProviderRequirement): KnownTypes {
  const bindings = openBindings(requirement);
  const inCloud = new Set(cloudKinds.map(({ type }) => type));
  const kept = new Set(keptRows.map(({ type }) => type));
  const read = new Set(dataKinds.map(({ type }) => type));
  const schemas = new Map<string, SchemaBlock | undefined>();
  const derive = (kind: BlockKind, type: string): SchemaBlock | undefined => {
    if (kind === "provider") return providerSchema(bindings);
    return kind === "data" ? dataSourceSchema(bindings, type) : resourceSchema(bindings, type);
  };
  const schemaOf = (kind: BlockKind, type: string): SchemaBlock | undefined => {
    const key = `${kind} ${type}`;
    if (!schemas.has(key)) schemas.set(key, derive(kind, type));
    return schemas.get(key);
  };
  return {
    resource: (type) => {
      if (inCloud.has(type)) return "cloud";
      if (kept.has(type)) return "kept";
      return schemaOf("resource", type) === undefined ? "unknown" : "bindings";
    },
    hasDataSource: (type) => read.has(type),
    schemaOf,
  };
}
