import { InputError } from "../errors";
import { defined } from "../json/defined";
import { nameIn, type Overlay } from "./planning";
import { behaviorOf } from "./provider-version";
import { anyKeptRow, cloudKindsOf, type DataKind, dataKinds, keptKind, keptRows, type ResourceKind } from "./resources";
import {
  type Attribute,
  type Bindings,
  type Block,
  dataSourceSchema,
  type NestedBlock,
  providerSchema,
  resourceSchema,
} from "./schema";
import type { ValueObject } from "./value";

export interface CataloguedResource {
  readonly kind: ResourceKind;
  readonly schema: Block;
}

interface CataloguedData {
  readonly kind: DataKind;
  readonly schema: Block;
}

/** Everything that the stand-in supports, with schemas. */
export interface Catalogue {
  readonly provider: Block;
  readonly resources: ReadonlyMap<string, CataloguedResource>;
  readonly data: ReadonlyMap<string, CataloguedData>;
}

interface CatalogueOptions {
  /** Version of the provider whose behavior the stand-in follows. @default the version of the bindings */
  readonly version?: string;
}

/**
 * Reads the schemas of everything that the stand-in supports from the bindings.
 *
 * @param alsoKept further types of the bindings, which the stand-in keeps in the state alone
 * @throws InputError if the bindings don't have one of them
 */
export function openCatalogue(
  bindings: Bindings,
  alsoKept: readonly string[],
  { version = bindings.providerVersion }: CatalogueOptions = {},
): Catalogue {
  const present = (schema: Block | undefined, type: string): Block => {
    if (schema !== undefined) return schema;
    const message = `${type} is not in the bindings of the google provider ${bindings.providerVersion}`;
    throw new InputError("resource-type-unknown", message);
  };
  const kept = new Map<string, ValueObject>();
  const kinds = new Map(
    [...keptRows.map((row) => keptKind(row, kept)), ...cloudKindsOf(behaviorOf(version))].map((kind) => [
      kind.type,
      kind,
    ]),
  );
  for (const type of alsoKept) {
    if (!kinds.has(type)) kinds.set(type, keptKind(anyKeptRow(type), kept));
  }
  const resources = [...kinds.values()].map((kind): [string, CataloguedResource] => [
    kind.type,
    { kind, schema: withOverlay(present(resourceSchema(bindings, kind.type), kind.type), kind.overlay) },
  ]);
  const data = dataKinds.map((kind): [string, CataloguedData] => {
    const overlay = { forceNew: [], ...defined({ sensitive: kind.sensitive }) };
    return [
      kind.type,
      { kind, schema: withOverlay(present(dataSourceSchema(bindings, kind.type), kind.type), overlay) },
    ];
  });
  return { provider: providerSchema(bindings), resources: new Map(resources), data: new Map(data) };
}

/**
 * Applies an overlay to a schema. An attribute with a default is also computed; otherwise, Terraform would reject the
 * default in a plan.
 */
function withOverlay(schema: Block, overlay: Overlay, block = ""): Block {
  const attributes = [...schema.attributes].map(([member, attribute]): [string, Attribute] => {
    const name = nameIn(block, member);
    const hasDefault = overlay.defaults?.[name] !== undefined;
    const sensitive = overlay.sensitive?.includes(name) === true;
    return [member, { ...attribute, computed: attribute.computed || (hasDefault && !attribute.required), sensitive }];
  });
  const blocks = [...schema.blocks].map(([member, nested]): [string, NestedBlock] => [
    member,
    { ...nested, block: withOverlay(nested.block, overlay, nameIn(block, member)) },
  ]);
  return { attributes: new Map(attributes), blocks: new Map(blocks) };
}
