import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entries } from "../../lib/cli/table";
import { changingCommands } from "../support/held-to-reading";

const root = join(__dirname, "..");
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

/** Runs command lines that are held to reading. */
const held = /\b(?:runCli|runWith|readOnlyCommands)\b/;

/** Where the program itself is what is tested, with command lines that come to no command. */
const programTests = ["cli/program.test.ts", "support/io.ts"];

test("no test runs a command in this process in a way that is not held to reading", () => {
  const free = files.filter(({ text }) => /\brunCommandLine\(/.test(text)).map(({ name }) => name);
  expect(free.sort()).toEqual(programTests);
});

const looking = entries.map(({ name }) => name).filter((name) => !changingCommands.includes(name));

test.each(looking)("%s is run by a test that holds it to reading", (name) => {
  const [first = "", second] = name.split(" ");
  const words = second === undefined ? `"${first}"` : `"${first}",? "${second}"|"${second}"`;
  const begins = new RegExp(`[[(]\\s*(?:${words})`);
  const own = files.filter(({ name: file, text }) => file.startsWith(`cli/${first}`) || begins.test(text));
  expect(own.filter(({ text }) => held.test(text) && begins.test(text)).map((file) => file.name)).not.toEqual([]);
});
