import { type Command, everyExitCode, exitCodesOf } from "../../lib/cli/command";

import { sentence } from "../../lib/cli/program";
import { groups, loadCommands } from "../../lib/cli/table";
import { generatedNote, glossaryNote, tableOf, tableRow } from "./markdown";

/** Returns the command reference, from the table that the parser, help and completions use. */
export function cliPage(): string {
  const commands = loadCommands();
  const index = commands.map(({ name, summary }) =>
    tableRow(`[\`${name}\`](#cert-migration-${name.replaceAll(" ", "-")})`, summary),
  );
  const groupList = Object.entries(groups).map(([name, meaning]) => `- \`${name}\`: ${meaning}\n`);
  return [
    "# The command `cert-migration`\n",
    generatedNote("the command table in `lib/cli`"),
    glossaryNote,
    `${tableRow("Command", "What it does")}${tableRow("---", "---")}${index.join("")}`,
    groupList.length === 0 ? "" : `Groups:\n\n${groupList.join("")}`,
    "Exit codes have the same meaning in every command: 0 success, 1 a bug in the program, 2 an invalid command line or input, 3 a service refused or did not answer, 130 interrupted (for example by Ctrl-C) before a result. 4 and 5 depend on the command. `--help` and the table below list the exit codes of each command. `--quiet` and `--no-color` can precede or follow every command. NO_COLOR, FORCE_COLOR and TERM=dumb are respected.\n",
    exitCodeTable(commands),
    ...commands.map(section),
  ].join("\n");
}

/** How each command can end; every row is tested in `test/cli/exit-codes.test.ts`. */
function exitCodeTable(commands: readonly Command[]): string {
  const rows = commands.flatMap((command) =>
    exitCodesOf(command).map(({ code, meaning }) => [`\`${command.name}\``, `\`${code}\``, meaning]),
  );
  const shared = everyExitCode().map(({ code, meaning }) => ["every command", `\`${code}\``, meaning]);
  return `## Exit codes\n\n${tableOf(["Command", "Exit code", "Meaning"], [...rows, ...shared])}`;
}

function section({
  name,
  summary,
  description,
  arguments: positional = [],
  options = [],
  examples,
  exitCodes,
  json = [],
}: Command): string {
  const parts = [`## cert-migration ${name}\n`, `${description ?? sentence(summary)}\n`];
  if (positional.length > 0) {
    const rows = positional.map(({ name: argument, description: text }) => tableRow(`\`${argument}\``, text));
    parts.push(`${tableRow("Argument", "Meaning")}${tableRow("---", "---")}${rows.join("")}`);
  }
  if (options.length > 0) {
    const rows = options.map(({ flags, description: text, choices, default: byDefault, repeatable }) => {
      const more = [
        choices === undefined ? "" : `One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.`,
        byDefault === undefined ? "" : `Default: \`${byDefault}\`.`,
        repeatable === true ? "May be repeated." : "",
      ];
      return tableRow(
        `\`${flags}\``,
        [`${text}${/[.;]$/.test(text) ? "" : "."}`, ...more].filter((part) => part !== "").join(" "),
      );
    });
    parts.push(`${tableRow("Option", "Meaning")}${tableRow("---", "---")}${rows.join("")}`);
  }
  const lines = examples.map(({ command, what }) => `# ${what}\n${command}`);
  parts.push(`\`\`\`sh\n${lines.join("\n\n")}\n\`\`\`\n`);
  const codes = Object.entries(exitCodes ?? {});
  if (codes.length > 0)
    parts.push(`Exit codes: ${codes.map(([code, meaning]) => `\`${code}\` ${meaning}`).join("; ")}.\n`);
  if (json.length > 0) {
    const fields = json.map((field) => (field.endsWith("?") ? `\`${field.slice(0, -1)}\` (optional)` : `\`${field}\``));
    parts.push(`JSON fields: ${fields.join(", ")}; see [JSON output](json-output.md).\n`);
  }
  return parts.join("\n");
}
