import { type ApiItem, type EntryPoint, textOf } from "./api-model";
import { generatedNote, glossaryNote, tableRow } from "./markdown";
import { referencesSection } from "./references";
import { specialCertificatesSection } from "./special-certificates";
import { stackScopeSection } from "./stack-scope";

/** Returns the reference of constructs, props and data types, from the doc comments. */
export function constructsPage({ items }: EntryPoint): string {
  const classes = items.filter(({ kind }) => kind === "Class");
  const interfaces = items.filter(({ kind }) => kind === "Interface");
  const aliases = items.filter(({ kind }) => kind === "TypeAlias");
  const listed = (some: readonly ApiItem[]) => some.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(", ");
  return [
    "# Constructs\n",
    generatedNote("the doc comments in `lib/constructs` and `lib/plan/spec*.ts`"),
    glossaryNote,
    `Classes: ${listed(classes)}.\n`,
    `Props and data: ${listed(interfaces)}.\n`,
    `Types: ${listed(aliases)}.\n`,
    specialCertificatesSection(),
    stackScopeSection(),
    referencesSection(new Set(interfaces.map(({ name }) => name))),
    ...classes.map(classSection),
    ...interfaces.map(interfaceSection),
    ...aliases.map(aliasSection),
  ].join("\n");
}

function classSection(item: ApiItem): string {
  const members = item.members ?? [];
  // Properties without a declared type exist for cdktf only: `tfResourceType`, the name of an error.
  const properties = members.filter(
    (member) => member.kind === "Property" && textOf(member, member.propertyTypeTokenRange) !== "",
  );
  const methods = members.filter(
    (member) => /^(?:Method|Constructor)$/.test(member.kind) && !textOf(member).startsWith("protected "),
  );
  return [
    `## ${item.name}\n`,
    describe(item),
    ...methods.map((method) => methodSection(method, item.name)),
    properties.length === 0 ? "" : propertyTable(properties),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function methodSection(method: ApiItem, className: unknown): string {
  const text = describe(method);
  // The extractor writes its own text for a constructor without a comment.
  const isSaid = method.kind !== "Constructor" && text !== "";
  const signature = textOf(method).replace(/;$/, "");
  const written = method.kind === "Constructor" ? signature.replace("constructor", `new ${className}`) : signature;
  return `\`\`\`ts\n${written}\n\`\`\`\n${isSaid ? `\n${text}` : ""}`;
}

function interfaceSection(item: ApiItem): string {
  const members = (item.members ?? []).filter(({ kind }) => kind === "PropertySignature");
  const methods = (item.members ?? []).filter(({ kind }) => kind === "MethodSignature");
  const bases = /^[^<{]*(?:<[^>]*>)? extends (.*?) \{?$/.exec(`${textOf(item)} `.replace(/\s*\{\s*$/, " "))?.[1];
  return [
    `## ${item.name}\n`,
    describe(item),
    bases === undefined ? "" : `Also has the fields of ${bases.trim()}.\n`,
    ...methods.map(methodSection),
    members.length === 0 ? "" : propertyTable(members),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function aliasSection(item: ApiItem): string {
  return [
    `## ${item.name}\n`,
    describe(item),
    `\`\`\`ts\n${textOf(item).replace(/^export declare /, "")}\n\`\`\`\n`,
  ].join("\n");
}

function propertyTable(properties: readonly ApiItem[]): string {
  const rows = properties.map((property) => {
    const { text, byDefault } = readComment(property.docComment);
    const required = property.kind === "PropertySignature" && property.isOptional !== true ? " (required)" : "";
    const type = textOf(property, property.propertyTypeTokenRange);
    return tableRow(
      `\`${property.name}\`${required}`,
      `\`${type}\``,
      [text, byDefault && `Default: ${byDefault}.`].filter(Boolean).join(" "),
    );
  });
  return `${tableRow("Name", "Type", "Meaning")}${tableRow("---", "---", "---")}${rows.join("")}`;
}

function describe(item: ApiItem): string {
  const { text, failures, example } = readComment(item.docComment);
  if (text === "" && failures === "") return "";
  return `${[text, failures === "" ? "" : `Throws ${failures}.`, example].filter((part) => part !== "").join("\n\n")}\n`;
}

interface Comment {
  readonly text: string;
  readonly byDefault: string;
  readonly failures: string;
  /** A code block. */
  readonly example: string;
}

function readComment(comment = ""): Comment {
  const [, example = ""] = /@example[\s*]+(```ts\n[\s\S]*?\n\s*\*? ?```)/.exec(comment) ?? [];
  const plain = comment
    .replace(/@example\s[\s\S]*?```ts\n[\s\S]*?```/g, "")
    .replace(/^\/\*\*\s*|\s*\*\/\s*$/g, "")
    .replace(/^\s*\* ?/gm, "")
    // The types state these limits in words too.
    .replace(/\s*@(?:minimum|maximum|minItems) \d+/g, "")
    .replace(/\s*@reference [a-z, ]+/g, "")
    .replace(/\{@link ([^}|]+?)\s*\}/g, (_, target: string) => `\`${target}\``);
  const [text = "", ...tags] = plain.split(/(?:^|\s)@(?=(?:default|throws|param|returns|source)\b)/);
  const tagged = (name: string) =>
    tags
      .filter((tag) => tag.startsWith(name))
      .map((tag) => inline(tag.slice(name.length)).replace(/^- /, "").replace(/[.;]$/, ""))
      .join("; ");
  return {
    text: text
      .split(/\n{2,}/)
      .map(inline)
      .join("\n\n")
      .trim(),
    byDefault: tagged("default"),
    failures: tagged("throws"),
    example: example.replace(/^\s*\* ?/gm, ""),
  };
}

function inline(text: string): string {
  // The extractor joins the lines of lists.
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/([.:;]) - (?=\S)/g, "$1\n- ");
}
