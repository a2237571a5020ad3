import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, join, parse, resolve } from "node:path";
import { InputError } from "../errors";
import { fieldsOf, parseJson } from "../json/fields";
import { quote } from "../text/quote";
import { inheritedEnvironment } from "./terraform";

/** Programs to search for, in this order, if the user names no program. */
const programs = ["terraform", "tofu"] as const;
const advice =
  "install Terraform 1.5 or later (developer.hashicorp.com/terraform/install) or OpenTofu 1.6 or later (opentofu.org/docs/intro/install)";

/**
 * Returns the program that a rehearsal runs.
 *
 * @param named `terraform`, `tofu` or another name on PATH, or a path; undefined for the first program that exists
 * @param searchPath value of PATH
 * @returns the name, or an absolute path
 * @throws InputError `terraform-missing`
 */
export function findTerraform(named: string | undefined, searchPath: string): string {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  const isThere = (program: string) =>
    /[\\/]/.test(program) ? isProgram(program) : folders.some((folder) => isProgram(join(folder, program)));
  if (named !== undefined) {
    // The program runs in another working directory, so a relative path must be made absolute.
    if (isThere(named)) return /[\\/]/.test(named) ? resolve(named) : named;
    const place = /[\\/]/.test(named) ? "is not a program" : "is not on PATH";
    throw new InputError("terraform-missing", `${quote(named)} ${place}: a rehearsal runs the real one; ${advice}`);
  }
  const found = programs.find(isThere);
  if (found !== undefined) return found;
  throw new InputError(
    "terraform-missing",
    `neither terraform nor tofu is on PATH: a rehearsal runs the real one; ${advice}, or give --terraform with a path`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * First minor version of Terraform that supports `import` blocks. OpenTofu supports them since its first version, 1.6.
 */
const leastMinor = 5;
const versionAdvice =
  "a rehearsal runs Terraform 1.5 or later, or OpenTofu 1.6 or later; install one of them, or name it";

/** Limits of the version command, in milliseconds and bytes. */
const timeoutMs = 30_000;
const mostBytes = 1024 * 1024;

/**
 * Checks the version of a program. Another program might accept all commands of Terraform and do nothing.
 *
 * @param program name on PATH, or a path
 * @param env environment of this process
 * @returns the version
 * @throws InputError `terraform-unfit` for a program that is neither Terraform nor OpenTofu, or is too old; the
 * signal's reason if it is aborted
 */
export async function checkVersion(program: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const version = await versionOf(program, env, signal);
  signal.throwIfAborted();
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "")?.map(Number) ?? [];
  if (version === undefined || major === undefined || minor === undefined) {
    const what = "is neither Terraform nor OpenTofu: 'version -json' prints no version";
    throw new InputError("terraform-unfit", `${quote(program)} ${what}; ${versionAdvice}`);
  }
  if (major > 1 || (major === 1 && minor >= leastMinor)) return version;
  throw new InputError("terraform-unfit", `${quote(program)} has the version ${quote(version)}; ${versionAdvice}`);
}

/** Returns the version, or undefined. Both programs name the member `terraform_version`. */
function versionOf(program: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string | undefined> {
  const closed = { CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: devNull };
  const limits = { timeout: timeoutMs, maxBuffer: mostBytes, killSignal: "SIGKILL" } as const;
  // Not the folder for temporary files: if it is missing, the program could not start, and the error would name it.
  const options = {
    ...limits,
    signal,
    cwd: parse(process.execPath).root,
    env: { ...inheritedEnvironment(env), ...closed },
  };
  return new Promise((resolve) => {
    const child = execFile(program, ["version", "-json"], options, (error, stdout) =>
      resolve(error === null ? versionIn(stdout) : undefined),
    );
    child.stdin?.end();
  });
}

function versionIn(text: string): string | undefined {
  const { terraform_version: version } = fieldsOf(parseJson(text));
  return typeof version === "string" ? version : undefined;
}
