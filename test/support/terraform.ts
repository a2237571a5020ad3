import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badPlansIn } from "../../lib/rehearsal/terraform-output";
import type { TerraformProvider } from "../../lib/terraform-provider";

/** What one run of Terraform left behind. */
interface TerraformRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Entries of the log about plans and states that a provider should not have returned. */
  readonly badPlans: readonly string[];
}

/** A directory in which Terraform runs with the stand-in attached. */
export interface TerraformDirectory extends AsyncDisposable {
  readonly path: string;
  /** Writes the stack as JSON. */
  write(stack: object): Promise<void>;
  /** Runs Terraform. @throws if the binary is missing */
  run(...words: readonly string[]): Promise<TerraformRun>;
  /** Runs Terraform and interrupts it after a time. @returns the exit code */
  interrupt(afterMs: number, ...words: readonly string[]): Promise<number>;
  /** Runs Terraform and fails on an error or on warnings about bad plans. */
  succeed(...words: readonly string[]): Promise<string>;
  /** Writes the stack and applies it. */
  apply(stack: object): Promise<string>;
  /** Returns the exit code of a plan: 0 without changes, 2 with changes, 1 for an error. */
  plan(): Promise<number>;
  /** State of one resource. */
  show(address: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

interface Stack {
  readonly terraform: object;
}

/** @param program `terraform` or `tofu`, on PATH */
export async function openTerraform(
  provider: Pick<TerraformProvider, "reattachConfig">,
  program = "terraform",
): Promise<TerraformDirectory> {
  const path = await mkdtemp(join(tmpdir(), "terraform-stand-in-"));
  const logPath = join(path, "terraform.log");
  const env = environmentOf(provider, path, logPath);
  await writeFile(join(path, "none.tfrc"), "");
  const run = async (...words: readonly string[]): Promise<TerraformRun> => {
    await writeFile(logPath, "");
    const { exitCode, stdout, stderr } = await execute(program, words, path, env);
    const log = await readFile(logPath, "utf8");
    return {
      exitCode,
      stdout,
      stderr,
      // A refresh finds what services changed themselves; OpenTofu logs it also for an import.
      badPlans: badPlansIn(log).filter((entry) => !entry.includes("during refresh")),
    };
  };
  const succeed = async (...words: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr, badPlans: bad } = await run(...words);
    if (exitCode !== 0 || bad.length > 0) {
      throw new Error(`${program} ${words.join(" ")} ended with ${exitCode}\n${bad.join("\n")}\n${stderr}\n${stdout}`);
    }
    return stdout;
  };
  let initialized = false;
  const write = async (stack: object) => {
    await writeFile(join(path, "stack.tf.json"), JSON.stringify(stack));
    // An attached provider needs no installation, so that only a backend has to be prepared.
    if (initialized || !("backend" in (stack as Stack).terraform)) return;
    await succeed("init", "-input=false", "-no-color");
    initialized = true;
  };
  return {
    path,
    write,
    run,
    interrupt: async (afterMs, ...words) => {
      const child = spawn(program, words, { cwd: path, env, stdio: "ignore" });
      return interrupted(child, afterMs);
    },
    succeed,
    apply: async (stack) => {
      await write(stack);
      return succeed("apply", "-auto-approve", "-input=false", "-no-color");
    },
    plan: async () => {
      const { exitCode, stderr, badPlans: bad } = await run("plan", "-detailed-exitcode", "-input=false", "-no-color");
      if (bad.length > 0) throw new Error(`bad plans:\n${bad.join("\n")}\n${stderr}`);
      return exitCode;
    },
    show: async (address) => {
      return resourceIn(await succeed("show", "-json"), address);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

function environmentOf(
  provider: Pick<TerraformProvider, "reattachConfig">,
  path: string,
  logPath: string,
): NodeJS.ProcessEnv {
  // Ignores the user's own settings, because a configuration file or plugin cache may point anywhere.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TF_|TERRAFORM_|GOOGLE_|CLOUDSDK_)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    TF_DATA_DIR: join(path, ".terraform"),
    TF_CLI_CONFIG_FILE: join(path, "none.tfrc"),
    TF_LOG: "WARN",
    TF_LOG_PATH: logPath,
    TF_REATTACH_PROVIDERS: provider.reattachConfig,
  };
}

/** Interrupts a process after a time. @returns its exit code */
async function interrupted(child: ChildProcess, afterMs: number): Promise<number> {
  const timer = setTimeout(() => child.kill("SIGINT"), afterMs);
  const [exitCode] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  return exitCode ?? 1;
}

interface Shown {
  readonly values?: {
    readonly root_module?: {
      readonly resources?: readonly { address: string; values: Record<string, unknown> }[];
    };
  };
}

/** Returns the values of a resource in the output of `terraform show -json`. */
function resourceIn(text: string, address: string): Readonly<Record<string, unknown>> | undefined {
  const resources = (JSON.parse(text) as Shown).values?.root_module?.resources ?? [];
  return resources.find((resource) => resource.address === address)?.values;
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env, maxBuffer: 256 * 1024 * 1024, timeout: 120_000 };
    execFile(program, words, options, (error, stdout, stderr) => {
      if ((error as NodeJS.ErrnoException | null)?.code === "ENOENT") {
        reject(new Error(`${program} is not on PATH: these tests run the real one; install Terraform 1.5 or later`));
      } else {
        const { code } = (error ?? { code: 0 }) as { readonly code?: unknown };
        resolve({ exitCode: typeof code === "number" ? code : 1, stdout, stderr });
      }
    });
  });
}
