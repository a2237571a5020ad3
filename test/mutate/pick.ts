import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../support/odd-certificates";
import { describeChange, instrument, type NumberedChange } from "./instrument";
import { findChanges } from "./operators";

/** A change of a file, as the report and `equivalent.json` describe it. */
export interface Mutant extends NumberedChange {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

/** Returns every mutant of the files, which are paths below the root, in their order. */
export function listMutants(root: string, files: readonly string[]): readonly Mutant[] {
  return files
    .flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8");
      return findChanges(source).map((change) => ({ ...change, ...describeChange(source, change), file }));
    })
    .map((mutant, id) => ({ ...mutant, id }));
}

/** Returns `count` of the mutants in a random order, the same for the same seed. */
export function pickMutants(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = seededRandom(seed);
  const keyed = mutants.map((mutant) => ({ mutant, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Returns the sources of the files that have mutants, with all their mutants behind conditions. */
export function instrumentedFiles(root: string, mutants: readonly Mutant[]): ReadonlyMap<string, string> {
  const files = [...new Set(mutants.map(({ file }) => file))];
  return new Map(
    files.map((file) => {
      const changes = mutants.filter((mutant) => mutant.file === file);
      return [file, instrument(readFileSync(join(root, file), "utf8"), changes)];
    }),
  );
}

export function equivalentOf(mutant: Mutant, equivalents: readonly Equivalent[]): Equivalent | undefined {
  return equivalents.find(
    ({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after,
  );
}

/** Returns the files below a folder of the root whose names end so, sorted. A path of a file is returned itself. */
export function filesBelow(root: string, path: string, ending: string): readonly string[] {
  if (path.endsWith(ending)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${path}/${name}`)
    .sort();
}
