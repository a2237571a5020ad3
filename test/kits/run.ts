import { spawn } from "node:child_process";

/** Time limit of a program, in milliseconds. */
const timeoutMs = 600_000;

/** A package could not be fetched: nothing is known of the code that needs it. */
export class FetchError extends Error {}

/** Runs what fetches packages. @throws FetchError if it fails */
export async function fetching<Result>(fetchAll: () => Promise<Result>): Promise<Result> {
  try {
    return await fetchAll();
  } catch (error) {
    throw new FetchError((error as Error).message);
  }
}

export interface RunOptions {
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program and prints its name, exit code and duration.
 *
 * @returns its output
 * @throws Error with the end of the output if the exit code is not 0
 */
export function timed(what: string, words: readonly string[], { folder, env }: RunOptions): Promise<string> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const [program = "", ...others] = words;
    const child = spawn(program, others, {
      cwd: folder,
      env: env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    let output = "";
    const take = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      process.stdout.write(`${what}: exit ${code} after ${seconds} s\n`);
      if (code === 0) resolve(output);
      else reject(new Error(`${what} ended with ${code}:\n${output.slice(-4_000)}`));
    });
  });
}
