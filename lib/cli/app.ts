import { type ChildProcessByStdio, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { InputError } from "../errors";
import { defined } from "../json/defined";
import { quote } from "../text/quote";
import { safe } from "./text";

export interface AppStack {
  readonly name: string;
  /** Content of its `cdk.tf.json`. */
  readonly text: string;
  /** Folder with the files that the stack references as `assets`. @default - the stack has no assets */
  readonly assets?: string;
}

export interface AppRun {
  /** Command, as in `app` of cdktf.json; the shell runs it, as cdktf does. */
  readonly command: string;
  readonly folder: string;
  /** Values that extend and override the context of cdktf.json. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Kills the app immediately when aborted. @default - nothing does */
  readonly endSignal?: AbortSignal;
  /** Folder in which the app synthesizes its stacks, and in which their assets stay. */
  readonly workFolder: string;
  /** Time limit of the app in milliseconds; an app that exceeds it is killed. @default 300_000 */
  readonly timeoutMs?: number;
}

/** Maximum length of the app's output that is kept, in characters. */
const mostOutput = 16_000;

/**
 * Runs an app of cdktf or cdktn as the kit's own command line does: the environment carries the output folder and the
 * context. The app's own `cdktf.out` stays unchanged.
 */
export async function synthesizeApp(run: AppRun): Promise<readonly AppStack[]> {
  const outdir = mkdtempSync(join(run.workFolder, "app-"));
  try {
    const { exitCode, output } = await runShell(run, {
      CDKTF_OUTDIR: outdir,
      CDKTF_CONTEXT_JSON: JSON.stringify({ ...contextOf(run), ...run.context }),
      SYNTH_HCL_OUTPUT: "false",
      // The rehearsal reports everything that matters; log lines would mix with the app's output.
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

/** Returns the end of an app's output, without the source locations that a stack trace lists. */
function lastWords(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !beside.test(line));
  // The line of the error has the cause. Only the fields of the error and the output of npm follow it.
  const at = lines.findIndex((line) => /^(?:Uncaught )?\w*Error\b.*: \S/.test(line));
  return (at === -1 ? lines.slice(-8) : lines.slice(at, at + 8)).join(" | ");
}

/** Matches lines without a cause: source locations, additions of Node and npm, and lines of braces only. */
const beside = /^at .*:\d+:\d+\)?(?: \{)?$|^Node\.js v|^npm (?:notice|warn)\b|^[\s{}^~]*$/;

/**
 * Returns the context that a kit's own command line gives to the app: `context` of the user's cdktf.json and the
 * `targetVersions` of CDK Terrain, which apps read from the context. If the file is missing, malformed or has neither,
 * the context of the environment.
 */
function contextOf({ folder, env }: AppRun): Readonly<Record<string, unknown>> {
  const { context, targetVersions } = readJson(() => readFileSync(join(folder, "cdktf.json"), "utf8"));
  if (targetVersions !== undefined) refuseTargetVersions(targetVersions);
  if (context === undefined && targetVersions === undefined) return readJson(() => env.CDKTF_CONTEXT_JSON ?? "{}");
  return { ...(context as object | undefined), ...defined({ targetVersions }) };
}

function readJson(read: () => string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(read()) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * Parts of a semver range, for example `>=1.9.0 <2.0.0 || ^2.1`. Terraform's `~>` is no operator of semver ranges here.
 */
const semverRange =
  /^\s*(?:(?:[<>]=?|[=~^])?\s*v?(?:\d+|[x*])(?:\.(?:\d+|[x*])){0,2}(?:-[\w.]+)?(?:\s*\|\|\s*|\s+-\s+|\s+|$))+$/i;

function refuseTargetVersions(targetVersions: unknown): void {
  const isObject = typeof targetVersions === "object" && targetVersions !== null && !Array.isArray(targetVersions);
  const products = isObject ? Object.entries(targetVersions) : [];
  const isValid = ([product, range]: readonly [string, unknown]) =>
    ["terraform", "opentofu"].includes(product) && typeof range === "string" && semverRange.test(range);
  if (products.length > 0 && products.every(isValid)) return;
  const message = `invalid value ${JSON.stringify(targetVersions)} for "targetVersions" in cdktf.json; expected semver ranges of "terraform" or "opentofu", for example { "terraform": ">=1.9.0" }`;
  throw new InputError("app-failed", message);
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
      // The names of assets derive from their content, so that the assets of every synthesis can share one folder.
      const assets = join(workFolder, `assets-${index + 1}`);
      cpSync(made, assets, { recursive: true });
      return { name, text, assets };
    });
  } catch {
    const advice = "it has to be an app of cdktf or cdktn that ends with app.synth() and keeps to CDKTF_OUTDIR";
    throw new InputError("app-without-stacks", `${quote(command)} synthesized no stack; ${advice}`);
  }
}

function runShell(
  { command, folder, env, signal, endSignal, timeoutMs = 300_000 }: AppRun,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(command, {
      cwd: folder,
      env: { ...env, ...variables },
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      // A separate process group, so that processes that the shell has started end with it.
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

/**
 * Sends a signal to every process that the shell has started, even after the shell itself has ended: processes in the
 * background keep its output open.
 */
function send({ pid }: Shell, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The whole group has already ended.
  }
}

function endAtOnce(shell: Shell): void {
  send(shell, "SIGKILL");
  // A process that has left the group may keep the pipes open forever.
  shell.stdout.destroy();
  shell.stderr.destroy();
}
