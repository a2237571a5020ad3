import schema from "../../lib/plan/migration.schema.json";
import { acceptedForms, type ReferenceForm } from "../../lib/plan/shape/reference";
import { tableRow } from "./markdown";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly { readonly $ref?: string }[];
}

/**
 * Returns the section about references in texts, with the fields of each form.
 *
 * @param documented types with a section of their own
 */
export function referencesSection(documented: ReadonlySet<string>): string {
  const fields = new Map<string, string[]>();
  for (const [name, type] of Object.entries({ MigrationSpec: schema, ...schema.definitions })) {
    for (const [property, value] of Object.entries((type as Schema).properties ?? {})) {
      const form = formOf(value);
      if (form !== undefined) fields.set(form, [...(fields.get(form) ?? []), linked(name, property, documented)]);
    }
  }
  const rows = [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([form, names]) => tableRow(acceptedIn(form), names.join(", ")));
  return `## References

A text of a spec is a literal, or contains references in the forms of its field. A reference is \`\${var.NAME}\`,
\`\${local.NAME}\`, \`\${module.NAME.OUTPUT}\`, \`\${data.TYPE.NAME.ATTRIBUTE}\` or \`\${TYPE.NAME.ATTRIBUTE}\`, with attributes,
\`[0]\` or \`["key"]\`. Functions, operators and directives (\`%{ … }\`) are errors, because Terraform would evaluate them on
the machine that runs it. Write \`$\${\` and \`%%{\` for the characters \`\${\` and \`%{\`. In TypeScript, tokens of the kit
are accepted in the fields of this table.

${tableRow("The field accepts", "Fields")}| --- | --- |
${rows.join("")}
Every other text is a literal. The length of a variable in \`namePrefix\` is not known: its value may have at most 20
characters.
`;
}

/** Returns the name of the definition of a field's texts, for example \`TextWithId\`; undefined for literals. */
function formOf(value: Schema): string | undefined {
  const own = value.allOf?.find(({ $ref = "" }) => /TextWith/.test($ref))?.$ref;
  if (own !== undefined) return own.replace("#/definitions/", "");
  const { items, additionalProperties } = value;
  if (items !== undefined) return formOf(items);
  return typeof additionalProperties === "object" ? formOf(additionalProperties) : undefined;
}

function acceptedIn(definition: string): string {
  const forms = definition.replace(/^TextWith/, "").split("Or");
  return forms
    .map((form) => acceptedForms[form.toLowerCase() as ReferenceForm].replace(/\$\{[^}]*\}/g, "`$&`"))
    .join(", or ");
}

function linked(type: string, property: string, documented: ReadonlySet<string>): string {
  if (!documented.has(type)) return `\`${property}\` of \`${type}\``;
  return `[\`${property}\`](#${type.toLowerCase()})`;
}
