import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../errors";
import { makeFolder } from "../files/make-folder";
import { quote } from "../text/quote";
import { withoutSecrets, withoutSecretText } from "./evidence/without-secrets";
import { writeOwn } from "./folder";
import { type ProgramRun, runProgram } from "./run-program";
import { type StackJson, withLocalState } from "./stack";
import { isCutOff, putBackState, readState } from "./state-file";
import { readTerraformProgress, type TerraformProgress } from "./terraform-progress";

/** Keeps a text as a file, whose name may have folders, or adds it to one. */
export type KeepFile = (name: string, text: string, how?: "added") => void;

/** How one run of Terraform ended. */
export type TerraformRun = Omit<ProgramRun, "stdout">;

/** A run that has ended, and when it went. */
export interface EndedRun extends TerraformRun {
  readonly words: readonly string[];
  /** By the clock that was given, RFC 3339. */
  readonly from: string;
  readonly until: string;
  /** Whether it ended without letting go of the folder's state: its note of the lock is still there. */
  readonly isLockLeft: boolean;
}

export interface TerraformOptions {
  /** `terraform` or `tofu`, on PATH, or a path. */
  readonly program: string;
  /** Where it works and keeps its state. */
  readonly folder: string;
  /** On top of the caller's own variables, less those that Terraform and Google's tools read. */
  readonly env: Readonly<Record<string, string>>;
  /** On top of these, for every run but `init`, which installs the provider from where the user says. @default - none */
  readonly connectedEnv?: Readonly<Record<string, string>>;
  /** Interrupts what runs, as Ctrl-C would. */
  readonly signal: AbortSignal;
  /** Ends what runs with SIGKILL, with all that it started: whoever aborts it is about to end as well. @default - nobody does */
  readonly endSignal?: AbortSignal;
  /**
   * Whether Terraform's own settings of the user hold: mirrors, a plugin cache, credentials of registries. They may lead anywhere.
   *
   * @default false
   */
  readonly usesSettings?: boolean;
  /** Folder whose content stacks refer to, which is copied beside them as `assets`. @default - there is none */
  readonly assets?: string;
  /** Last change to a stack before it is written. @default - the state is in the folder, whatever backend the stack names */
  readonly adapt?: (stack: StackJson) => StackJson;
  /**
   * Keeps plans and states as JSON, and what Terraform said; private keys, tokens and what Terraform calls sensitive are left out. Each plan is then applied as
   * it was made.
   *
   * @default - none are kept
   */
  readonly keepFile?: KeepFile;
  /** The state as it is now, where it is not in the folder. @default - it is */
  readonly readState?: () => string | undefined;
  /** Whether what a run did that was killed is in no state, as with a backend that Terraform sends the state to now and then. @default false */
  readonly losesState?: boolean;
  /** Whether a plan that Terraform only tolerates counts as an error; the real provider has such. @default true */
  readonly strict?: boolean;
  /** @default - the machine's clock */
  readonly now?: () => Date;
  /** Told how far a run is, as it goes on. @default - nobody is */
  readonly onProgress?: (progress: TerraformProgress) => void;
  /** Told of every run when it has ended. */
  readonly onRun?: (run: EndedRun) => void;
}

/** What Terraform logs where a provider's plan or state is not what it should be. */
const badPlan = /tolerating it|invalid plan|inconsistent result|unexpected new value/;

/** Where a run notes that it has locked the folder's state. */
const lockName = ".terraform.tfstate.lock.info";

/** What Terraform said, run by run. */
export const runsName = "terraform.log";

/** Terraform's own log of one run. */
const logName = "warnings.log";

/** Real Terraform in a folder of its own, with the provider stand-in attached. */
export class Terraform {
  readonly #options: TerraformOptions;
  #initialized = false;
  #applies = 0;
  #running: ChildProcess | undefined;
  readonly #progress: ReturnType<typeof readTerraformProgress>;

  constructor(options: TerraformOptions) {
    // Terraform runs in this folder, and is told of files in it.
    this.#options = { ...options, folder: resolve(options.folder) };
    const { folder, assets, onProgress } = options;
    this.#progress = readTerraformProgress((progress) => onProgress?.(progress));
    // Stack and state have private keys in them, and --keep keeps both.
    makeFolder(folder, 0o700);
    writeOwn(join(folder, "none.tfrc"), "");
    if (assets !== undefined && existsSync(assets)) cpSync(assets, join(folder, "assets"), { recursive: true });
  }

  /**
   * Puts a stack in place; its own backend gives way to the folder's state. Where that is interrupted, it returns, and the next call begins anew.
   *
   * @throws InputError `terraform-init-failed`, `terraform-missing`; `rehearsal-folder` where nothing can be written
   */
  async write(stack: StackJson): Promise<void> {
    const { folder, adapt = withLocalState, signal } = this.#options;
    writeOwn(join(folder, "cdk.tf.json"), JSON.stringify(adapt(stack), undefined, 2));
    if (this.#initialized) return;
    const { exitCode, output } = await this.run("init", "-input=false", "-no-color");
    this.#initialized = exitCode === 0;
    if (this.#initialized || signal.aborted) return;
    const program = quote(this.#options.program);
    throw new InputError("terraform-init-failed", `${program} init failed: ${lastLines(output)}`);
  }

  async apply(): Promise<TerraformRun> {
    this.#applies += 1;
    if (this.#options.keepFile === undefined) return this.run("apply", "-auto-approve", "-input=false", "-no-color");
    const name = `${this.#number()}-apply`;
    const planned = await this.#plan(name);
    if (planned.exitCode === 1) return planned;
    if (this.#options.signal.aborted) return { ...planned, exitCode: 1 };
    const applied = await this.run("apply", "-input=false", "-no-color", `plans/${name}.tfplan`);
    const state = this.#state();
    if (state !== undefined) this.#keep(`states/${this.#number()}.json`, state);
    return applied;
  }

  /** Ends with 0 where nothing would change, 2 where something would, 1 for an error. */
  plan(): Promise<TerraformRun> {
    if (this.#options.keepFile !== undefined) return this.#plan(`${this.#number()}-after`);
    return this.run("plan", "-detailed-exitcode", "-input=false", "-no-color");
  }

  async #plan(name: string): Promise<TerraformRun> {
    const file = `plans/${name}.tfplan`;
    makeFolder(join(this.#options.folder, "plans"));
    const planned = await this.run("plan", "-detailed-exitcode", "-input=false", "-no-color", `-out=${file}`);
    if (planned.exitCode === 1) return planned;
    const { stdout, exitCode, killed } = await this.#execute(["show", "-json", "-no-color", file]);
    if (exitCode !== 0) {
      // What it had written by then is the plan with all of its secrets.
      return { exitCode: 1, killed, output: "Error: the plan could not be shown, so it was not applied" };
    }
    this.#keep(`plans/${name}.json`, stdout);
    return planned;
  }

  #number(): string {
    return String(this.#applies).padStart(2, "0");
  }

  #state(): string | undefined {
    const { folder, readState: readElsewhere } = this.#options;
    return readElsewhere === undefined ? readState(folder) : readElsewhere();
  }

  /** What a killed run leaves of the state. @returns a line about it */
  #settleState(before: string | undefined): string {
    const { folder, losesState = false } = this.#options;
    const isCut = isCutOff(readState(folder));
    if (!isCut && !losesState) return "";
    putBackState(folder, before);
    return `\n(The rehearsal put the state back as it was before this run${isCut ? ": it was cut off in the middle" : ""}.)\n`;
  }

  #keep(name: string, text: string): void {
    try {
      this.#options.keepFile?.(name, withoutSecrets(text));
    } catch (error) {
      // What a run that was killed has left half written can't be cleaned of its secrets, so it is not kept.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  /** Brings what is there under Terraform. */
  import(address: string, id: string): Promise<TerraformRun> {
    return this.run("import", "-input=false", "-no-color", address, id);
  }

  destroy(): Promise<TerraformRun> {
    return this.run("destroy", "-auto-approve", "-input=false", "-no-color");
  }

  /** Ends what runs now and its provisioners with SIGKILL, as a runner that is taken away would. @returns whether something ran */
  kill(): boolean {
    const pid = this.#running?.pid;
    if (pid === undefined) return false;
    process.kill(-pid, "SIGKILL");
    return true;
  }

  /**
   * Runs it and keeps what it says in {@link runsName} of the folder.
   *
   * @throws InputError `terraform-missing`
   */
  async run(...words: readonly string[]): Promise<TerraformRun> {
    const { stdout: _stdout, ...run } = await this.#execute(words);
    const bad = this.#options.strict === false ? [] : this.#badPlans();
    if (bad.length === 0) return run;
    return {
      ...run,
      exitCode: 1,
      output: `${run.output}\nError: the provider stand-in made a bad plan: ${bad.join("; ")}\n`,
    };
  }

  /** Takes the log of the last run, and says what in it must not be. */
  #badPlans(): readonly string[] {
    const file = join(this.#options.folder, logName);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n");
    rmSync(file);
    // A refresh finds what has changed by itself, as the state of an entry does.
    return lines.filter((line) => badPlan.test(line) && !line.includes("during refresh"));
  }

  async #execute(words: readonly string[]): Promise<ProgramRun> {
    const { program, folder, keepFile, env, signal, endSignal, onRun } = this.#options;
    const { usesSettings = false, now = () => new Date() } = this.#options;
    const from = now().toISOString();
    const stateBefore = readState(folder);
    const own = {
      ...(usesSettings ? {} : { TF_CLI_CONFIG_FILE: join(folder, "none.tfrc") }),
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      TF_LOG: "WARN",
      TF_LOG_PATH: join(folder, logName),
    };
    const isShown = words[0] !== "show";
    const connected = words[0] === "init" ? {} : this.#options.connectedEnv;
    if (isShown) this.#progress.begin(words[0] ?? "");
    try {
      const run = await runProgram({
        program,
        words,
        folder,
        env: { ...inheritedEnvironment(process.env, usesSettings), ...own, ...env, ...connected },
        signal,
        ...(endSignal === undefined ? {} : { endSignal }),
        ...(isShown ? { onText: this.#progress.read } : {}),
        onProcess: (child) => {
          this.#running = child;
        },
      });
      const output = run.killed ? run.output + this.#settleState(stateBefore) : run.output;
      const told = isShown ? output : "";
      const ended = run.killed ? "killed" : `exit code ${run.exitCode}`;
      // What was cut off ends in the middle of a line.
      const text = told === "" || told.endsWith("\n") ? told : `${told}\n`;
      const entry = `$ ${program} ${words.join(" ")}\n${text}${ended}\n\n`;
      writeOwn(join(folder, runsName), entry, "added");
      keepFile?.(runsName, withoutSecretText(entry), "added");
      const { exitCode, killed } = run;
      const isLockLeft = existsSync(join(folder, lockName));
      onRun?.({ words, from, until: now().toISOString(), exitCode, output, killed, isLockLeft });
      return { ...run, output };
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ENOENT" ? missing(program) : error;
    }
  }
}

function missing(program: string): InputError {
  const message = `${quote(program)} is not on PATH: the rehearsal runs the real one; install Terraform 1.5 or later, or give --terraform tofu`;
  return new InputError("terraform-missing", message);
}

/**
 * Nothing of the user's own settings: a configuration file, a log or credentials may lead anywhere. Variables of stacks stay.
 *
 * @param usesSettings whether what says where providers are installed from stays as well
 */
export function inheritedEnvironment(env: NodeJS.ProcessEnv, usesSettings = false): NodeJS.ProcessEnv {
  const isSetting = (name: string) => /^(?:TF_|TERRAFORM_|TOFU_|GOOGLE_|CLOUDSDK_)/.test(name);
  const isOfStacks = (name: string) => name.startsWith("TF_VAR_");
  const isOfInstalling = (name: string) =>
    usesSettings && /^TF_(?:CLI_CONFIG_FILE$|PLUGIN_|REGISTRY_|TOKEN_)/.test(name);
  const kept = Object.entries(env).filter(([name]) => !isSetting(name) || isOfStacks(name) || isOfInstalling(name));
  return Object.fromEntries(kept);
}

/** The errors that a program and the commands of its provisioners told, or the end of what it said, on one line. */
export function lastLines(output: string): string {
  const bare = (line: string) => line.replace(/^[│╷╵\s]+/, "").replace(/^\S+ \(local-exec\): /, "");
  const lines = output.split("\n").map((line) => bare(line).trim());
  // Terraform says on the next lines of which block an error is.
  const placeAfter = (index: number) =>
    lines
      .slice(index + 1, index + 4)
      .flatMap((line) => / in ((?:resource|data|module|provider)\.\S+):$/.exec(line)?.[1] ?? []);
  const told = lines.map((line, index) => [line, ...placeAfter(index).slice(0, 1)].join(" in "));
  const errors = [...new Set(told.filter((line) => /^(?:Error|error: )/.test(line)))];
  return (errors.length > 0 ? errors : lines.filter((line) => line !== "").slice(-5))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
