import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parse, parseDocument } from "yaml";
import { runCommandLine } from "../../lib/cli/program";

const root = join(__dirname, "..", "..");

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

/** The certificates that a reader of the README copies from the package: those that its tarball has. */
function givenCertificates(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly files: readonly string[];
  };
  const [, names] =
    files.map((file) => /^examples\/from-certificates\/certificates\/\{([a-z,]+)\}\.pem$/.exec(file)).find(Boolean) ??
    [];
  return names?.split(",").map((name) => `${name}.pem`) ?? [];
}

/**
 * The README with what its commands print today. A `console` block is a command line and everything after it, a block `yaml migration.yaml` what a
 * reader puts into that file; both are done in their order, in a folder of their own, as a reader would.
 */
export async function readmeWithOutput(): Promise<string> {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "readme-"));
  try {
    mkdirSync(join(folder, "certs"));
    for (const name of givenCertificates()) {
      copyFileSync(join(root, "examples/from-certificates/certificates", name), join(folder, "certs", name));
    }
    process.chdir(folder);
    const parts = readFileSync(join(root, "README.md"), "utf8").split(
      /(^```(?:console|yaml migration\.yaml)\n[\s\S]*?^```$)/m,
    );
    let filled = "";
    for (const part of parts) filled += await follow(part);
    return filled;
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does what one part of the README says, and answers it with what came of it. */
async function follow(part: string): Promise<string> {
  const [, edit] = /^```yaml migration\.yaml\n([\s\S]*)```$/.exec(part) ?? [];
  if (edit !== undefined) {
    const migration = parseDocument(readFileSync("migration.yaml", "utf8"));
    for (const [key, value] of Object.entries(parse(edit) as object)) migration.set(key, value);
    writeFileSync("migration.yaml", migration.toString());
    await printed("plan --spec migration.yaml");
    return part;
  }
  const [, command] = /^```console\n\$ npx cert-migration (.*)\n/.exec(part) ?? [];
  if (command === undefined) return part;
  return `\`\`\`console\n$ npx cert-migration ${command}\n${(await printed(command)).trimEnd()}\n\`\`\``;
}

/** What a command of the README prints, which has to end well. */
async function printed(command: string): Promise<string> {
  const { text, exitCode } = await printedBy(command.split(" "));
  if (exitCode !== 0) throw new Error(`README: cert-migration ${command} ends with ${exitCode}: ${text}`);
  return text;
}

const begin = "<!-- what `npm run rehearse` prints -->\n\n```text\n";

/** The README with the table of a rehearsal that has just been played. */
export function readmeWithRehearsal(text: string, table: string): string {
  const start = text.indexOf(begin) + begin.length;
  return `${text.slice(0, start)}${table.trimEnd()}${text.slice(text.indexOf("\n```", start))}`;
}
