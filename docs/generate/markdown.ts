/** Says where a page comes from, so that nobody mends the copy. */
export function generatedNote(source: string): string {
  return `<!-- Written by \`npm run docs\` from ${source}: change it there. -->\n`;
}

/** A row of a table; what would end a cell is escaped. */
export function tableRow(...cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n+\s*/g, " "));
  return `| ${escaped.join(" | ")} |\n`;
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => tableRow(...cells)).join("");
}

/**
 * Puts each of the tables between the marks of its name, `<!-- name: where it is from -->` and `<!-- /name -->`.
 *
 * @throws Error where the page has no such place, or several
 */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const parts = text.split(new RegExp(`(?<=<!-- ${name}: .*? -->\n)[\\s\\S]*(?=<!-- /${name} -->)`));
    const [before, after] = parts;
    if (parts.length !== 2 || before === undefined || after === undefined) {
      throw new Error(`the page has no one place for the table '${name}'`);
    }
    return `${before}${table}${after}`;
  }, page);
}
