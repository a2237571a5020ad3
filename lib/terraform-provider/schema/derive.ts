import { BugError, InputError } from "../../errors";
import type { Bindings, Sections } from "./bindings";
import { type Attribute, type AttributeType, type NestedBlock, type SchemaBlock, typeOfBlock } from "./model";

/**
 * Returns the schema of a resource type, for example `google_compute_url_map`; undefined if the bindings have no such
 * type.
 */
export function resourceSchema(bindings: Bindings, type: string): SchemaBlock | undefined {
  return schemaOfType(bindings, "", type);
}

/** Returns the schema of a data source; undefined if the bindings have no such type. */
export function dataSourceSchema(bindings: Bindings, type: string): SchemaBlock | undefined {
  return schemaOfType(bindings, "data-google-", type);
}

/**
 * Returns the schema of the provider block, without `alias`. The bindings add `alias`, which Terraform itself handles.
 *
 * @throws InputError if the bindings have no provider
 */
export function providerSchema(bindings: Bindings): SchemaBlock {
  const sections = bindings.read("provider");
  if (sections === undefined) throw new InputError("bindings-missing", "the bindings have no provider");
  const { attributes, blocks } = deriveBlock(sections, "GoogleProvider");
  return { attributes: new Map([...attributes].filter(([name]) => name !== "alias")), blocks };
}

function schemaOfType(bindings: Bindings, folderPrefix: string, type: string): SchemaBlock | undefined {
  const name = /^google_([a-z0-9_]+)$/.exec(type)?.[1];
  const sections = name === undefined ? undefined : bindings.read(`${folderPrefix}${name.replaceAll("_", "-")}`);
  if (sections === undefined) return undefined;
  const className = classOfType(sections, type);
  return className === undefined ? undefined : deriveBlock(sections, className);
}

/** Returns the class of a type, for example `ComputeUrlMap` for `google_compute_url_map`. */
function classOfType(sections: Sections, type: string): string | undefined {
  for (const [name, code] of sections) {
    if (name.startsWith("class ") && code.includes(`tfResourceType = "${type}"`)) return name.slice("class ".length);
  }
  return undefined;
}

/**
 * Reads the schema of a class in the generated bindings: a resource type, a data source or the provider.
 *
 * The generator omits which attributes are sensitive, limits on the number of blocks other than 1, and the schema's
 * version. No schema contains defaults, or the attributes that force replacement.
 *
 * @param className class of the bindings, for example `ComputeUrlMap`
 */
function deriveBlock(sections: Sections, className: string): SchemaBlock {
  const code = section(sections, `class ${className}`);
  return readBlock({ sections, code, configuration: `${className}Config`, around: [] });
}

/**
 * Number of times that a block may contain itself. The generator merges the levels of such a block into one class,
 * which leaves out at which level the provider ends.
 */
const deepestRecursion = 2;

interface Place {
  readonly sections: Sections;
  /** Body of the class that has the attributes. */
  readonly code: string;
  /** Name of the interface that configures the block. */
  readonly configuration: string;
  /** Classes of the blocks around this block, outermost first. */
  readonly around: readonly string[];
}

interface Member {
  readonly name: string;
  readonly computed: boolean;
  readonly optional: boolean;
  readonly required: boolean;
  readonly code: string;
}

/** How a configurable attribute is rendered. Only the rendering distinguishes lists from sets. */
interface Rendering {
  readonly type: string;
  readonly storage: string;
}

const memberPattern =
  /\/\/ (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n([\s\S]*?)(?=\n\s*\/\/ \w+ - computed|\n\s*\/\/ =====|$)/g;
const renderingPattern =
  /^\s+(\w+): \{\n\s+value: .*\n\s+isBlock: \w+,\n\s+type: "(\w+)",\n\s+storageClassType: "(\w+)"/gm;

function readBlock(place: Place): SchemaBlock {
  const attributes = new Map<string, Attribute>();
  const blocks = new Map<string, NestedBlock>();
  const renderings = readRenderings(place);
  const configuration = place.sections.get(`interface ${place.configuration}`) ?? "";
  for (const member of readMembers(place.code)) {
    const rendering = renderings.get(member.name);
    if (configuration.includes(`* ${member.name} block\n`)) {
      const nested = readNestedBlock(member, rendering, place);
      if (nested !== undefined) blocks.set(member.name, nested);
    } else {
      const { computed, optional, required } = member;
      attributes.set(member.name, {
        type: readType(member, rendering, place),
        computed,
        optional,
        required,
        sensitive: false,
        writeOnly: isWriteOnly(member),
      });
    }
  }
  return { attributes, blocks };
}

function* readMembers(code: string): Iterable<Member> {
  for (const [, name = "", computed, optional, required, body = ""] of code.matchAll(memberPattern)) {
    yield {
      name,
      computed: computed === "true",
      optional: optional === "true",
      required: required === "true",
      code: body,
    };
  }
}

function readRenderings({ sections, code, configuration }: Place): ReadonlyMap<string, Rendering> {
  const renderer = `${configuration.charAt(0).toLowerCase()}${configuration.slice(1)}ToHclTerraform`;
  const text = sections.get(`function ${renderer}`) ?? code.slice(code.lastIndexOf("synthesizeHclAttributes("));
  return new Map(
    [...text.matchAll(renderingPattern)].map(([, name = "", type = "", storage = ""]) => [name, { type, storage }]),
  );
}

/**
 * Returns whether an attribute is write-only. Newer bindings mark it at the getter. Older bindings do not, but the
 * provider names its write-only attributes `*_wo`.
 */
function isWriteOnly({ name, computed, code }: Member): boolean {
  return !computed && (name.endsWith("_wo") || /@deprecated Write-only:/.test(code));
}

/** Returns a nested block; undefined below the deepest level of a block that contains itself. */
function readNestedBlock(member: Member, rendering: Rendering | undefined, place: Place): NestedBlock | undefined {
  const { className, isSet, isOne } = nestedClass(member, rendering);
  if (place.around.filter((each) => each === className).length > deepestRecursion) return undefined;
  const nesting = rendering?.type === "struct" ? "single" : isSet ? "set" : "list";
  return {
    nesting,
    block: readClass(className, place),
    minItems: member.required && nesting !== "single" ? 1 : 0,
    maxItems: isOne && nesting !== "single" ? 1 : 0,
  };
}

function readType(member: Member, rendering: Rendering | undefined, place: Place): AttributeType {
  return (
    (rendering === undefined ? undefined : renderedType(rendering)) ??
    readableType(member.code) ??
    nestedType(member, rendering, place)
  );
}

const storages: Readonly<Record<string, AttributeType>> = { string: "string", number: "number", boolean: "bool" };

function renderedType({ type, storage }: Rendering): AttributeType | undefined {
  if (type === "simple") return storages[storage];
  const element = storages[/^(string|number|boolean)(?:List|Map)$/.exec(storage)?.[1] ?? ""];
  return element !== undefined && (type === "list" || type === "set" || type === "map") ? [type, element] : undefined;
}

/** Returns the type of a read-only attribute, from its getter. */
function readableType(code: string): AttributeType | undefined {
  const [, mapOf, listOf, isSet] =
    /new \w+\.(String|Number|Boolean)Map(List)?\(this, "\w+"(?:, (true|false))?\)/.exec(code) ?? [];
  const [, got] = /get(String|Number|Boolean)MapAttribute\(/.exec(code) ?? [];
  const element = storages[(mapOf ?? got ?? "").toLowerCase()];
  if (element !== undefined) {
    return listOf === undefined ? ["map", element] : [isSet === "true" ? "set" : "list", ["map", element]];
  }
  const nesting = code.includes("Fn.tolist(") ? "set" : "list";
  if (/getNumberListAttribute\(/.test(code)) return [nesting, "number"];
  if (/getListAttribute\(/.test(code)) return [nesting, "string"];
  if (/getStringAttribute\(/.test(code)) return "string";
  if (/getNumberAttribute\(/.test(code)) return "number";
  return /getBooleanAttribute\(/.test(code) ? "bool" : undefined;
}

/** Returns the type of an attribute whose elements are objects. */
function nestedType(member: Member, rendering: Rendering | undefined, place: Place): AttributeType {
  const { className, isSet } = nestedClass(member, rendering);
  return [isSet ? "set" : "list", typeOfBlock(readClass(className, place))];
}

interface NestedClass {
  readonly className: string;
  readonly isSet: boolean;
  /** Whether at most one is allowed. */
  readonly isOne: boolean;
}

function nestedClass({ name, code }: Member, rendering: Rendering | undefined): NestedClass {
  const [, list, wrapsSet] = /= new (\w+)List\(this, "\w+", (true|false)\)/.exec(code) ?? [];
  if (list !== undefined) return { className: list, isSet: wrapsSet === "true", isOne: false };
  const isSet = rendering?.type === "set";
  const className = /= new (\w+)OutputReference\(this, "\w+"\)/.exec(code)?.[1];
  if (className !== undefined) return { className: className, isSet, isOne: true };
  // Blocks of the provider itself have no reference classes.
  const match = /private _\w+\?: (\w+)(\[\])?/.exec(code);
  if (match?.[1] === undefined) throw new BugError(`the bindings don't contain the type of ${name}`);
  return { className: match[1], isSet, isOne: match[2] === undefined };
}

/**
 * Reads a block of the bindings. Blocks of the provider have no class of their own, only a rendering and an interface.
 */
function readClass(className: string, { sections, around }: Place): SchemaBlock {
  const code = sections.get(`class ${className}OutputReference`);
  if (code !== undefined) {
    return readBlock({ sections, code, configuration: className, around: [...around, className] });
  }
  const renderings = readRenderings({ sections, code: "", configuration: className, around });
  if (renderings.size === 0) throw new BugError(`the bindings have no ${className}`);
  const configuration = sections.get(`interface ${className}`) ?? "";
  const attributes = [...renderings].map(([name, rendering]): [string, Attribute] => {
    const required = new RegExp(`#${name} [^\n]*\n\\s*\\*/\\s*readonly \\w+:`).test(configuration);
    const type = renderedType(rendering) ?? "string";
    return [name, { type, required, optional: !required, computed: false, sensitive: false, writeOnly: false }];
  });
  return { attributes: new Map(attributes), blocks: new Map() };
}

function section(sections: Sections, name: string): string {
  const code = sections.get(name);
  if (code === undefined) throw new BugError(`the bindings have no ${name}`);
  return code;
}
