import { InputError } from "../errors";
import { quote } from "../text/quote";
import type { Io } from "./command";
import { readTextFile } from "./files";
import * as load from "./load";

/**
 * Reads the further root certificates of `--ca`, in PEM. Node ignores what it can't read in such a text: an empty or
 * cut file would look as if the servers had the wrong certificates.
 *
 * @throws InputError `roots-unusable`
 */
export async function readRoots(file: string | undefined, io: Io): Promise<readonly string[]> {
  if (file === undefined) return [];
  const pem = await readTextFile(file, "--ca", io);
  const { certificatesIn, readPemBlocks } = load.x509();
  const [damage] = readPemBlocks(pem).problems;
  if (damage === undefined && certificatesIn(pem).length > 0) return [pem];
  const why = damage?.message ?? "it has no certificate in PEM";
  throw new InputError("roots-unusable", `--ca ${quote(file)}: ${why}; use a file with the root certificates in PEM`);
}
