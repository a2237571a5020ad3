import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** How a process of a test ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript file in a process of its own, to its end. */
export function runScript(path: string, words: readonly string[], stdin = ""): Promise<Ended> {
  const child = spawn(process.execPath, ["--require", "tsx/cjs", path, ...words], {
    cwd: root,
    // A client that leaves its endpoint fails at once, and on this machine.
    env: {
      ...process.env,
      GOOGLE_CLOUD_DISABLE_METADATA: "1",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1",
      NODE_NO_WARNINGS: "1",
    },
  });
  child.stdin.end(stdin);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}
