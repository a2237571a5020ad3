import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";

const page = readFileSync(join(__dirname, "..", "..", "docs", "api-descriptions.md"), "utf8");
const modules: Readonly<Record<string, () => unknown>> = {
  "cdktf-google-cert-migration/cloud": () => require("../../lib/cloud"),
  "cdktf-google-cert-migration/discovery": () => require("../../lib/discovery"),
};

function blockOf(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`the page has no block of ${language}`);
  return block;
}

/** Runs an example as a module, with its imports, and returns what it prints. */
async function run(example: string): Promise<string> {
  const imports = example.match(/^import .*$/gm) ?? [];
  const body = `export async function main() {\n${example.replace(/^import .*$/gm, "")}\n}`;
  const { code } = transformSync(`${imports.join("\n")}\n${body}`, {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  const lines: string[] = [];
  const print = { log: (...words: readonly unknown[]) => lines.push(`${words.join(" ")}\n`) };
  const exported: { main?: () => Promise<void> } = {};
  const load = (name: string) => {
    const found = modules[name];
    if (found === undefined) throw new Error(`the example imports ${name}`);
    return found();
  };
  new Function("exports", "require", "console", code)(exported, load, print);
  await exported.main?.();
  return lines.join("");
}

test("prints what the page shows", async () => {
  expect(await run(blockOf("ts"))).toBe(blockOf("text"));
});
