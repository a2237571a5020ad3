/**
 * Follows docs/terraform.md from beginning to end in a clone of this repository, as a reader would who has nothing
 * else: `tsx test/follow-terraform-page.ts FOLDER`. Clones the committed state into FOLDER, and runs every line of the
 * clone's own page, those that build and install the package included.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { followPage, stepsOf } from "./support/terraform-page";

async function main(): Promise<void> {
  const [folder = "."] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const clone = join(resolve(folder), "clone");
  execFileSync("git", ["clone", "--quiet", join(__dirname, ".."), clone]);
  const steps = stepsOf(
    readFileSync(join(clone, "docs", "terraform.md"), "utf8").split("\n## Use OpenTofu\n")[0] ?? "",
  );
  const env = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  const begun = Date.now();
  const done = await followPage(steps, clone, env, (line) => {
    process.stdout.write(`${Math.round((Date.now() - begun) / 1000)} s $ ${line}\n`);
  });
  const [line, exitCode, output] = done.at(-1) ?? [];
  if (exitCode !== 0) throw new Error(`'${line}' ends with ${exitCode}:\n${output}`);
  const expected = steps.filter((step) => "line" in step).length;
  if (done.length !== expected || expected < 15) throw new Error(`${done.length} of ${expected} lines ran`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
