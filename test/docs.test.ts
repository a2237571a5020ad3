import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { quickPages } from "../docs/generate/pages";
import { allTroubles } from "../lib/explain/troubles";
import { scenarios } from "./rehearsal/scenarios";

const root = join(__dirname, "..");
const docs = join(root, "docs");

test("pages that are made from the program say what it says; 'npm run docs' writes them", async () => {
  for (const [path, text] of await quickPages()) expect(readFileSync(join(docs, path), "utf8")).toBe(text);
});

const pages = [
  join(root, "README.md"),
  join(root, "CHANGELOG.md"),
  ...readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(docs, name)),
  ...readdirSync(join(root, "bench"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "bench", name)),
];

test.each(pages.map((page) => [relative(root, page), page]))("every link of %s leads somewhere", (_, page) => {
  const text = readFileSync(page, "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^()\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)].map(
    ([, inline, attribute]) => inline ?? attribute ?? "",
  );
  const broken = links.filter((link) => !/^https:\/\//.test(link) && !leadsSomewhere(link, page));
  expect(broken).toEqual([]);
});

function leadsSomewhere(link: string, page: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, "utf8")).has(anchor);
}

/** As code hosts make them of headings: lower case, without punctuation, hyphens for spaces. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  return new Set(headings);
}

test("the changelog begins with the version of the package, whose tarball the README installs", () => {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, newest] = /^## (\S+?),? /m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  expect(newest).toBe(version);
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`${name}-${version}.tgz`);
});

test("every entry point of the package stands in the README's table of modules, and no other", () => {
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entryPoints = Object.keys(exports).filter((path) => path !== "." && !path.endsWith(".json"));
  const section = /## Modules\n([\s\S]*?)\n## /.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
  const told = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = ""]) => path);
  expect(told.sort()).toEqual(entryPoints.map((path) => path.replace(/^\./, name)).sort());
  expect(section).toContain(`${["no", "one", "two", "three", "four", "five", "six"][told.length]} modules stand alone`);
});

test("what the README says it protects from is held by checks and scenarios that there are", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const section = /## What it protects from\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  const holders = rows.slice(1).map((row) => row.split(" | ").at(-1) ?? "");
  const there = new Set([...allTroubles().map(({ code }) => code), ...scenarios.map(({ name }) => name)]);
  const named = holders.map((holder) => [...holder.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  expect(named.flat().filter((name) => !there.has(name))).toEqual([]);
  expect(holders.filter((holder, row) => named[row]?.length === 0 && !holder.includes("]("))).toEqual([]);
});

test.each(pages.map((page) => [relative(root, page), page]))(
  "every file that %s names by its path is there",
  (_, page) => {
    const text = readFileSync(page, "utf8").replace(/```[\s\S]*?```/g, "");
    const paths = [...text.matchAll(/`((?:lib|test|docs|examples|bench)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);
