import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { quickPages } from "../docs/generate/pages";
import { groups, loadCommands } from "../lib/cli/table";
import { allCodes } from "../lib/explain/codes";
import { scenarios } from "./rehearsal/scenarios";
import { sectionOf } from "./support/pages";

const root = join(__dirname, "..");
const docs = join(root, "docs");
/** Pages for contributors, which are in the repository only. */
const contributing = join(docs, "contributing");

test("generated pages are up to date ('npm run docs' writes them)", async () => {
  for (const [path, text] of await quickPages()) expect(readFileSync(join(docs, path), "utf8")).toBe(text);
});

const pages = [
  join(root, "README.md"),
  join(root, "CHANGELOG.md"),
  ...[docs, contributing, join(root, "bench")].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];

test.each(pages.map((page) => [relative(root, page), page]))("every link of %s has a target", (_, page) => {
  const text = readFileSync(page, "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^()\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)].map(
    ([, inline, attribute]) => inline ?? attribute ?? "",
  );
  const broken = links.filter((link) => !/^https:\/\//.test(link) && !leadsSomewhere(link, page));
  expect(broken).toEqual([]);
});

/** Returns whether the package contains a file or folder: `files` of package.json, and what npm always adds. */
function isInPackage(path: string): boolean {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly files: readonly string[];
  };
  const patterns = [...files.filter((file) => !file.startsWith("!")), "README.md", "LICENSE", "package.json"].map(
    (glob) =>
      new RegExp(
        `^${glob
          .replace(/[.]/g, "[.]")
          .replace(/\{([^}]*)\}/g, (_, words: string) => `(?:${words.replaceAll(",", "|")})`)
          .replace(/\*/g, "[^/]*")}(?:/|$)`,
      ),
  );
  const isFolder = statSync(join(root, path)).isDirectory();
  const below = isFolder ? readdirSync(join(root, path), { recursive: true, encoding: "utf8" }) : [];
  return [path, ...below.map((name) => join(path, name))].some((one) => patterns.some((pattern) => pattern.test(one)));
}

test("no page links to files that the package does not contain, as code, tests, benchmarks or signatures", () => {
  const links = pages
    .filter((page) => ![contributing, join(root, "bench")].includes(dirname(page)))
    .flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g)].map(
        ([, link = ""]) => [relative(root, page), link] as const,
      ),
    )
    .filter(([, link]) => !link.startsWith("https://"));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(([page, link]) => !isInPackage(join(dirname(page), link)))).toEqual([]);
});

test.each([
  ["docs/suitability.md", true],
  ["docs/generate/pages.ts", false],
  ["docs/api/index.api.md", false],
  ["examples", true],
  ["examples/fleet/main.ts", true],
  ["examples/from-certificates/certificates/shop.pem", true],
  ["examples/from-certificates/certificates/api.pem", false],
  ["examples/pipelines/moves.sh", true],
  ["examples/mutual-tls/make-certificates.sh", true],
  ["lib/index.ts", false],
])("of %s the test knows whether the package contains it: %s", (path, is) => {
  expect(isInPackage(path)).toBe(is);
});

function leadsSomewhere(link: string, page: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, "utf8")).has(anchor);
}

/** Returns written anchors, and those of headings as code hosts derive them: lower case, hyphens for spaces. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  const anchors = [...markdown.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...anchors]);
}

test("the changelog starts with the version of the package, and the tutorial installs its tarball", () => {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, newest] = /^## (\S+?),? /m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  expect(newest).toBe(version);
  expect(readFileSync(join(docs, "tutorial.md"), "utf8")).toContain(`${name}-${version}.tgz`);
});

test("docs/README.md lists the entry points of the package", () => {
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entryPoints = Object.keys(exports).filter((path) => path !== "." && !path.endsWith(".json"));
  const page = readFileSync(join(docs, "README.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = ""]) => path);
  expect(listed.sort()).toEqual(entryPoints.map((path) => path.replace(/^\./, name)).sort());
  // The constructs for CDK Terrain are no module for programs.
  expect(page).toContain(`${["no", "one", "two", "three", "four", "five"][listed.length - 1]} modules for programs`);
});

test("every failure on docs/suitability.md names a check, a scenario or a test that exists", () => {
  const rows = sectionOf("suitability.md", "Failures that it prevents")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  const evidence = rows.slice(1).map((row) => row.split(" | ").at(-1) ?? "");
  const existing = new Set([...allCodes().map(({ code }) => code), ...scenarios.map(({ name }) => name)]);
  const named = evidence.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  expect(evidence.length).toBeGreaterThan(0);
  const isTest = (name: string) => name.endsWith(".test.ts") && existsSync(join(root, name));
  expect(named.flat().filter((name) => !existing.has(name) && !isTest(name))).toEqual([]);
  expect(evidence.filter((_, row) => named[row]?.length === 0)).toEqual([]);
});

test("the map of the documentation links to every page", () => {
  const map = readFileSync(join(docs, "README.md"), "utf8");
  const names = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "README.md");
  // A page that the package does not contain is named without a link.
  const unlinked = names.filter((name) => !map.includes(`](${name})`));
  expect(unlinked).toEqual(["conformance.md"]);
  expect(map).toContain("`docs/conformance.md`");
});

test("the README has at most 120 lines", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

/** Words outside code blocks and tables. */
function proseWordsOf(page: string): number {
  const prose = page.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/^\|.*$/gm, "");
  return prose.split(/\s+/).filter((word) => word !== "").length;
}

const generatedWhole = ["audit-events.md", "checks.md", "cli.md", "constructs.md"];

test("a page has at most 2,500 words, without its tables and code", () => {
  const written = readdirSync(docs).filter((name) => name.endsWith(".md") && !generatedWhole.includes(name));
  const counts = written.map((name) => [name, proseWordsOf(readFileSync(join(docs, name), "utf8"))] as const);
  expect(counts.filter(([, count]) => count > 2_500)).toEqual([]);
});

test("messages, comments and examples name only pages and sections that exist", () => {
  const files = ["lib", "examples", "build", "test", ".github", "action.yml"].flatMap((place) => filesBelow(place));
  const named = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bdocs\/([a-z-]+\.md(?:#[a-z0-9-]+)?)/g)].map(
      ([, link = ""]) => [relative(root, file), link] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(([, link]) => !leadsSomewhere(link, join(docs, "README.md")))).toEqual([]);
});

function filesBelow(place: string): readonly string[] {
  const path = join(root, place);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|json|ya?ml|tf|sh|md|py|java|go)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("node_modules"));
}

/** Lines outside code blocks, tables, generated parts and links that can't be broken. */
function proseLines(text: string): readonly string[] {
  const prose = text
    .replace(/```[\s\S]*?```/g, "")
    .replace(/<!-- results -->[\s\S]*?<!-- \/results -->|<!-- profile -->[\s\S]*?<!-- \/profile -->/g, "")
    .replace(/<!-- (\w+): .*?-->[\s\S]*?<!-- \/\1 -->/g, "");
  return prose.split("\n").filter((line) => !/^(?:\||<!--|!\[| {4})/.test(line));
}

const written = pages.filter((page) => !readFileSync(page, "utf8").includes("<!-- Written by `npm run docs`"));

test.each(written.map((page) => [relative(root, page), page]))("%s breaks prose at 120 characters", (_, page) => {
  expect(proseLines(readFileSync(page, "utf8")).filter((line) => line.length > 120)).toEqual([]);
});

/** Command lines of a page: in code blocks, in indented code, and in code spans. */
function commandLinesOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block.replace(/\\\n\s*/g, "").split("\n"),
  );
  const outside = text.replace(/```[\s\S]*?```/g, "");
  const indented = [...outside.matchAll(/^ {4}(?! )(.+)$/gm)].map(([, line = ""]) => line);
  const spans = [...outside.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return [...blocks, ...indented, ...spans]
    .flatMap((line) => line.replace(/\s#.*$/, "").split(/\||&&|;/))
    .map((part) =>
      part
        .trim()
        .replace(/^\$ /, "")
        .replace(/^(?:[A-Z]+=\S* )+/, ""),
    );
}

/** Returns the mistake in a command line: an unknown command, option, choice, scenario or script. */
function mistakeIn(line: string): string | undefined {
  const script = /^npm run (?:--silent )?([\w:-]+)/.exec(line)?.[1];
  if (script !== undefined) {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return script in scripts ? undefined : `'${line}': no script '${script}'`;
  }
  const call = /^(?:npx (?:--no-install )?)?cert-migration (.*)$/.exec(line)?.[1];
  if (call === undefined) return undefined;
  const words = call.split(/\s+/);
  const commands = loadCommands().filter(({ name }) => `${call} `.startsWith(`${name} `));
  const group = Object.keys(groups).find((name) => name === words[0]);
  const [command] = commands.sort((one, other) => other.name.length - one.name.length);
  // A group by itself, as in "`cert-migration api …`", and options before any command.
  if (command === undefined && (group !== undefined || /^(?:--|…)/.test(call))) return undefined;
  if (command === undefined) return `'${line}': no such command`;
  for (const [index, word] of words.entries()) {
    if (!/^--[a-z]/.test(word) || ["--quiet", "--no-color", "--help"].includes(word)) continue;
    const [flag = "", inline] = word.split("=");
    const option = command.options?.find(({ flags }) => flags.split(/[ ,]+/).includes(flag));
    if (option === undefined) return `'${line}': no option '${flag}'`;
    const value = inline ?? words[index + 1] ?? "";
    if (/^[A-Z_]+$|^$/.test(value)) continue;
    if (option.choices !== undefined && !option.choices.includes(value))
      return `'${line}': ${flag} can't be '${value}'`;
    if (flag === "--faults" && !scenarios.some(({ name }) => name === value))
      return `'${line}': no scenario '${value}'`;
  }
  return undefined;
}

test.each(pages.map((page) => [relative(root, page), page]))(
  "every command line of %s has a command and options that exist",
  (_, page) => {
    const mistakes = commandLinesOf(readFileSync(page, "utf8")).map(mistakeIn);
    expect(mistakes.filter((mistake) => mistake !== undefined)).toEqual([]);
  },
);

test.each([
  ["npm run nothing", "no script 'nothing'"],
  ["npx cert-migration frobnicate", "no such command"],
  ["cert-migration wait --colour", "no option '--colour'"],
  ["cert-migration wait --for everything", "--for can't be 'everything'"],
  ["npx cert-migration rehearse --faults nothing", "no scenario 'nothing'"],
])("a page with the command line '%s' is refused", (line, mistake) => {
  expect(commandLinesOf(`\`\`\`sh\n${line}\n\`\`\`\n`).map(mistakeIn)).toEqual([`'${line}': ${mistake}`]);
});

test.each(pages.map((page) => [relative(root, page), page]))("every file that %s names exists", (_, page) => {
  const text = readFileSync(page, "utf8").replace(/```[\s\S]*?```/g, "");
  const paths = [...text.matchAll(/`((?:lib|test|docs|examples|bench|\.ci)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("docs/contributing/extending.md names every file with rows of resource types", () => {
  const folder = "lib/terraform-provider/resources";
  const index = readFileSync(join(root, folder, "index.ts"), "utf8");
  const imported = [...index.matchAll(/^import \{[^}]*(?:Rows?|Kind|KindOf)\b[^}]*\} from "\.\/([\w-]+)"/gm)].map(
    ([, name = ""]) => `\`${folder}/${name}.ts\``,
  );
  const page = readFileSync(join(docs, "contributing", "extending.md"), "utf8");
  expect(imported).toContain(`\`${folder}/dns.ts\``);
  // `rest.ts` has no row: it makes the kind of each row.
  expect(imported.filter((file) => !page.includes(file))).toEqual([`\`${folder}/rest.ts\``]);
});

test("every file that docs/contributing/extending.md names exists, and is named by its full path", () => {
  const spans = [...readFileSync(join(docs, "contributing", "extending.md"), "utf8").matchAll(/`([^`\s*]+)`/g)].map(
    ([, span = ""]) => span,
  );
  const files = spans.filter((span) => /\.(?:ts|json|md|sh|proto)$/.test(span));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
