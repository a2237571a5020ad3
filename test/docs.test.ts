import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { quickPages } from "../docs/generate/pages";

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
