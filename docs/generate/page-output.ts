import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parse, parseDocument } from "yaml";
import { runCommandLine } from "../../lib/cli/program";

const root = join(__dirname, "..", "..");

/** Runs a command of this program and returns its results and messages together, as in a terminal. */
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

/** Returns the certificates in the package tarball, which a reader of the tutorial copies. */
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
 * Returns docs/tutorial.md with the present output of its commands. A `console` block is a command line and its output;
 * a block `yaml migration.yaml` is written into that file. Both are executed in order, in a temporary folder.
 */
export function tutorialPage(): Promise<string> {
  return pageWithOutput("docs/tutorial.md", (folder) => {
    mkdirSync(join(folder, "certs"));
    for (const name of givenCertificates()) {
      copyFileSync(join(root, "examples/from-certificates/certificates", name), join(folder, "certs", name));
    }
  });
}

/**
 * Returns docs/examples.md with the present output of its commands, which run beside the `migration.yaml` that the page
 * shows.
 */
export function examplesPage(): Promise<string> {
  return pageWithOutput("docs/examples.md", (folder) => {
    copyFileSync(join(root, "examples/from-spec/migration.yaml"), join(folder, "migration.yaml"));
  });
}

async function pageWithOutput(page: string, prepare: (folder: string) => void): Promise<string> {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  try {
    prepare(folder);
    process.chdir(folder);
    const parts = readFileSync(join(root, page), "utf8").split(
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

/** Executes one part of a page and returns it with its output. */
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

/** Returns the output of a command of a page. Throws if the command fails. */
async function printed(command: string): Promise<string> {
  const { text, exitCode } = await printedBy(command.split(" "));
  if (exitCode !== 0) throw new Error(`cert-migration ${command} ends with ${exitCode}: ${text}`);
  return text;
}

const begin = "<!-- printed by `npm run rehearse` -->\n\n```text\n";

/** Returns a page with the table that a rehearsal has just printed. */
export function pageWithRehearsal(text: string, table: string): string {
  const start = text.indexOf(begin) + begin.length;
  return `${text.slice(0, start)}${table.trimEnd()}${text.slice(text.indexOf("\n```", start))}`;
}
