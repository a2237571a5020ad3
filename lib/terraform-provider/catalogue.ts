import { InputError } from "../errors";
import { nameIn, type Overlay } from "./planning";
import { anyKeptRow, cloudKinds, type DataKind, dataKinds, keptKind, keptRows, type ResourceKind } from "./resources";
import { type Attribute, type Bindings, type Block, classOfType, deriveBlock, type NestedBlock } from "./schema";
import type { ValueObject } from "./value";

export interface CataloguedResource {
  readonly kind: ResourceKind;
  readonly schema: Block;
}

interface CataloguedData {
  readonly kind: DataKind;
  readonly schema: Block;
}

/** Everything that the stand-in knows, with schemas. */
export interface Catalogue {
  readonly provider: Block;
  readonly resources: ReadonlyMap<string, CataloguedResource>;
  readonly data: ReadonlyMap<string, CataloguedData>;
}

/**
 * Reads the schemas of everything that the stand-in knows from the bindings.
 *
 * @param alsoKept types of the bindings beside those, which the stand-in keeps itself
 * @throws InputError if the bindings don't have one of them
 */
export function openCatalogue(bindings: Bindings, alsoKept: readonly string[]): Catalogue {
  const kept = new Map<string, ValueObject>();
  const kinds = new Map(
    [...keptRows.map((row) => keptKind(row, kept)), ...cloudKinds].map((kind) => [kind.type, kind]),
  );
  for (const type of alsoKept) {
    if (!kinds.has(type)) kinds.set(type, keptKind(anyKeptRow(type), kept));
  }
  const resources = [...kinds.values()].map((kind): [string, CataloguedResource] => [
    kind.type,
    { kind, schema: withOverlay(readBlock(bindings, kind.type, ""), kind.overlay) },
  ]);
  const data = dataKinds.map((kind): [string, CataloguedData] => [
    kind.type,
    { kind, schema: readBlock(bindings, kind.type, "data-google-") },
  ]);
  return { provider: readProvider(bindings), resources: new Map(resources), data: new Map(data) };
}

function readBlock(bindings: Bindings, type: string, prefix: string): Block {
  const folder = `${prefix}${type.replace(/^google_/, "").replaceAll("_", "-")}`;
  const sections = bindings.read(folder);
  if (sections === undefined) {
    const message = `${type} is not in the bindings of the google provider ${bindings.providerVersion}`;
    throw new InputError("resource-type-unknown", message);
  }
  return deriveBlock(sections, classOfType(sections, type));
}

/** The bindings add `alias` to the provider, which belongs to Terraform. */
function readProvider(bindings: Bindings): Block {
  const sections = bindings.read("provider");
  if (sections === undefined) throw new InputError("bindings-missing", "the bindings have no provider");
  const { attributes, blocks } = deriveBlock(sections, "GoogleProvider");
  return { attributes: new Map([...attributes].filter(([name]) => name !== "alias")), blocks };
}

/** An attribute that has a default is computed as well, so that Terraform takes the default for what it is. */
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
