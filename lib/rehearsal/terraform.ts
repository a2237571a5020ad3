import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";

/** How one run of Terraform ended. */
export interface TerraformRun {
  readonly exitCode: number;
  readonly output: string;
}

export interface TerraformOptions {
  /** `terraform` or `tofu`, on PATH, or a path. */
  readonly program: string;
  /** Where it works and keeps its state. */
  readonly folder: string;
  /** On top of the caller's own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A stack as Terraform reads it. */
export type StackJson = Readonly<Record<string, unknown>>;

/** Real Terraform in a folder of its own, with the provider stand-in attached. */
export class Terraform {
  readonly #options: TerraformOptions;
  #initialized = false;

  constructor(options: TerraformOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
  }

  /** Puts a stack in place; its own backend gives way to the folder's state. */
  async write(stack: StackJson): Promise<void> {
    const { backend: _, ...terraform } = (stack.terraform ?? {}) as Record<string, unknown>;
    writeFileSync(join(this.#options.folder, "cdk.tf.json"), JSON.stringify({ ...stack, terraform }, undefined, 2));
    if (this.#initialized) return;
    const { exitCode, output } = await this.run("init", "-input=false", "-no-color");
    if (exitCode !== 0)
      throw new InputError("terraform-init-failed", `'${this.#options.program} init' failed: ${lastLines(output)}`);
    this.#initialized = true;
  }

  apply(): Promise<TerraformRun> {
    return this.run("apply", "-auto-approve", "-input=false", "-no-color");
  }

  /** @returns 0 where nothing would change, 2 where something would, 1 for an error */
  async plan(): Promise<TerraformRun> {
    return this.run("plan", "-detailed-exitcode", "-input=false", "-no-color");
  }

  destroy(): Promise<TerraformRun> {
    return this.run("destroy", "-auto-approve", "-input=false", "-no-color");
  }

  /**
   * Runs it and keeps what it says in `terraform.log` of the folder.
   *
   * @throws InputError `terraform-missing`
   */
  run(...words: readonly string[]): Promise<TerraformRun> {
    const { program, folder, env, signal } = this.#options;
    return new Promise((resolve, reject) => {
      const child = spawn(program, words, {
        cwd: folder,
        env: { ...cleanEnvironment(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const stop = () => child.kill("SIGINT");
      signal.addEventListener("abort", stop, { once: true });
      let output = "";
      const take = (chunk: Buffer) => {
        output += chunk.toString();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.on("error", (error: NodeJS.ErrnoException) => {
        signal.removeEventListener("abort", stop);
        reject(error.code === "ENOENT" ? missing(program) : error);
      });
      child.on("close", (code) => {
        signal.removeEventListener("abort", stop);
        appendFileSync(join(folder, "terraform.log"), `$ ${program} ${words.join(" ")}\n${output}\n`);
        resolve({ exitCode: code ?? 1, output });
      });
    });
  }
}

function missing(program: string): InputError {
  const message = `'${program}' is not on PATH: the rehearsal runs the real one; install Terraform 1.5 or later, or give --terraform tofu`;
  return new InputError("terraform-missing", message);
}

/** Nothing of the user's own settings: a configuration file, a log or credentials may lead anywhere. */
function cleanEnvironment(): Readonly<Record<string, string | undefined>> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:TF_|TERRAFORM_|GOOGLE_|CLOUDSDK_)/.test(name));
  return { ...Object.fromEntries(own), CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };
}

/** The end of what a program said, on one line. */
export function lastLines(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^[│╷╵\s]+/, "").trim());
  const errors = lines.filter((line) => line.startsWith("Error"));
  return (errors.length > 0 ? errors : lines.filter((line) => line !== "").slice(-5))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
