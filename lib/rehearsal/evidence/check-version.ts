import { execFile } from "node:child_process";
import { devNull, tmpdir } from "node:os";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { inheritedEnvironment } from "../terraform";

/**
 * First minor version of Terraform that supports `import` blocks. OpenTofu supports them since its first version, 1.6.
 */
const leastMinor = 5;
const advice = "a rehearsal runs Terraform 1.5 or later, or OpenTofu 1.6 or later; install one of them, or name it";

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
    throw new InputError("terraform-unfit", `${quote(program)} ${what}; ${advice}`);
  }
  if (major > 1 || (major === 1 && minor >= leastMinor)) return version;
  throw new InputError("terraform-unfit", `${quote(program)} has the version ${quote(version)}; ${advice}`);
}

/** Returns the version, or undefined. Both programs name the member `terraform_version`. */
function versionOf(program: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string | undefined> {
  const own = { CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: devNull };
  const limits = { timeout: timeoutMs, maxBuffer: mostBytes, killSignal: "SIGKILL" } as const;
  const options = { ...limits, signal, cwd: tmpdir(), env: { ...inheritedEnvironment(env), ...own } };
  return new Promise((resolve) => {
    const child = execFile(program, ["version", "-json"], options, (error, stdout) =>
      resolve(error === null ? versionIn(stdout) : undefined),
    );
    child.stdin?.end();
  });
}

function versionIn(text: string): string | undefined {
  try {
    const { terraform_version: version } = JSON.parse(text) as { readonly terraform_version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
