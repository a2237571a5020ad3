/** Compares the files of a module with the result of a spec, also where the private keys don't exist. */
import { existsSync, readFileSync } from "node:fs";
import { type Fields, fieldsOf, parseJson } from "../../json/fields";
import type { ParsedMigration } from "../../plan";
import type { TerraformModule } from "../../terraform-module";
import type { ExitCode, Io } from "../command";
import { safe } from "../text";

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
  const keys = files.map(
    ({ pointer }) => /^\/certificates\/(\d+)(?:\/selfManaged)?\/privateKeyPem$/.exec(pointer)?.[1],
  );
  return keys.every((key) => key !== undefined) ? keys.map(Number) : [];
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

export function checkFiles(outputs: readonly ModuleFile[], io: Io): ExitCode {
  const stale = outputs.flatMap(({ path, text }) => {
    const found = textAt(path);
    if (found === text) return [];
    if (found === undefined) return [`${path} is missing`];
    const [lines, wanted] = [found.split("\n"), text.split("\n")];
    const at = lines.findIndex((line, index) => line !== wanted[index]);
    return [`${path} differs from what the spec gives, first in line ${(at === -1 ? lines.length : at) + 1}`];
  });
  for (const found of stale) io.stdout.write(`${safe(found)}; run 'cert-migration synth' without --check\n`);
  return stale.length === 0 ? 0 : 4;
}
