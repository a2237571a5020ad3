import { type ApiDescription, ownDescription } from "../../../lib/discovery";
import { nameIn } from "../../../lib/terraform-provider/planning";
import { describedRows } from "../../../lib/terraform-provider/resources";
import { apiName } from "../../../lib/terraform-provider/resources/mapping";
import type { RestRow } from "../../../lib/terraform-provider/resources/rest-row";
import { type Block, openBindings, resourceSchema } from "../../../lib/terraform-provider/schema";

const descriptions: Readonly<Record<RestRow["service"], ApiDescription>> = {
  certificatemanager: ownDescription("certificatemanager:v1"),
  compute: ownDescription("compute:v1"),
  dns: ownDescription("dns:v1"),
};
const roots = { certificatemanager: "v1", compute: "compute/v1", dns: "dns/v1" } as const;
const bindings = openBindings();

type Schema = ReturnType<ApiDescription["schema"]>;

/** Beside what places a resource: two attributes that share a member are told apart when they are sent and read. */
const ownNames = new Set([
  "certificate_manager_certificates",
  "id",
  "project",
  "timeouts",
  "labels",
  "terraform_labels",
  "effective_labels",
]);

/** The attributes of a type that lead to no member of the API's schema. */
function strayAttributes(row: RestRow, block: Block, schema: Schema, at = ""): readonly string[] {
  const description = descriptions[row.service];
  const foreign = new Set([...(row.foreign ?? []), ...(row.collection.match(/(?<=\{)\w+(?=\})/g) ?? [])]);
  const stray: string[] = [];
  const members = [...block.attributes.keys(), ...block.blocks.keys()];
  for (const member of members) {
    const name = nameIn(at, member);
    if ((at === "" && ownNames.has(member)) || foreign.has(name)) continue;
    const found = memberOf(description, schema, apiName({ apiNames: row.apiNames ?? {}, foreign: [] }, name));
    if (found === undefined) {
      stray.push(name);
      continue;
    }
    const inner = block.blocks.get(member);
    if (inner !== undefined) stray.push(...strayAttributes(row, inner.block, found, name));
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

test.each(describedRows.map((row) => [row.type, row] as const))(
  "every attribute of %s is a member of its API",
  (type, row) => {
    const description = descriptions[row.service];
    const place = row.collection.replace(/\{\w+\}/g, "x");
    const match = description.match("POST", `/${roots[row.service]}/${place}`);
    const schema = description.schema(match?.method.request?.$ref ?? "");

    expect(strayAttributes(row, resourceSchema(bindings, type) as Block, schema)).toEqual([]);
  },
);
