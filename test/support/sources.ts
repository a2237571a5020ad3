import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type Module, parseSync } from "@swc/core";

const root = join(__dirname, "..", "..");

export interface Source {
  /** Path below the folder, with slashes. */
  readonly file: string;
  readonly text: string;
  readonly tree: Module;
}

/** Returns all sources below a folder of the repository with their syntax trees, by path. */
export function sourcesBelow(folder: "lib" | "test"): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.split(sep).join("/"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, folder, file), "utf8");
      return { file, text, tree: parseSync(text, { syntax: "typescript", target: "es2022" }) };
    });
}

export const libSources: readonly Source[] = sourcesBelow("lib");
