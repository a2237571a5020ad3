import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
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

/** Puts the program where `npx` looks for it: a folder of programs, below a project or of global packages. */
export function installGate(command: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "cert-migration");
  writeFileSync(file, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(file, 0o755);
}
