import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import glossary from "./glossary.json";
import { longSentences, wideComments, wideLines } from "./line-rules";

const root = join(__dirname, "..", "..");

/** A word of the glossary that occurs in a text. */
export interface Avoided {
  readonly text: string;
  readonly write: string;
}

/** Pages that `npm run docs` writes as a whole; their words are those of lib. */
const generatedMark = "<!-- Written by `npm run docs`";

/** Returns the prose of a page, without code, links' targets and generated tables. */
export function proseOfPage(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/<!-- (results|profile) -->[\s\S]*?<!-- \/\1 -->/g, " ")
    .replace(/<!-- (\w+): .*?-->[\s\S]*?<!-- \/\1 -->/g, " ")
    .replace(/^ {4}\S.*$/gm, " ")
    .replace(/`[^`]*`/g, " X ")
    .replace(/\]\([^)]*\)/g, "] ")
    .replace(/https?:\/\/\S+/g, " ");
}

/** Returns the comments and the texts of three or more words in a source file. */
export function proseOfSource(text: string): string {
  const comments: string[] = [];
  const code = text.replace(/\/\*\*[\s\S]*?\*\/|(?<=^|[\s{;,])\/\/ .*$/gm, (comment) => {
    comments.push(comment.replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, " "));
    return "";
  });
  const texts = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted, template]) => (quoted ?? template ?? "").replace(/\$\{[^}]*\}/g, " X "))
    .filter((literal) => /[a-z]+[ ,]+[a-z]+ [a-z]+/.test(literal));
  return [...comments, ...texts].join("\n").replace(/`[^`]*`/g, " X ");
}

/** Returns the words to avoid in a prose text, in their order for each entry of the glossary. */
export function findAvoided(prose: string): readonly Avoided[] {
  const text = prose.replace(/\s+/g, " ");
  return glossary.words.flatMap(({ pattern, write, allow = [] }) => {
    const allowed = allow.reduce((left, phrase) => left.replace(new RegExp(phrase, "gi"), " X "), text);
    const matches = allowed.matchAll(new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, "gi"));
    return [...matches].map(([match]) => ({ text: match.toLowerCase(), write }));
  });
}

export interface Measurement {
  readonly words: number;
  readonly avoided: readonly (Avoided & { readonly file: string })[];
  /** Words to avoid per 1,000 words. */
  readonly rate: number;
}

/** Measures the words to avoid in some files. @param files prose by path */
export function measureProse(files: ReadonlyMap<string, string>): Measurement {
  const words = [...files.values()].reduce((sum, prose) => sum + (prose.match(/[A-Za-z][A-Za-z'-]*/g)?.length ?? 0), 0);
  const avoided = [...files].flatMap(([file, prose]) => findAvoided(prose).map((found) => ({ ...found, file })));
  return { words, avoided, rate: words === 0 ? 0 : (1_000 * avoided.length) / words };
}

/** Returns the README, the changelog and the pages in docs and bench that people write, by path. */
function readPages(): readonly [path: string, text: string][] {
  const inFolder = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  return ["README.md", "CHANGELOG.md", ...inFolder("docs"), ...inFolder("docs/contributing"), ...inFolder("bench")]
    .filter((path) => path.endsWith(".md"))
    .map((path): [string, string] => [path, readFileSync(join(root, path), "utf8")])
    .filter(([, text]) => !text.includes(generatedMark));
}

/**
 * Returns the prose of the README, the changelog, the pages in docs and bench, and the comments of the examples, by
 * path.
 */
export function readDocs(): ReadonlyMap<string, string> {
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|sh|ya?ml)$|Dockerfile$/.test(name))
    .map((name): [string, string] => {
      const text = readFileSync(join(root, "examples", name), "utf8");
      const comments = name.endsWith(".ts") ? proseOfSource(text) : (text.match(/^\s*#(?!!).*$/gm) ?? []).join("\n");
      return [`examples/${name}`, comments];
    });
  return new Map([...readPages().map(([path, text]): [string, string] => [path, proseOfPage(text)]), ...examples]);
}

/** Returns the comments and texts of every source file in a folder, by path. */
export function readSources(folder: "bench" | "lib" | "test"): ReadonlyMap<string, string> {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return new Map(
    names.map((name) => [`${folder}/${name}`, proseOfSource(readFileSync(join(root, folder, name), "utf8"))]),
  );
}

/** Returns the titles of tests and of groups of tests in a source file. */
export function titlesOfTests(text: string): string {
  const calls = /(?:\b(?:test|it|describe)(?:\.\w+)?\(|\)\()\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  return [...text.matchAll(calls)].map(([, quoted, template]) => quoted ?? template ?? "").join("\n");
}

/** Returns the titles of every test file, by path. */
export function readTitles(): ReadonlyMap<string, string> {
  const names = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:test|robustness|browser)\.ts$/.test(name),
  );
  return new Map(names.map((name) => [`test/${name}`, titlesOfTests(readFileSync(join(root, "test", name), "utf8"))]));
}

function report(name: "bench" | "docs" | "lib" | "test" | "titles", { words, avoided, rate }: Measurement): boolean {
  const bound = glossary.bounds[name];
  const isMet = rate <= bound;
  process.stdout.write(
    `${name}: ${avoided.length} words to avoid in ${words} words, ${rate.toFixed(2)} per 1,000 (bound ${bound})\n`,
  );
  if (name === "docs" || name === "titles" || !isMet) {
    for (const { file, text, write } of avoided.slice(0, 60))
      process.stdout.write(`  ${file}: '${text}'; write ${write}\n`);
  }
  return isMet;
}

/** Prints lines that are too wide and sentences that are too long. Returns whether the prose has no such problem. */
function reportLines(): boolean {
  const sources = ["lib", "test", "bench", "build", "conformance", "docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
  const found = [
    ...sources.flatMap((path) =>
      wideComments(readFileSync(join(root, path), "utf8")).map(
        (line) => `${path}:${line}: comment above 120 characters`,
      ),
    ),
    ...readPages().flatMap(([path, text]) => [
      ...wideLines(text).map((line) => `${path}: above 120 characters: ${line}`),
      ...longSentences(proseOfPage(text)).map((sentence) => `${path}: above 30 words: ${sentence}`),
    ]),
  ];
  process.stdout.write(`lines: ${found.length} lines of prose above 120 characters or sentences above 30 words\n`);
  for (const text of found) process.stdout.write(`  ${text}\n`);
  return found.length === 0;
}

/** Prints the rates; `--list` prints the most frequent words of lib. */
function main(): void {
  const lib = measureProse(readSources("lib"));
  const results = [
    report("docs", measureProse(readDocs())),
    report("lib", lib),
    report("titles", measureProse(readTitles())),
    report("bench", measureProse(readSources("bench"))),
    report("test", measureProse(readSources("test"))),
    reportLines(),
  ];
  if (process.argv.includes("--list")) {
    const counts = new Map<string, number>();
    for (const { text } of lib.avoided) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const [text, count] of [...counts].sort(([, one], [, other]) => other - one).slice(0, 40)) {
      process.stdout.write(`  ${count} ${text}\n`);
    }
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

if (require.main === module) main();
