import { InputError } from "../../errors";
import type { ExplainedCode } from "../../explain";
import { groupBy } from "../../json/group-by";
import { quote } from "../../text/quote";
import type { Io } from "../command";
import { defineCommand, optionalArgument } from "../declare";
import * as load from "../load";
import { jsonOption } from "../options";
import { columnsOf, folderFor, paintFor, severityTones } from "../style";
import { adviceOn } from "../suggest";
import { formatTable } from "../text-table";

export const command = defineCommand({
  description:
    "Explains the code of a finding or an error and its remedy. Commands print the code in brackets. Without a code, lists all codes. Sends no requests.",
  arguments: { code: optionalArgument({ description: "as in record-missing", offers: knownCodes }) },
  options: { "--markdown": "print the whole reference in Markdown", ...jsonOption },
  json: "codes",
  examples: {
    "cert-migration explain domain-caa": "one code",
    "cert-migration explain --markdown > codes.md": "all codes as a page",
  },
  run: async ({ arguments: { code }, options, json }, io) => {
    const all = load.explain().allCodes();
    const codes = code === undefined ? all : all.filter((entry) => entry.code === code);
    if (codes.length === 0) throw unknownCode(code ?? "");
    if (options.json) io.stdout.write(json({ codes }));
    else if (options.markdown) io.stdout.write(markdownOf(codes));
    else if (code === undefined) io.stdout.write(tableOf(codes, io));
    else io.stdout.write(codes.map((entry) => wordsOf(entry, io)).join("\n"));
    return 0;
  },
});

function knownCodes(): readonly string[] {
  return [
    ...new Set(
      load
        .explain()
        .allCodes()
        .map(({ code }) => code),
    ),
  ].sort();
}

function unknownCode(code: string): InputError {
  const advice = adviceOn(code, knownCodes(), "'cert-migration explain' lists them");
  return new InputError("code-unknown", `${quote(code)} is not a code of a finding or an error; ${advice}`);
}

function tableOf(codes: readonly ExplainedCode[], io: Io): string {
  const paint = paintFor(io, "stdout");
  // On a narrow terminal, the meaning needs the space; explaining a single code shows the commands that report it.
  const isNarrow = (io.stdout.columns || leastColumns) < leastColumns;
  const rows = codes.map(({ code, severity, commands, meaning }) => {
    return [code, severity, ...(isNarrow ? [] : [commands.join(", ")]), meaning];
  });
  return formatTable(
    ["code", "severity", ...(isNarrow ? [] : ["found by"]), "meaning"],
    rows,
    (cell, column, row) => {
      const tone = severityTones[codes[row]?.severity ?? "info"];
      return column === 1 ? paint(tone, cell) : cell;
    },
    columnsOf(io, "stdout"),
  );
}

/** Minimum terminal width for the column with the commands, in columns. */
const leastColumns = 110;

function wordsOf({ code, severity, commands, meaning, remedy }: ExplainedCode, io: Io): string {
  const weight = paintFor(io, "stdout")(severityTones[severity], severity);
  const fold = folderFor(io, "stdout");
  const lines = [`  meaning  ${meaning}`, `  remedy   ${remedy}`].map((line) => fold(line, 11));
  const head = fold(`${code} (${severity}, found by ${commands.join(", ")})`, 2);
  return `${head.replace(`(${severity}`, `(${weight}`)}\n${lines.join("\n")}\n`;
}

/** Formats the codes as Markdown, with a table for each set of commands that report the same codes. */
function markdownOf(codes: readonly ExplainedCode[]): string {
  const groups = groupBy(codes, ({ commands }) => commands.map((command) => `\`${command}\``).join(", "));
  const sections = [...groups].map(([title, codesOfGroup]) => {
    const rows = codesOfGroup.map(({ code, severity, meaning, remedy }) => {
      return `| \`${code}\` | ${severity} | ${cell(meaning)} | ${cell(remedy)} |\n`;
    });
    return `\n## ${title}\n\n| Code | Severity | Meaning | Remedy |\n| --- | --- | --- | --- |\n${rows.join("")}`;
  });
  const contents = [...groups.keys()].map((title) => `[${title}](#${anchorOf(title)})`).join(" · ");
  return `# What commands find, and what to do\n\n${contents}\n${sections.join("")}`;
}

/** Returns the anchor that code hosts derive from a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

function cell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, "\\$&");
}
