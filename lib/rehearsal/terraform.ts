import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../errors";
import { makeFolder } from "../files/make-folder";
import { defined } from "../json/defined";
import { quote } from "../text/quote";
import { withoutSecrets, withoutSecretText } from "./evidence/without-secrets";
import { writeOwn } from "./folder";
import { type ProgramName, programNameOf } from "./program-name";
import { type ProgramResult, runProgram } from "./run-program";
import { type StackJson, withLocalState } from "./stack";
import { idInState, isCutOff, putBackState, readState } from "./state-file";
import { badPlansIn, lastLines, readTerraformProgress, type TerraformProgress } from "./terraform-output";

/** Writes a text to a file, or appends it. The name may contain folders. */
export type KeepFile = (name: string, text: string, how?: "added") => void;

/** Settings of Terraform's command line: the stand-in is attached, and no other provider is installed. */
const settingsName = "cert-migration-rehearsal.tfrc";
const closedSettings = 'provider_installation {\n  direct {\n    exclude = ["*/*/*"]\n  }\n}\n';

/** Result of one run of Terraform. */
export type TerraformRun = Omit<ProgramResult, "stdout">;

/** A completed run with its times. */
export interface EndedRun extends TerraformRun {
  /** `terraform` or `tofu`. */
  readonly program: ProgramName["command"];
  readonly words: readonly string[];
  /** Beginning and end, by the given clock, RFC 3339. */
  readonly from: string;
  readonly until: string;
  /** Whether the run ended without releasing the state lock: its lock file still exists. */
  readonly isLockLeft: boolean;
}

/** How a configuration is written in place of a stack. */
export interface Protection {
  /** Whether resources keep `prevent_destroy`. */
  readonly isProtected: boolean;
}

export interface TerraformOptions {
  /** `terraform` or `tofu` on PATH, or a path. */
  readonly program: string;
  /** Working folder, which also contains the state. */
  readonly folder: string;
  readonly signals: TerraformSignals;
  readonly provider: ProviderEnvironment;
  readonly configuration?: ConfigurationOptions;
  readonly state?: StateOptions;
  readonly observers?: TerraformObservers;
  /** Current time. @default - the machine's clock */
  readonly now?: () => Date;
}

interface TerraformSignals {
  /** Interrupts the current run, as Ctrl-C does. */
  readonly interrupt: AbortSignal;
  /**
   * Kills the current run and its child processes with SIGKILL, for a caller that is about to exit.
   *
   * @default - never
   */
  readonly kill?: AbortSignal;
}

/** How Terraform finds its providers. */
interface ProviderEnvironment {
  /**
   * Environment variables in addition to the caller's own, without the caller's variables for Terraform and Google's
   * tools.
   */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The real provider. The user's settings of Terraform apply: mirrors, a plugin cache, credentials of registries. They
   * may contain any address. `env` has further variables for every run except `init`, which installs the provider from
   * the user's source.
   *
   * @default - the provider stand-in, without the user's settings
   */
  readonly real?: { readonly env: Readonly<Record<string, string>> };
  /** Whether a plan that Terraform only tolerates is an error. The real provider produces some. @default true */
  readonly strict?: boolean;
}

interface ConfigurationOptions {
  /** Folder that stacks refer to; copied to `assets` beside the stack. @default - none */
  readonly assets?: string;
  /** Writes the configuration into the folder, in place of the stack. @default - writes the stack */
  readonly copy?: (protection: Protection) => void;
}

/** Where the state is. */
interface StateOptions {
  /**
   * Changes a stack before it is written.
   *
   * @default - keeps the state in the folder, whatever backend the stack names
   */
  readonly adapt?: (stack: StackJson) => StackJson;
  /** Reads the current state, if it is not in the folder. @default - the state is in the folder */
  readonly read?: () => string | undefined;
  /**
   * Whether the state loses the changes of a killed run, as with a backend to which Terraform writes only occasionally.
   *
   * @default false
   */
  readonly losesChanges?: boolean;
}

/** Functions that are called with what Terraform does. */
interface TerraformObservers {
  /**
   * Keeps plans and states as JSON, and Terraform's output, without private keys, tokens and values that Terraform
   * marks as sensitive. Each plan is then saved, and applied as saved.
   *
   * @default - nothing is kept
   */
  readonly keepFile?: KeepFile;
  /** Called with the progress of a run. */
  readonly onProgress?: (progress: TerraformProgress) => void;
  /** Called with each piece of the output of a run. */
  readonly onText?: (text: string) => void;
  /** Called with each completed run. */
  readonly onRun?: (run: EndedRun) => void;
}

/** File in which Terraform notes its lock of the state in the folder. */
const lockName = ".terraform.tfstate.lock.info";

/** File of Terraform's output, run by run. */
export const runsName = "terraform.log";

/** Terraform's own log of one run. */
const logName = "warnings.log";

/** Runs real Terraform in its own folder, with the provider stand-in attached. */
export class Terraform {
  readonly #options: TerraformOptions;
  readonly #observers: TerraformObservers;
  #initialized = false;
  #applies = 0;
  #running: ChildProcess | undefined;
  readonly #progress: ReturnType<typeof readTerraformProgress>;
  /** Names of the program, for messages. */
  readonly name: ProgramName;

  constructor(options: TerraformOptions) {
    // Terraform runs in this folder, and gets paths of files in it.
    this.#options = { ...options, folder: resolve(options.folder) };
    this.#observers = options.observers ?? {};
    const { folder, configuration: { assets } = {} } = options;
    this.name = programNameOf(options.program);
    this.#progress = readTerraformProgress((progress) => this.#observers.onProgress?.(progress), this.name.command);
    // Stack and state contain private keys, and `--keep` keeps both.
    makeFolder(folder, 0o700);
    if (assets !== undefined && existsSync(assets)) cpSync(assets, join(folder, "assets"), { recursive: true });
  }

  /**
   * Writes a stack into the folder, with the state in the folder instead of the stack's backend, and initializes
   * Terraform. If the initialization is interrupted, returns; the next call starts it again.
   *
   * @throws InputError `terraform-init-failed`, `terraform-missing`; `rehearsal-folder` if a file can't be written
   */
  async write(stack: StackJson, protection: Protection = { isProtected: true }): Promise<void> {
    const { program, folder, signals, provider, configuration, state } = this.#options;
    const adapt = state?.adapt ?? withLocalState;
    if (configuration?.copy !== undefined) configuration.copy(protection);
    else writeOwn(join(folder, "cdk.tf.json"), JSON.stringify(adapt(stack), undefined, 2));
    if (this.#initialized) return;
    const { exitCode, output } = await this.run("init", "-input=false", "-no-color");
    this.#initialized = exitCode === 0;
    if (this.#initialized || signals.interrupt.aborted) return;
    const remedy =
      provider.real !== undefined
        ? "make the provider available in the mirror or registry of your settings, or leave out '--provider real'"
        : "fix what the error names, and start the rehearsal again";
    throw new InputError("terraform-init-failed", `${quote(program)} init failed: ${lastLines(output)}; ${remedy}`);
  }

  async apply(): Promise<TerraformRun> {
    this.#applies += 1;
    if (this.#observers.keepFile === undefined) return this.run("apply", "-auto-approve", "-input=false", "-no-color");
    const name = `${this.#number()}-apply`;
    const planned = await this.#plan(name);
    if (planned.exitCode === 1) return planned;
    if (this.#options.signals.interrupt.aborted) return { ...planned, exitCode: 1 };
    const applied = await this.run("apply", "-input=false", "-no-color", `plans/${name}.tfplan`);
    const state = this.#state();
    if (state !== undefined) this.#keep(`states/${this.#number()}.json`, state);
    return applied;
  }

  /** Plans. Exit code 0: no changes; 2: changes; 1: error. */
  plan(): Promise<TerraformRun> {
    if (this.#observers.keepFile !== undefined) return this.#plan(`${this.#number()}-after`);
    return this.run("plan", "-detailed-exitcode", "-input=false", "-no-color");
  }

  async #plan(name: string): Promise<TerraformRun> {
    const file = `plans/${name}.tfplan`;
    makeFolder(join(this.#options.folder, "plans"));
    const planned = await this.run("plan", "-detailed-exitcode", "-input=false", "-no-color", `-out=${file}`);
    if (planned.exitCode === 1) return planned;
    const { stdout, exitCode, killed } = await this.#execute(["show", "-json", "-no-color", file]);
    if (exitCode !== 0) {
      // The partial output is the plan with all of its secrets, so it must not be reported.
      return { exitCode: 1, killed, output: "Error: the plan could not be shown, so it was not applied" };
    }
    this.#keep(`plans/${name}.json`, stdout);
    return planned;
  }

  /**
   * Plans, and writes the plan as JSON into the folder. The plan is not applied, and is no part of the evidence.
   *
   * @returns the file, or the output of the run that failed
   */
  async savePlan(): Promise<{ readonly file?: string; readonly output: string }> {
    const saved = await this.run("plan", "-input=false", "-no-color", "-out=next.tfplan");
    if (saved.exitCode !== 0) return { output: saved.output };
    const { stdout, exitCode } = await this.#execute(["show", "-json", "-no-color", "next.tfplan"]);
    // The partial output is a plan with all of its secrets, so it must not be reported.
    if (exitCode !== 0) return { output: "Error: the plan could not be shown" };
    const file = join(this.#options.folder, "next-plan.json");
    writeOwn(file, stdout);
    return { file, output: "" };
  }

  #number(): string {
    return String(this.#applies).padStart(2, "0");
  }

  #state(): string | undefined {
    const { folder, state: { read = () => readState(folder) } = {} } = this.#options;
    return read();
  }

  /** Restores the state after a killed run, if necessary. @returns a line for the log */
  #settleState(before: string | undefined): string {
    const { folder, state: { losesChanges = false } = {} } = this.#options;
    const isCut = isCutOff(readState(folder));
    if (!isCut && !losesChanges) return "";
    putBackState(folder, before);
    return `\n(The rehearsal put the state back as it was before this run${isCut ? ": it was cut off in the middle" : ""}.)\n`;
  }

  #keep(name: string, text: string): void {
    try {
      this.#observers.keepFile?.(name, withoutSecrets(text));
    } catch (error) {
      // A partial document of a killed run can't be cleaned of secrets, so it is not kept.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  /** Imports an existing resource. */
  import(address: string, id: string): Promise<TerraformRun> {
    return this.run("import", "-input=false", "-no-color", address, id);
  }

  /** Removes a resource from the state, and leaves it as it is. */
  forget(address: string): Promise<TerraformRun> {
    return this.run("state", "rm", address);
  }

  /** Returns the id that the state has at an address. */
  idInState(address: string): string | undefined {
    return idInState(this.#state(), address);
  }

  destroy(): Promise<TerraformRun> {
    return this.run("destroy", "-auto-approve", "-input=false", "-no-color");
  }

  /**
   * Kills the current run and its provisioners with SIGKILL, as the loss of a runner would.
   *
   * @returns whether a run was in progress
   */
  kill(): boolean {
    const pid = this.#running?.pid;
    if (pid === undefined) return false;
    process.kill(-pid, "SIGKILL");
    return true;
  }

  /**
   * Runs Terraform and appends its output to {@link runsName} in the folder.
   *
   * @throws InputError `terraform-missing`
   */
  async run(...words: readonly string[]): Promise<TerraformRun> {
    const { stdout: _stdout, ...run } = await this.#execute(words);
    const bad = this.#options.provider.strict === false ? [] : this.#badPlans();
    if (bad.length === 0) return run;
    return {
      ...run,
      exitCode: 1,
      output: `${run.output}\nError: the provider stand-in made a bad plan: ${bad.join("; ")}\n`,
    };
  }

  /** Removes the log of the last run, and returns the lines about invalid plans. */
  #badPlans(): readonly string[] {
    const file = join(this.#options.folder, logName);
    if (!existsSync(file)) return [];
    const log = readFileSync(file, "utf8");
    rmSync(file);
    // A refresh finds changes that services make themselves, for example to the state of an entry.
    return badPlansIn(log).filter((entry) => !entry.includes("during refresh"));
  }

  #read(text: string): void {
    this.#progress.read(text);
    this.#observers.onText?.(text);
  }

  async #execute(words: readonly string[]): Promise<ProgramResult> {
    const { program, folder, provider, signals, now = () => new Date() } = this.#options;
    const { keepFile, onRun } = this.#observers;
    const usesSettings = provider.real !== undefined;
    const from = now().toISOString();
    const stateBefore = readState(folder);
    if (!usesSettings) writeOwn(join(folder, settingsName), closedSettings);
    const settings = {
      // A file in the folder could be one of a user's configuration that is copied there.
      ...(usesSettings ? {} : { TF_CLI_CONFIG_FILE: join(folder, settingsName) }),
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      TF_LOG: "WARN",
      TF_LOG_PATH: join(folder, logName),
    };
    const isShown = words[0] !== "show";
    const connected = words[0] === "init" ? {} : provider.real?.env;
    if (isShown) this.#progress.begin(words[0] ?? "");
    try {
      const run = await runProgram({
        program,
        words,
        folder,
        env: { ...inheritedEnvironment(process.env, { usesSettings }), ...settings, ...provider.env, ...connected },
        signal: signals.interrupt,
        ...defined({ endSignal: signals.kill }),
        ...(isShown ? { onText: (text) => this.#read(text) } : {}),
        onProcess: (child) => {
          this.#running = child;
        },
      });
      const output = run.killed ? run.output + this.#settleState(stateBefore) : run.output;
      const shownOutput = isShown ? output : "";
      const ended = run.killed ? "killed" : `exit code ${run.exitCode}`;
      // Truncated output ends in the middle of a line.
      const text = shownOutput === "" || shownOutput.endsWith("\n") ? shownOutput : `${shownOutput}\n`;
      const entry = `$ ${program} ${words.join(" ")}\n${text}${ended}\n\n`;
      writeOwn(join(folder, runsName), entry, "added");
      keepFile?.(runsName, withoutSecretText(entry), "added");
      const { exitCode, killed } = run;
      const isLockLeft = existsSync(join(folder, lockName));
      onRun?.({
        program: this.name.command,
        words,
        from,
        until: now().toISOString(),
        exitCode,
        output,
        killed,
        isLockLeft,
      });
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
 * Returns the environment without the user's settings, because a configuration file, a log or credentials may contain
 * any address. Variables of stacks (`TF_VAR_`) are kept.
 *
 * With the user's settings, those for the installation of providers are also kept.
 */
export function inheritedEnvironment(
  env: NodeJS.ProcessEnv,
  { usesSettings = false }: { readonly usesSettings?: boolean } = {},
): NodeJS.ProcessEnv {
  const isSetting = (name: string) => /^(?:TF_|TERRAFORM_|TOFU_|GOOGLE_|CLOUDSDK_)/.test(name);
  const isOfStacks = (name: string) => name.startsWith("TF_VAR_");
  const isOfInstalling = (name: string) =>
    usesSettings && /^TF_(?:CLI_CONFIG_FILE$|PLUGIN_|REGISTRY_|TOKEN_)/.test(name);
  const kept = Object.entries(env).filter(([name]) => !isSetting(name) || isOfStacks(name) || isOfInstalling(name));
  return Object.fromEntries(kept);
}
