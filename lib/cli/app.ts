import { type ChildProcessByStdio, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { InputError } from "../errors";
import { quote } from "../text/quote";
import { safe } from "./text";

/** A stack that an app has synthesized. */
export interface AppStack {
  readonly name: string;
  /** Its `cdk.tf.json`. */
  readonly text: string;
  /** Folder of what it refers to as `assets`. @default - it has none */
  readonly assets?: string;
}

export interface AppRun {
  /** As `app` of cdktf.json has it; run by the shell, as cdktf does. */
  readonly command: string;
  readonly folder: string;
  /** On top of the context of cdktf.json. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Ends the app then and there. @default - nobody does */
  readonly endSignal?: AbortSignal;
  /** Folder in which the app's stacks are made, and in which their assets stay. */
  readonly workFolder: string;
  /** How long the app may take: one that takes longer hangs, and is killed. @default 300_000 */
  readonly timeoutMs?: number;
}

/** What is kept of what an app says, in characters. */
const mostOutput = 16_000;

/**
 * Runs a cdktf app as cdktf's own command line does, with the folder for its stacks and the context in the environment; the app's own `cdktf.out` is left alone.
 *
 * @throws InputError `app-failed`, `app-without-stacks`; what the signal was aborted with
 */
export async function synthesizeApp(run: AppRun): Promise<readonly AppStack[]> {
  const outdir = mkdtempSync(join(run.workFolder, "app-"));
  try {
    const { exitCode, output } = await runShell(run, {
      CDKTF_OUTDIR: outdir,
      CDKTF_CONTEXT_JSON: JSON.stringify({ ...contextOf(run.folder), ...run.context }),
      SYNTH_HCL_OUTPUT: "false",
      // A rehearsal brings what it wants to be known; a log would be mixed with it.
      CDKTF_LOG_LEVEL: "error",
    });
    if (exitCode !== 0) {
      const words = safe(lastWords(output)) || "it printed nothing; run it by itself";
      throw new InputError("app-failed", `${quote(run.command)} ended with ${exitCode}: ${words}`);
    }
    return stacksIn(outdir, run);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** The end of what an app said, without the places in its code that a stack trace lists. */
function lastWords(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !beside.test(line));
  // What went wrong stands in the line of the error; what follows it are its fields, and what npm has to say.
  const at = lines.findIndex((line) => /^(?:Uncaught )?\w*Error\b.*: \S/.test(line));
  return (at === -1 ? lines.slice(-8) : lines.slice(at, at + 8)).join(" | ");
}

/** Lines that don't say what went wrong: places in code, what npm adds, and braces alone. */
const beside = /^at .*:\d+:\d+\)?(?: \{)?$|^Node\.js v|^npm (?:notice|warn)\b|^[\s{}^~]*$/;

/** What the user's cdktf.json hands to the app. */
function contextOf(folder: string): Readonly<Record<string, unknown>> {
  try {
    const settings = JSON.parse(readFileSync(join(folder, "cdktf.json"), "utf8")) as { readonly context?: object };
    return { ...settings.context };
  } catch {
    return {};
  }
}

function stacksIn(outdir: string, { command, workFolder }: AppRun): readonly AppStack[] {
  interface Manifest {
    readonly stacks?: Readonly<Record<string, { readonly synthesizedStackPath: string }>>;
  }
  try {
    const { stacks = {} } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8")) as Manifest;
    return Object.entries(stacks).map(([name, { synthesizedStackPath }], index) => {
      const text = readFileSync(join(outdir, synthesizedStackPath), "utf8");
      const made = join(outdir, dirname(synthesizedStackPath), "assets");
      if (!existsSync(made)) return { name, text };
      // Their names tell their content, so that those of each synthesis go to one place.
      const assets = join(workFolder, `assets-${index + 1}`);
      cpSync(made, assets, { recursive: true });
      return { name, text, assets };
    });
  } catch {
    const advice = "it has to be a cdktf app that ends with app.synth() and keeps to CDKTF_OUTDIR";
    throw new InputError("app-without-stacks", `${quote(command)} synthesized no stack; ${advice}`);
  }
}

function runShell(
  { command, folder, env, signal, endSignal, timeoutMs = 300_000 }: AppRun,
  own: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(command, {
      cwd: folder,
      env: { ...env, ...own },
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that what the shell has started ends with it.
      detached: true,
    });
    let output = "";
    const take = (chunk: string) => {
      output = (output + chunk).slice(-mostOutput);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    const stop = () => send(child, "SIGTERM");
    const kill = () => endAtOnce(child);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    endSignal?.addEventListener("abort", kill, { once: true });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      endSignal?.removeEventListener("abort", kill);
    };
    child.on("error", (error) => {
      end();
      reject(new InputError("app-failed", `${quote(command)} can't be run: ${safe(error.message)}`));
    });
    child.on("close", (code) => {
      end();
      if (signal.aborted) reject(signal.reason);
      else if (isLate) {
        const message = `${quote(command)} did not end within ${timeoutMs / 1_000} s; run it by itself to see what it waits for`;
        reject(new InputError("app-failed", message));
      } else resolve({ exitCode: code ?? 1, output });
    });
  });
}

type Shell = ChildProcessByStdio<null, Readable, Readable>;

/** Sends a signal to all that a shell has started, also where it has ended itself: what is left in the background holds its output. */
function send({ pid }: Shell, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The whole group has ended by itself.
  }
}

function endAtOnce(shell: Shell): void {
  send(shell, "SIGKILL");
  // Who has left the group may hold them for ever.
  shell.stdout.destroy();
  shell.stderr.destroy();
}
