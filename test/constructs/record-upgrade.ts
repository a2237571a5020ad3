/**
 * Records what this version synthesizes for every example, as the previous version of the next upgrade test: `npm run
 * upgrade:record`, once for each release. With names, as in `npm run upgrade:record -- NAME`, it records these examples
 * only, for examples that are new. A recording with certificates has them in a folder of its name.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formerFolder, type Runner, synthesizeExample, upgradeExamples } from "../support/upgrade-examples";

const program = ["-r", "tsx/cjs", join(__dirname, "..", "..", "lib", "cli", "main.ts")];

const runner: Runner = {
  load: (file) => {
    // An example that was loaded before would not run again.
    for (const loaded of Object.keys(require.cache)) if (!loaded.includes("node_modules")) delete require.cache[loaded];
    require(file);
  },
  command: async (words) => void execFileSync(process.execPath, [...program, ...words], { stdio: "ignore" }),
};

async function main(): Promise<void> {
  const chosen = process.argv.slice(2);
  for (const name of upgradeExamples) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const synthesized = await synthesizeExample(name, runner);
    writeFileSync(join(formerFolder, `${name}.json`), `${JSON.stringify(synthesized)}\n`);
    process.stdout.write(`${name}\n`);
  }
}

void main();
