import { type ChildProcess, spawn } from "node:child_process";

/** How one run of a program ended. */
export interface ProgramRun {
  /** 1 where it was killed. */
  readonly exitCode: number;
  /** What it wrote to both streams, in the order of arrival. */
  readonly output: string;
  readonly stdout: string;
  /** Whether SIGKILL ended it. */
  readonly killed: boolean;
}

export interface ProgramOptions {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Interrupts it, as Ctrl-C would. */
  readonly signal: AbortSignal;
  /** Ends it and what it started then and there. @default - nobody does */
  readonly endSignal?: AbortSignal;
  /** Told what it writes to stdout, as it comes. @default - nobody is */
  readonly onText?: (piece: string) => void;
  /** Told of the process, and of its end. */
  readonly onProcess: (child: ChildProcess | undefined) => void;
}

/** Runs a program in a process group of its own, so that a kill takes along what it started, and Ctrl-C reaches it once. */
export function runProgram({
  program,
  words,
  folder,
  env,
  signal,
  endSignal,
  onText,
  onProcess,
}: ProgramOptions): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    onProcess(child);
    // As a terminal does it: what the program has started is interrupted as well, and leaves nobody behind.
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
    // Letters of several octets may come in two pieces.
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
      // What could not be started closes as well.
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
    // It is over, and only what left its group still holds its streams.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
