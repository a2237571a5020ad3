/** Mistakes of syntax in the files of a root module, from which a command would read wrong values. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import { bareTextOf, unclosedAt } from "./hcl-text";

const files = {
  /** Files of a root module, from which the commands read modules and values of variables. */
  module: /\.(?:tf|tofu|tfvars)(?:\.json)?$/,
  /** Files with values of variables. */
  values: /\.tfvars(?:\.json)?$/,
} as const;

/**
 * Refuses a folder with files that Terraform can't read either.
 *
 * @throws InputError `terraform-syntax` with file and line, one problem for each file
 */
export function refuseBrokenFiles(root: string, kind: keyof typeof files): void {
  // The caller reports a folder that does not exist.
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const problems = readdirSync(root)
    .filter((name) => files[kind].test(name) && statSync(join(root, name)).isFile())
    .sort()
    .flatMap((name) => {
      const found = mistakeIn(name, readFileSync(join(root, name), "utf8"));
      return found === undefined
        ? []
        : [{ code: "terraform-syntax" as const, message: `${join(root, name)}:${found}; correct the file` }];
    });
  if (problems.length > 0) throw new InputError(problems);
}

/** Returns the line and the mistake. */
function mistakeIn(name: string, text: string): string | undefined {
  if (name.endsWith(".json")) return jsonMistakeIn(text.replace(/^\uFEFF/, ""));
  const { bare, lineAt } = bareTextOf(text);
  const found = unclosedAt(bare);
  if (found === undefined) return undefined;
  const isEnd = "}])".includes(found.sign);
  return `${lineAt(found.index)}: '${found.sign}' ${isEnd ? "ends nothing that has begun before" : "has no end"}`;
}

function jsonMistakeIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // Without a position, the text ends too early.
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    const before = text.slice(0, position === undefined ? text.length : Number(position));
    return `${before.split("\n").length}: not valid JSON`;
  }
}
