/** Says where a page comes from, so that nobody mends the copy. */
export function generatedNote(source: string): string {
  return `<!-- Written by \`npm run docs\` from ${source}: change it there. -->\n`;
}

/** A row of a table; what would end a cell is escaped. */
export function tableRow(...cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n+\s*/g, " "));
  return `| ${escaped.join(" | ")} |\n`;
}
