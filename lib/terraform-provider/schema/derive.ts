import { BugError } from "../../errors";
import type { Sections } from "./bindings";
import { type Attribute, type AttributeType, type Block, type NestedBlock, typeOfBlock } from "./model";

/**
 * Reads the schema of a class in the generated bindings: a resource type, a data source or the provider.
 *
 * The generator omits which attributes are sensitive, limits on the number of blocks other than 1, and the schema's
 * version. No schema contains defaults, or the attributes that force replacement.
 *
 * @param className class of the bindings, for example `ComputeUrlMap`
 */
export function deriveBlock(sections: Sections, className: string): Block {
  return readBlock({ sections, code: section(sections, `class ${className}`), configuration: `${className}Config` });
}

interface Place {
  readonly sections: Sections;
  /** Body of the class that has the attributes. */
  readonly code: string;
  /** Name of the interface that configures the block. */
  readonly configuration: string;
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

function readBlock(place: Place): Block {
  const attributes = new Map<string, Attribute>();
  const blocks = new Map<string, NestedBlock>();
  const renderings = readRenderings(place);
  const configuration = place.sections.get(`interface ${place.configuration}`) ?? "";
  for (const member of readMembers(place.code)) {
    const rendering = renderings.get(member.name);
    if (configuration.includes(`* ${member.name} block\n`)) {
      blocks.set(member.name, readNestedBlock(member, rendering, place));
    } else {
      const { computed, optional, required } = member;
      attributes.set(member.name, {
        type: readType(member, rendering, place),
        computed,
        optional,
        required,
        sensitive: false,
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

function readNestedBlock(member: Member, rendering: Rendering | undefined, place: Place): NestedBlock {
  const { className, isSet, isOne } = nestedClass(member, rendering);
  const nesting = rendering?.type === "struct" ? "single" : isSet ? "set" : "list";
  return {
    nesting,
    block: readClass(className, place.sections),
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
  const map = /new cdktf\.(String|Number|Boolean)Map\(|get(String|Number|Boolean)MapAttribute\(/.exec(code);
  if (map !== null) return ["map", storages[(map[1] ?? map[2] ?? "").toLowerCase()] ?? "string"];
  const nesting = code.includes("Fn.tolist(") ? "set" : "list";
  if (/getNumberListAttribute\(/.test(code)) return [nesting, "number"];
  if (/getListAttribute\(/.test(code)) return [nesting, "string"];
  if (/getStringAttribute\(/.test(code)) return "string";
  if (/getNumberAttribute\(/.test(code)) return "number";
  return /getBooleanAttribute\(/.test(code) ? "bool" : undefined;
}

/** Returns the type of an attribute whose elements are objects. */
function nestedType(member: Member, rendering: Rendering | undefined, { sections }: Place): AttributeType {
  const { className, isSet } = nestedClass(member, rendering);
  return [isSet ? "set" : "list", typeOfBlock(readClass(className, sections))];
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
  const one = /= new (\w+)OutputReference\(this, "\w+"\)/.exec(code)?.[1];
  if (one !== undefined) return { className: one, isSet, isOne: true };
  // Blocks of the provider itself have no reference classes.
  const own = /private _\w+\?: (\w+)(\[\])?/.exec(code);
  if (own?.[1] === undefined) throw new BugError(`the bindings don't tell the type of ${name}`);
  return { className: own[1], isSet, isOne: own[2] === undefined };
}

/** Reads a block of the bindings. Blocks of the provider have no class of their own, only a rendering. */
function readClass(className: string, sections: Sections): Block {
  const code = sections.get(`class ${className}OutputReference`);
  if (code !== undefined) return readBlock({ sections, code, configuration: className });
  const renderings = readRenderings({ sections, code: "", configuration: className });
  const attributes = [...renderings].map(([name, rendering]): [string, Attribute] => [
    name,
    { type: renderedType(rendering) ?? "string", required: false, optional: true, computed: false, sensitive: false },
  ]);
  return { attributes: new Map(attributes), blocks: new Map() };
}

function section(sections: Sections, name: string): string {
  const code = sections.get(name);
  if (code === undefined) throw new BugError(`the bindings have no ${name}`);
  return code;
}
