import { spawn } from "node:child_process";
import type { Running } from "./trial";

export interface ProgramOptions {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Interrupts the programs, each once: Terraform ends at once after a second interrupt. */
  readonly signal: AbortSignal;
  readonly err: (text: string) => void;
}

/** Returns a function that starts programs in a folder. What they write to stderr is passed on. */
export function starter({ folder, env, signal, err }: ProgramOptions): (words: readonly string[]) => Running {
  return ([program = "", ...words]) => {
    // A group of its own, so that Ctrl-C in the terminal does not reach the program beside `stop`.
    const child = spawn(program, words, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", err);
    const stop = () => void child.kill("SIGINT");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const ended = new Promise<{ readonly exitCode: number; readonly stdout: string }>((resolve) => {
      const end = (exitCode: number) => {
        signal.removeEventListener("abort", stop);
        resolve({ exitCode, stdout });
      };
      child.once("error", (error) => {
        err(`${error.message}\n`);
        end(127);
      });
      child.once("close", (code) => end(code ?? 130));
    });
    return { ended, stop };
  };
}
