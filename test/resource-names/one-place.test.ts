import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { parseSync } from "@swc/core";

const lib = join(__dirname, "..", "..", "lib");

/** Files that may parse or write names themselves, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "cloud/project-services.ts": "the path of an API request, in the text of an error as Google writes it",
  "terraform-provider/resources/data.ts": "the id of google_client_config, which is not the name of a resource",
};

/** Returns the regular expressions and template literals of a source that parse or write names. */
function ownExpressions(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, pattern, quasis } = node as { type?: string; pattern?: string; quasis?: readonly { raw: string }[] };
    if (type === "RegExpLiteral" && pattern !== undefined && parsesName(pattern)) found.push(`/${pattern}/`);
    if (type === "TemplateLiteral" && quasis !== undefined) {
      const text = quasis.map(({ raw }) => raw).join("$" + "{}");
      if (writesName(text)) found.push(`\`${text}\``);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseSync(source, { syntax: "typescript", target: "es2022" }));
  return found;
}

/** Returns whether a regular expression has a part such as `projects/` or `(?:global|regions)/`. */
function parsesName(pattern: string): boolean {
  return /(?<![a-zA-Z])(?:projects|locations|global|regions|zones)\)?\\\//.test(pattern);
}

/** Returns whether a template literal has such a part before or after a value. */
function writesName(template: string): boolean {
  const before = /(?<![a-zA-Z])(?:projects|locations|regions|zones)\/\$\{|(?<![a-zA-Z])global\/[^\s]*\$\{/;
  const after = /\}\/(?:projects|locations|global|regions|zones)\//;
  return before.test(template) || after.test(template);
}

function sources(): readonly string[] {
  const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.map((file) => file.split(sep).join("/")).sort();
}

/** Returns the expressions of each file that has some; only sources with the words are parsed, to save time. */
function expressionsByFile(): ReadonlyMap<string, readonly string[]> {
  const found = sources().map((file): [string, readonly string[]] => {
    const source = readFileSync(join(lib, file), "utf8");
    return [file, /(?:projects|locations|global|regions|zones)\)?\\?\//.test(source) ? ownExpressions(source) : []];
  });
  return new Map(found.filter(([, expressions]) => expressions.length > 0));
}

const byFile = expressionsByFile();

test("only lib/resource-names parses and writes names of resources", () => {
  const others = [...byFile].filter(([file]) => !file.startsWith("resource-names/") && !(file in exceptions));
  expect(others).toEqual([]);
});

test("every exception is still needed", () => {
  expect(Object.keys(exceptions).filter((file) => !byFile.has(file))).toEqual([]);
});

test.each([
  ["const x = /^projects\\/([^/]+)/;", 1],
  ["const x = /^(?:global|regions)\\//.test(y);", 1],
  ["const x = `projects/${p}`;", 1],
  ["const x = `${scope}/global/urlMaps/web`;", 1],
  ["const x = `${place}/regions/${r}`;", 1],
  ["const x = `global/urlMaps/${name}`;", 1],
  ["const f = (x: string) => [`locations/${x}/buckets/${x}`, `${`projects/${x}`}/more`];", 2],
  ['const x = "projects/{project}/global/urlMaps"; // `projects/${p}`', 0],
  ["const x = `${name} is not projects/PROJECT/global/urlMaps/NAME`;", 0],
  ["const x = /managedZones\\//;", 0],
])("finds the expressions of %s", (source, count) => {
  expect(ownExpressions(source)).toHaveLength(count);
});
