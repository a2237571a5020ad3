import { type ChildProcess, spawn } from "node:child_process";

/** Result of one run of a program. */
export interface ProgramResult {
  /** Exit code; 1 if the program was killed. */
  readonly exitCode: number;
  /** Output of both streams, in the order of arrival. */
  readonly output: string;
  readonly stdout: string;
  /** Whether SIGKILL ended the program. */
  readonly killed: boolean;
}

interface ProgramOptions {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Interrupts the program with SIGINT, as Ctrl-C does. */
  readonly signal: AbortSignal;
  /** Kills the program and its child processes immediately. @default - never */
  readonly endSignal?: AbortSignal;
  /** Called with each piece of stdout. @default - not called */
  readonly onText?: (piece: string) => void;
  /** Called with the process at its start, and with undefined at its end. */
  readonly onProcess: (child: ChildProcess | undefined) => void;
}

/**
 * Runs a program in its own process group, so that a kill also ends its child processes, and Ctrl-C reaches it only
 * once.
 */
export function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const { program, words, folder, env, signal, endSignal, onText, onProcess } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    onProcess(child);
    // The whole group is signaled, as a terminal does, so that no child process remains.
    const stop = () => signalGroup(child, "SIGINT");
    const kill = () => signalGroup(child, "SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    endSignal?.addEventListener("abort", kill, { once: true });
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      signal.removeEventListener("abort", stop);
      endSignal?.removeEventListener("abort", kill);
      onProcess(undefined);
    };
    let output = "";
    let stdout = "";
    // A UTF-8 character of several bytes may be split between two pieces.
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      onText?.(piece);
      output += piece;
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
    });
    child.on("error", (error) => {
      end();
      reject(error);
    });
    child.on("exit", () => onProcess(undefined));
    child.on("close", (code, killedBy) => {
      // `close` also follows an `error`, for a program that could not be started.
      if (hasEnded) return;
      end();
      resolve({ exitCode: code ?? 1, output, stdout, killed: killedBy === "SIGKILL" });
    });
  });
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    // The group has ended, and only processes that left it still hold the streams.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
