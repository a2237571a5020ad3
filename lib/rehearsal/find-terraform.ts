import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { InputError } from "../errors";
import { quote } from "../text/quote";

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
