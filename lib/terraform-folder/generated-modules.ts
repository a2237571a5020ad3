import { join } from "node:path";
import { moduleFile } from "../terraform-module";
import { readModuleFolders } from "./read-folder";

/** A module that `cert-migration synth` has written. */
interface GeneratedModule {
  readonly file: string;
  /** Content, as it was parsed. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Returns the generated modules of a folder: the folder itself, and those that its configuration calls. */
export function generatedModulesIn(folder: string): readonly GeneratedModule[] {
  return readModuleFolders(folder).flatMap(({ path, files }) =>
    files.flatMap(({ name, json }) =>
      name === moduleFile && json !== undefined && isGenerated(json) ? [{ file: join(path, name), json }] : [],
    ),
  );
}

/** Returns whether a configuration has the output that describes a migration. */
function isGenerated({ output }: GeneratedModule["json"]): boolean {
  return typeof output === "object" && output !== null && "cert_migration" in output;
}
