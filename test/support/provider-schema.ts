import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The schema of a block, derived from the source of the bindings, because a copied schema would become outdated. */
export interface BlockSchema {
  readonly attributes: ReadonlyMap<string, AttributeSchema>;
}

export interface AttributeSchema {
  readonly computed: boolean;
  readonly optional: boolean;
  readonly required: boolean;
  readonly type: "string" | "number" | "bool" | "list" | "map" | "unknown" | BlockSchema;
}

const root = dirname(require.resolve("@cdktf/provider-google/package.json"));
const schemas = new Map<string, BlockSchema>();

/** Returns the schema of a resource type, for example `google_dns_record_set`. */
export function schemaOf(type: string): BlockSchema {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  const folder = type.replace(/^google_/, "").replace(/_/g, "-");
  const classes = readClasses(readSource(join(root, "lib", folder, "index.js")));
  const name = [...classes.keys()].find((each) => classes.get(each)?.includes(`"${type}"`));
  if (name === undefined) throw new Error(`no class of the bindings is ${type}`);
  const schema = readBlock(name, classes);
  schemas.set(type, schema);
  return schema;
}

/** Reads the original source from the source map, because the generated JavaScript lacks some comments. */
function readSource(path: string): string {
  const text = readFileSync(path, "utf8");
  const encoded = text.slice(text.lastIndexOf("base64,") + "base64,".length).trim();
  const map = JSON.parse(Buffer.from(encoded, "base64").toString("utf8")) as { sourcesContent: string[] };
  return map.sourcesContent[0] as string;
}

function readClasses(source: string): ReadonlyMap<string, string> {
  const parts = source.split(/^export class (\w+) extends /m);
  const classes = new Map<string, string>();
  for (let index = 1; index < parts.length; index += 2) classes.set(parts[index] as string, parts[index + 1] as string);
  return classes;
}

function readBlock(name: string, classes: ReadonlyMap<string, string>): BlockSchema {
  const attributes = new Map<string, AttributeSchema>();
  const body = classes.get(name) ?? "";
  const pattern =
    /\/\/ (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n([\s\S]*?)(?=\n\s*\/\/ \w+ - computed|\n\s*\/\/ =====|$)/g;
  for (const [, attribute, computed, optional, required, code] of body.matchAll(pattern)) {
    attributes.set(attribute as string, {
      computed: computed === "true",
      optional: optional === "true",
      required: required === "true",
      type: readType(code as string, classes),
    });
  }
  return { attributes };
}

function readType(code: string, classes: ReadonlyMap<string, string>): AttributeSchema["type"] {
  const nested = /= new (?:cdktf\.)?(\w+)\(this, "/.exec(code)?.[1];
  if (nested === "StringMap") return "map";
  if (nested !== undefined) {
    const element = nested.endsWith("List") ? nested.replace(/List$/, "OutputReference") : nested;
    return classes.has(element) ? readBlock(element, classes) : "unknown";
  }
  if (/getStringMapAttribute/.test(code)) return "map";
  if (/get\w*ListAttribute|Fn\.tolist/.test(code)) return "list";
  if (/getStringAttribute/.test(code)) return "string";
  if (/getNumberAttribute/.test(code)) return "number";
  if (/getBooleanAttribute/.test(code)) return "bool";
  return "unknown";
}
