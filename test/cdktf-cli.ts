/**
 * cdktf's own command line against the rehearsal cloud: `cdktf synth` and `cdktf deploy` of an example, a handshake
 * with what it made, and `cdktf destroy`. Run by `npm run test:cdktf-cli`; it installs cdktf-cli into a folder of its
 * own, as its 420 MB are too much for every install of this project. test/kits/main.ts runs the command line of CDK
 * Terrain.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deployAndDestroy } from "./kits/command-line";
import { timed } from "./kits/run";

const version = "0.21.0";
const example = "one-hostname";
const root = join(__dirname, "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
const tsconfig = join(root, "tsconfig.json");

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-cli-"));
  try {
    const node = `"${process.execPath}" "${tsx}" --tsconfig "${tsconfig}"`;
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "scratch", private: true }));
    writeFileSync(
      join(folder, "cdktf.json"),
      JSON.stringify({
        language: "typescript",
        app: `${node} "${join(root, "examples", example, "main.ts")}"`,
        projectId: "scratch",
        sendCrashReports: "false",
      }),
    );
    const install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", `cdktf-cli@${version}`];
    await timed("install", install, { folder });
    installCommand(folder, node);
    const hostname = "shop.example.com";
    await deployAndDestroy({ program: "cdktf", folder, stack: example, hostname, env: process.env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write("1 passed, 0 failed\n");
}

/** The command that gates call, where npx finds it. */
function installCommand(folder: string, node: string): void {
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  const file = join(bin, "cert-migration");
  writeFileSync(file, `#!/bin/sh\nexec ${node} "${join(root, "lib", "cli", "main.ts")}" "$@"\n`);
  chmodSync(file, 0o755);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
});
