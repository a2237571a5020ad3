import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type Module, parseSync } from "@swc/core";

const lib = join(__dirname, "..", "..", "lib");

export interface LibSource {
  /** Path below lib, with slashes. */
  readonly file: string;
  readonly text: string;
  readonly tree: Module;
}

/** All sources of lib with their syntax trees, by path. */
export const libSources: readonly LibSource[] = readdirSync(lib, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.split(sep).join("/"))
  .sort()
  .map((file) => {
    const text = readFileSync(join(lib, file), "utf8");
    return { file, text, tree: parseSync(text, { syntax: "typescript", target: "es2022" }) };
  });
