import { InputError } from "../../errors";
import type { MigrationSpec } from "../../plan";
import { countOf } from "../../text/words";
import type { Invocation, Io } from "../command";
import { checkWritable, writeWhole } from "../files";
import { safe } from "../text";

/** Where to write the migration. */
export interface Output {
  /** Path of the file, or `-` for standard output. */
  readonly path: string;
  readonly force: boolean;
}

/**
 * Reads the output options, and checks before the survey, which takes minutes, that the file can be written.
 *
 * @throws InputError if the file cannot be written, or `stdout-twice`
 */
export async function readOutput({ out, json, force }: Invocation["options"]): Promise<Output | undefined> {
  if (typeof out !== "string") return undefined;
  const output = { path: out, force: force === true };
  if (out !== "-") await checkWritable(out, output);
  else if (json === true) {
    throw new InputError("stdout-twice", "--out - and --json both print to standard output; give --out a file");
  }
  return output;
}

/** A migration that was made from an inventory. */
interface Made {
  readonly spec: MigrationSpec;
  readonly notices: readonly string[];
}

/**
 * Writes a migration as YAML, with its notices as comments and on stderr.
 *
 * @param comment first lines of the document
 * @param nothing reason that is reported if there is no migration
 * @returns whether there was a migration to write
 */
export async function writeMigration(
  made: Made | undefined,
  { comment, nothing }: { readonly comment: readonly string[]; readonly nothing: string },
  { path, force }: Output,
  io: Io,
): Promise<boolean> {
  const place = path === "-" ? "standard output" : safe(path);
  if (made === undefined) {
    io.stderr.write(`${place} is not written: ${nothing}\n`);
    return false;
  }
  const { writeMigrationDocument } = require("../../plan") as typeof import("../../plan");
  const document = writeMigrationDocument(made.spec, { comment: [...comment, ...made.notices] });
  if (path === "-") io.stdout.write(document);
  else await writeWhole(path, document, { force });
  for (const notice of made.notices) io.stderr.write(`${safe(notice)}\n`);
  io.stderr.write(
    `${place}: ${countOf(made.spec.certificates.length, "certificate")}, ${countOf(made.spec.mustServe?.length ?? 0, "name")}\n`,
  );
  return true;
}
