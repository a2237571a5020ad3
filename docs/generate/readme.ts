import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runCommandLine } from "../../lib/cli/program";

const readme = join(__dirname, "..", "..", "README.md");

/** What a command of this program prints, results and messages together, as in a terminal. */
export async function printedBy(
  words: readonly string[],
): Promise<{ readonly text: string; readonly exitCode: number }> {
  let text = "";
  const stream = {
    write: (part: string) => {
      text += part;
    },
  };
  const exitCode = await runCommandLine(
    words,
    {
      stdout: stream,
      stderr: stream,
      stdin: Readable.from([]),
      env: {},
      now: () => new Date("2027-01-01T00:00:00Z"),
      signal: new AbortController().signal,
    },
    "0.0.0",
  );
  return { text, exitCode };
}

/** The README with what its commands print today: a `console` block is a command line and everything after it. */
export async function readmeWithOutput(): Promise<string> {
  const parts = readFileSync(readme, "utf8").split(/(^```console\n[\s\S]*?^```$)/m);
  const filled = parts.map(async (part) => {
    const command = /^```console\n\$ npx cert-migration (.*)\n/.exec(part)?.[1];
    if (command === undefined) return part;
    const { text, exitCode } = await printedBy(command.split(" "));
    if (exitCode !== 0) throw new Error(`README: cert-migration ${command} ends with ${exitCode}: ${text}`);
    return `\`\`\`console\n$ npx cert-migration ${command}\n${text.trimEnd()}\n\`\`\``;
  });
  return (await Promise.all(filled)).join("");
}

const begin = "<!-- what `npm run rehearse` prints -->\n\n```text\n";

/** The README with the table of a rehearsal that has just been played. */
export function readmeWithRehearsal(text: string, table: string): string {
  const start = text.indexOf(begin) + begin.length;
  return `${text.slice(0, start)}${table.trimEnd()}${text.slice(text.indexOf("\n```", start))}`;
}
