import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import { quote } from "../quote";
import { type StackJson, withLocalState } from "./stack";

/** How one run of Terraform ended. */
export interface TerraformRun {
  /** 1 where it was killed. */
  readonly exitCode: number;
  /** What it wrote to both streams, in the order of arrival. */
  readonly output: string;
  /** Whether {@link Terraform.kill} ended it. */
  readonly killed: boolean;
}

export interface TerraformOptions {
  /** `terraform` or `tofu`, on PATH, or a path. */
  readonly program: string;
  /** Where it works and keeps its state. */
  readonly folder: string;
  /** On top of the caller's own variables, less those that Terraform and Google's tools read. */
  readonly env: Readonly<Record<string, string>>;
  /** Interrupts what runs, as Ctrl-C would. */
  readonly signal: AbortSignal;
}

/** Real Terraform in a folder of its own, with the provider stand-in attached. */
export class Terraform {
  readonly #options: TerraformOptions;
  #initialized = false;
  #running: ChildProcess | undefined;

  constructor(options: TerraformOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
    writeFileSync(join(options.folder, "none.tfrc"), "");
  }

  /**
   * Puts a stack in place; its own backend gives way to the folder's state.
   *
   * @throws InputError `terraform-init-failed`, `terraform-missing`
   */
  async write(stack: StackJson): Promise<void> {
    writeFileSync(join(this.#options.folder, "cdk.tf.json"), JSON.stringify(withLocalState(stack), undefined, 2));
    if (this.#initialized) return;
    const { exitCode, output } = await this.run("init", "-input=false", "-no-color");
    if (exitCode !== 0) {
      const program = quote(this.#options.program);
      throw new InputError("terraform-init-failed", `${program} init failed: ${lastLines(output)}`);
    }
    this.#initialized = true;
  }

  apply(): Promise<TerraformRun> {
    return this.run("apply", "-auto-approve", "-input=false", "-no-color");
  }

  /** Ends with 0 where nothing would change, 2 where something would, 1 for an error. */
  plan(): Promise<TerraformRun> {
    return this.run("plan", "-detailed-exitcode", "-input=false", "-no-color");
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
   * Runs it and keeps what it says in `terraform.log` of the folder.
   *
   * @throws InputError `terraform-missing`
   */
  run(...words: readonly string[]): Promise<TerraformRun> {
    const { program, folder, env, signal } = this.#options;
    const own = { TF_CLI_CONFIG_FILE: join(folder, "none.tfrc"), CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };
    return new Promise((resolve, reject) => {
      const child = spawn(program, words, {
        cwd: folder,
        env: { ...inheritedEnvironment(process.env), ...own, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that a kill takes the provisioners along and Ctrl-C reaches Terraform once.
        detached: true,
      });
      this.#running = child;
      const stop = () => child.kill("SIGINT");
      signal.addEventListener("abort", stop, { once: true });
      let ended = false;
      const end = () => {
        ended = true;
        signal.removeEventListener("abort", stop);
        this.#running = undefined;
      };
      let output = "";
      const take = (chunk: Buffer) => {
        output += chunk.toString();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.on("error", (error: NodeJS.ErrnoException) => {
        end();
        reject(error.code === "ENOENT" ? missing(program) : error);
      });
      child.on("exit", () => {
        this.#running = undefined;
      });
      child.on("close", (code, killedBy) => {
        // What could not be started closes as well.
        if (ended) return;
        end();
        const killed = killedBy === "SIGKILL";
        appendFileSync(
          join(folder, "terraform.log"),
          `$ ${program} ${words.join(" ")}\n${output}${killed ? "killed" : `exit code ${code}`}\n\n`,
        );
        resolve({ exitCode: code ?? 1, output, killed });
      });
    });
  }
}

function missing(program: string): InputError {
  const message = `${quote(program)} is not on PATH: the rehearsal runs the real one; install Terraform 1.5 or later, or give --terraform tofu`;
  return new InputError("terraform-missing", message);
}

/** Nothing of the user's own settings: a configuration file, a log or credentials may lead anywhere. Variables of stacks stay. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSetting = (name: string) =>
    /^(?:TF_|TERRAFORM_|TOFU_|GOOGLE_|CLOUDSDK_)/.test(name) && !name.startsWith("TF_VAR_");
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSetting(name)));
}

/** The errors that a program told, or the end of what it said, on one line. */
export function lastLines(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^[│╷╵\s]+/, "").trim());
  const errors = lines.filter((line) => line.startsWith("Error"));
  return (errors.length > 0 ? errors : lines.filter((line) => line !== "").slice(-5))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
