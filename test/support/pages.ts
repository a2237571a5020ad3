/** Parts of the pages in docs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function pageText(name: string): string {
  return readFileSync(join(__dirname, "..", "..", "docs", name), "utf8");
}

/**
 * Returns the section of a heading of second level, with its subsections.
 *
 * @throws if the page has no such heading
 */
export function sectionOf(name: string, heading: string): string {
  const [, after] = pageText(name).split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`docs/${name} has no section '${heading}'`);
  return `## ${heading}\n${after.split(/^## /m)[0]}`;
}

/** Returns what a page has before a heading of second level. */
export function textBefore(name: string, heading: string): string {
  return pageText(name).split(`\n## ${heading}\n`)[0] ?? "";
}
