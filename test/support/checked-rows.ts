import { type ApiDescription, ownDescription } from "../../lib/discovery";
import { nameIn, type Overlay } from "../../lib/terraform-provider/planning";
import { apiName, isForeign } from "../../lib/terraform-provider/resources/mapping";
import type { RestRow } from "../../lib/terraform-provider/resources/rest-row";
import type { SchemaBlock } from "../../lib/terraform-provider/schema";

const descriptions: Readonly<Record<RestRow["service"], ApiDescription>> = {
  certificatemanager: ownDescription("certificatemanager:v1"),
  compute: ownDescription("compute:v1"),
  dns: ownDescription("dns:v1"),
  networksecurity: ownDescription("networksecurity:v1"),
  privateca: ownDescription("privateca:v1"),
};
const roots = {
  certificatemanager: "v1",
  compute: "compute/v1",
  dns: "dns/v1",
  networksecurity: "v1",
  privateca: "v1",
} as const;

type Schema = ReturnType<ApiDescription["schema"]>;

/** Attributes of the path, and two attributes that share a member, which requests and answers distinguish. */
const ownNames = new Set([
  "certificate_manager_certificates",
  "id",
  "project",
  "timeouts",
  "labels",
  "terraform_labels",
  "effective_labels",
  "deletion_policy",
]);

/** The attributes of a described type that lead to no member of the API. */
export function strayAttributes(row: RestRow, block: SchemaBlock): readonly string[] {
  const description = descriptions[row.service];
  const place = row.collection.replace(/\{\w+\}/g, "x");
  const match = description.match("POST", `/${roots[row.service]}/${place}`);
  return strayIn(row, block, description.schema(match?.method.request?.$ref ?? ""), "");
}

function strayIn(row: RestRow, block: SchemaBlock, schema: Schema, at: string): readonly string[] {
  const description = descriptions[row.service];
  const foreign = [...(row.foreign ?? []), ...(row.collection.match(/(?<=\{)\w+(?=\})/g) ?? [])];
  const stray: string[] = [];
  for (const member of [...block.attributes.keys(), ...block.blocks.keys()]) {
    const name = nameIn(at, member);
    if ((at === "" && ownNames.has(member)) || isForeign(block, { foreign }, at, member)) continue;
    const found = memberOf(description, schema, apiName({ apiNames: row.apiNames ?? {}, foreign: [] }, name));
    if (found === undefined) {
      stray.push(name);
      continue;
    }
    const inner = block.blocks.get(member);
    if (inner !== undefined) stray.push(...strayIn(row, inner.block, found, name));
  }
  return stray;
}

function memberOf(description: ApiDescription, schema: Schema, path: string): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const part of path.split(".")) current = resolve(description, current?.properties?.[part]);
  return current;
}

function resolve(description: ApiDescription, schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref !== undefined) return description.schema(schema.$ref);
  return schema?.type === "array" ? resolve(description, schema.items) : schema;
}

/** The names in an overlay that the schema does not have. */
export function unknownNames(overlay: Overlay, schema: SchemaBlock): readonly string[] {
  const names = new Set(namesOf(schema));
  const said = [
    ...overlay.forceNew,
    ...Object.keys(overlay.defaults ?? {}),
    ...Object.keys(overlay.equivalences ?? {}),
    ...Object.values(overlay.answers ?? {}).flat(),
    ...(overlay.exactlyOne ?? []).flat(),
    ...(overlay.atMostOne ?? []).flat(),
    ...(overlay.sensitive ?? []),
  ];
  return said.filter((name) => !names.has(name));
}

/** Dotted names of everything in a block. */
function namesOf(block: SchemaBlock, at = ""): readonly string[] {
  return [
    ...[...block.attributes.keys()].map((name) => `${at}${name}`),
    ...[...block.blocks].flatMap(([name, nested]) => [`${at}${name}`, ...namesOf(nested.block, `${at}${name}.`)]),
  ];
}
