/** Returns a comment that names the source of a generated page. */
export function generatedNote(source: string): string {
  return `<!-- Written by \`npm run docs\` from ${source}: change it there. -->\n`;
}

/** First line of a reference, in which readers search for one entry. */
export const glossaryNote = "The [glossary](glossary.md) explains the terms of this page.\n";

/** Returns a table row, with `|` and line breaks in cells escaped. */
export function tableRow(...cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n+\s*/g, " "));
  return `| ${escaped.join(" | ")} |\n`;
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => tableRow(...cells)).join("");
}

/**
 * Returns the page with each table between the comments of its name, `<!-- name: source -->` and `<!-- /name -->`.
 *
 * @throws Error if the page has no such comments, or several
 */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const parts = text.split(new RegExp(`(?<=<!-- ${name}: .*? -->\n)[\\s\\S]*(?=<!-- /${name} -->)`));
    const [before, after] = parts;
    if (parts.length !== 2 || before === undefined || after === undefined) {
      throw new Error(`the page needs exactly one place for the table '${name}'`);
    }
    return `${before}${table}${after}`;
  }, page);
}
