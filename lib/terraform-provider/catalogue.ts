import { InputError } from "../errors";
import { defined } from "../json/defined";
import { nameIn, type Overlay } from "./planning";
import { behaviorOf } from "./provider-version";
import { anyKeptRow, cloudKindsOf, type DataKind, dataKinds, keptKind, keptRows, type ResourceKind } from "./resources";
import {
  type Attribute,
  type Bindings,
  dataSourceSchema,
  type NestedBlock,
  providerSchema,
  resourceSchema,
  type SchemaBlock,
} from "./schema";
import type { ValueObject } from "./value";

/** A resource type or a data source with its schema. */
interface Catalogued<Kind> {
  readonly kind: Kind;
  readonly schema: SchemaBlock;
}

/** A resource type with its schema, and where its resources are. */
export interface CataloguedResource extends Catalogued<ResourceKind> {
  /** Whether only the stand-in keeps the type; false if the cloud has it. */
  readonly keptOnly: boolean;
}

/** Everything that the stand-in supports, with schemas. */
export interface ResourceCatalogue {
  readonly provider: SchemaBlock;
  readonly resources: ReadonlyMap<string, CataloguedResource>;
  readonly data: ReadonlyMap<string, Catalogued<DataKind>>;
}

/**
 * Reads the schemas of everything that the stand-in supports from the bindings.
 *
 * @param alsoKept further types of the bindings, which the stand-in keeps in the state alone
 * @param version version of the provider whose behavior the stand-in follows
 * @throws InputError if the bindings don't have one of them
 */
export function openCatalogue(
  bindings: Bindings,
  alsoKept: readonly string[],
  version = bindings.providerVersion,
): ResourceCatalogue {
  const withSchema = <Kind extends { readonly type: string }>(
    kind: Kind,
    schema: SchemaBlock | undefined,
    overlay: Overlay,
  ): [string, Catalogued<Kind>] => {
    if (schema !== undefined) return [kind.type, { kind, schema: withOverlay(schema, overlay) }];
    const message = `${kind.type} is not in the bindings of the google provider ${bindings.providerVersion}`;
    throw new InputError("resource-type-unknown", message);
  };
  const kept = new Map<string, ValueObject>();
  const cloudKinds = cloudKindsOf(behaviorOf(version));
  const known = [...keptRows, ...cloudKinds];
  const others = [...new Set(alsoKept)].filter((type) => !known.some((kind) => kind.type === type));
  const keptKinds = [...keptRows, ...others.map(anyKeptRow)].map((row) => keptKind(row, kept));
  const resources = [...keptKinds, ...cloudKinds].map((kind): [string, CataloguedResource] => {
    const [type, catalogued] = withSchema(kind, resourceSchema(bindings, kind.type), kind.overlay);
    return [type, { ...catalogued, keptOnly: keptKinds.includes(kind) }];
  });
  const data = dataKinds.map((kind) => {
    const overlay = { forceNew: [], ...defined({ sensitive: kind.sensitive }) };
    return withSchema(kind, dataSourceSchema(bindings, kind.type), overlay);
  });
  return { provider: providerSchema(bindings), resources: new Map(resources), data: new Map(data) };
}

/**
 * Applies an overlay to a schema. An attribute with a default is also computed; otherwise, Terraform would reject the
 * default in a plan.
 */
function withOverlay(schema: SchemaBlock, overlay: Overlay, block = ""): SchemaBlock {
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
