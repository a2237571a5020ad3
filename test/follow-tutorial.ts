/**
 * Executes the ten-minute migration of the tutorial, and part D, with the installed package:
 * `tsx test/follow-tutorial.ts FOLDER KIT`. FOLDER is a project that has the tarball; KIT is `cdktn` or `cdktf`. The
 * output of each command has to equal the output on the page. Skips commands that need a clone (`npm pack`,
 * `npm install`) and, from part E on, commands that need an account.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import { tutorialText } from "./support/tutorial";

const [section = ""] = tutorialText.split(/^\*\*E\. /m);
const blocks = [...section.matchAll(/^```(\S+)( \S+)?\n([\s\S]*?)^```$/gm)].map(([, kind, , text]) => ({ kind, text }));
const [folder = ".", kit = "cdktn"] = process.argv.slice(2);

function main(): void {
  let done = 0;
  for (const { kind, text = "" } of blocks) {
    if (kind === "console") {
      const [line = "", ...printed] = text.split("\n");
      const said = run(line.replace("$ ", ""));
      if (said !== printed.join("\n"))
        throw new Error(`'${line}' printed\n${said}\nbut the page shows\n${printed.join("\n")}`);
    } else if (kind === "yaml") {
      edit(text);
    } else {
      for (const line of text.split("\n").filter((each) => each !== "" && !/npm (?:ci|install)/.test(each))) run(line);
    }
    done += 1;
  }
  run("npx cert-migration plan --stack cdktf.out/stacks/shop");
  // Parts A to D: installation, inventory, an edit, plan and rehearsal, synthesis.
  if (done !== 5) throw new Error(`the pages have ${done} blocks before part E instead of 5`);
}

/** Replaces keys in `migration.yaml`. */
function edit(text: string): void {
  const path = join(folder, "migration.yaml");
  const migration = parseDocument(readFileSync(path, "utf8"));
  for (const [key, value] of Object.entries(parse(text) as object)) migration.set(key, value);
  writeFileSync(path, migration.toString());
}

/** Runs a command line and returns its result and messages, as a terminal shows them. */
function run(lineOfReadme: string): string {
  // The text of step 4 names the file for cdktf.
  const line = kit === "cdktf" ? lineOfReadme.replace("examples/cdk-terrain/", "examples/from-spec/") : lineOfReadme;
  process.stdout.write(`$ ${line}\n`);
  const env = { ...process.env, npm_config_offline: "true" };
  const { status, stdout } = spawnSync("sh", ["-c", `{ ${line}\n} 2>&1`], {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: 240_000,
  });
  if (status !== 0) throw new Error(`'${line}' ends with ${status}:\n${stdout}`);
  // Warnings of npm about its own settings are not output of the command.
  return stdout.replace(/^npm warn .*\n/gm, "");
}

main();
