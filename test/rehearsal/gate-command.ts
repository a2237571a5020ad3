import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** The compiled current `cert-migration` for gates: each of many rehearsals calls the program a dozen times. */
export interface GateProgram {
  readonly command: string;
  readonly folder: string;
}

/** Compiles the program to a new folder from which it finds its packages. */
export function compileGate(): GateProgram {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "gate-"));
  const output = join(folder, "dist");
  const compiler = join(root, "node_modules", ".bin", "tsc");
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--noCheck", "--declaration", "false", "--outDir", output], {
    cwd: root,
  });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  cpSync(join(root, "lib"), output, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  return { folder, command: [process.execPath, join(output, "cli", "main.js")].map((word) => `"${word}"`).join(" ") };
}
