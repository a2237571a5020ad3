import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withTables } from "./markdown";

const root = join(__dirname, "..", "..");

/** Where the example of a language creates its migration: the first line, and how the last line ends the statement. */
const statements = {
  typescript: { file: "test/kits/languages/main.ts", first: /^const migration = /, last: /^\}\);$/ },
  python: { file: "examples/python/main.py", first: /^ *self\.migration = /, last: /^ {8}\)$/ },
  java: {
    file: "examples/java/src/main/java/com/example/shop/Main.java",
    first: /^ *ManagedCertMigration migration =$/,
    last: /^ *\.build\(\);$/,
  },
  go: { file: "examples/go/main.go", first: /^\tmigration := /, last: /^\t\}\)$/ },
  csharp: { file: "examples/csharp/Program.cs", first: /^ *var migration = /, last: /^ {8}\}\);$/ },
};

/** A language with an example. */
export type Language = keyof typeof statements;

/** Returns the page on languages with the same statement from the example of each language. */
export function languagesPage(): string {
  const page = readFileSync(join(root, "docs", "languages.md"), "utf8");
  const blocks = Object.entries(statements).map(([language, { file }]) => {
    // A test finds the files of TypeScript by their path.
    const fence = language === "typescript" ? `ts ${file}` : language;
    return [language, `\`\`\`${fence}\n${statementIn(language as Language)}\n\`\`\`\n`] as const;
  });
  return withTables(page, Object.fromEntries(blocks));
}

/** Returns the statement that creates the migration in the example of a language, without indentation. */
export function statementIn(language: Language): string {
  const { file, first, last } = statements[language];
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const from = lines.findIndex((line) => first.test(line));
  const length = lines.slice(from).findIndex((line) => last.test(line)) + 1;
  if (from < 0 || length === 0) throw new Error(`${file} has no statement from ${first} to ${last}`);
  const statement = lines.slice(from, from + length);
  const [indent = ""] = /^\s*/.exec(statement[0] ?? "") ?? [];
  return statement.map((line) => line.slice(indent.length)).join("\n");
}
