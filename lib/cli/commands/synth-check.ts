/** Compares the files of a module with the result of a spec, also where the private keys don't exist. */
import { existsSync, readFileSync } from "node:fs";
import { type Finding, withRemedy } from "../../findings/finding";
import { type Fields, fieldsOf, parseJson } from "../../json/fields";
import type { ParsedMigration } from "../../plan";
import type { TerraformModule } from "../../terraform-module";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import type { ResultWriter } from "../results";
import { writeLine } from "../text";
import { closeOnTerminal } from "../verdict";

export interface ModuleFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Stands for a key file that does not exist. A reference, because its value is not checked; with the words by which
 * `terraformModuleOf` recognizes a key.
 */
export const absentKey = '${var.absent["PRIVATE KEY"]}';

/** Returns the indices of certificates without key file, if nothing else is wrong with the files of a spec. */
export function lackedKeysOf(read: ParsedMigration): readonly number[] {
  if (!("problems" in read)) return [];
  const files = read.problems.filter(({ code }) => code === "document-file-unreadable");
  const indices = files.flatMap(({ certificateWithoutKey }) => certificateWithoutKey ?? []);
  return indices.length === files.length ? indices : [];
}

/**
 * Returns the files with the committed names of the certificates whose key does not exist here: the name of a
 * certificate depends on its key.
 */
export function withCommittedNames(
  outputs: readonly ModuleFile[],
  path: string,
  lackedKeys: readonly number[],
  { configuration }: TerraformModule,
): readonly ModuleFile[] {
  if (lackedKeys.length === 0) return outputs;
  const committed = certificatesIn(parseJson(textAt(path) ?? ""));
  const names = Object.entries(certificatesIn(configuration)).flatMap(([id, { name }]) => {
    const before = fieldsOf(committed[id]).name;
    const readable = (text: unknown) => /^(.*)-[0-9a-f]{12}$/.exec(String(text))?.[1];
    return readable(before) !== undefined && readable(before) === readable(name)
      ? [[String(name), String(before)]]
      : [];
  });
  return outputs.map(({ text, ...output }) => ({
    ...output,
    text: names.reduce((replaced, [name = "", before = ""]) => replaced.replaceAll(name, before), text),
  }));
}

/** Returns the uploaded certificates of a module by their ids. */
function certificatesIn(module: unknown): Readonly<Record<string, Fields>> {
  const all = fieldsOf(fieldsOf(fieldsOf(module).resource).google_certificate_manager_certificate);
  const uploaded = Object.entries(all).filter(([, block]) => fieldsOf(block).self_managed !== undefined);
  return Object.fromEntries(uploaded.map(([id, block]) => [id, fieldsOf(block)]));
}

/** Returns the text of a file, with Unix line ends; undefined if there is none. */
export function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replace(/\r\n/g, "\n") : undefined;
}

/** Compares files with the result of the spec, and prints or writes those that differ. */
export function checkFiles(outputs: readonly ModuleFile[], writer: ResultWriter | undefined, io: Io): ExitCode {
  const stale = outputs.flatMap(({ path, text }) => staleFile(path, text) ?? []);
  const isStale = (path: string) => stale.some(({ subject }) => subject === path);
  const summary = stale.length === 0 ? "the module is up to date" : `${countOf(stale.length, "file")} not up to date`;
  if (writer === undefined) {
    for (const found of stale) writeLine(`${withRemedy(found)} [${found.code}]`, io, "stdout");
    closeOnTerminal({ state: stale.length === 0 ? "done" : "failed", headline: summary }, io);
  } else {
    writer.write({
      ok: stale.length === 0,
      summary,
      checks: outputs
        .map(({ path }) => path)
        .filter((path) => !isStale(path))
        .map((path) => ({ name: `${path} is up to date`, group: path })),
      findings: stale,
    });
  }
  return stale.length === 0 ? 0 : 4;
}

function staleFile(path: string, text: string): Finding | undefined {
  const found = textAt(path);
  if (found === text) return undefined;
  if (found === undefined) return staleFinding(path, `${path} is missing`);
  const [lines, wanted] = [found.split("\n"), text.split("\n")];
  const at = lines.findIndex((line, index) => line !== wanted[index]);
  const line = (at === -1 ? lines.length : at) + 1;
  return staleFinding(path, `${path}:${line}: differs from what the spec gives, first in this line`);
}

function staleFinding(path: string, message: string): Finding {
  const remedy = "run 'cert-migration synth' without --check, and commit the result";
  return { code: "module-stale", severity: "error", subject: path, message, remedy };
}
