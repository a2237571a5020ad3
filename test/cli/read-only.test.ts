import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entries } from "../../lib/cli/table";
import { changingCommands } from "../support/held-to-reading";

const root = join(__dirname, "..");
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

/** Functions that run command lines and check that these only read; `auditWorld` does it through `runWith`. */
const held = /\b(?:runCli|runWith|readOnlyCommands|auditWorld)\b/;

/** Files that test the program itself, with command lines that do not run a command. */
const programTests = ["cli/program.test.ts", "support/io.ts"];

test("every test that runs a command in this process checks that it only reads", () => {
  const free = files.filter(({ text }) => /\brunCommandLine\(/.test(text)).map(({ name }) => name);
  expect(free.sort()).toEqual(programTests);
});

const looking = entries.map(({ name }) => name).filter((name) => !changingCommands.includes(name));

test.each(looking)("%s has a test that checks that it only reads", (name) => {
  const [first = "", second] = name.split(" ");
  const words = second === undefined ? `"${first}"` : `"${first}",? "${second}"|"${second}"`;
  const begins = new RegExp(`[[(]\\s*(?:${words})`);
  const own = files.filter(({ name: file, text }) => file.startsWith(`cli/${first}`) || begins.test(text));
  expect(own.filter(({ text }) => held.test(text) && begins.test(text)).map((file) => file.name)).not.toEqual([]);
});
