/** Compares the README.md of each generated module of the examples with what terraform-docs reads from the module. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Documented {
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
  readonly outputs: readonly { readonly name: string }[];
}

const root = join(__dirname, "..");
let failed = 0;
const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" });
const pages = files.filter((name) => name.endsWith(join("certificates", "README.md"))).sort();
if (pages.length === 0) throw new Error("the examples have no generated module");
for (const name of pages) {
  const file = join("examples", name);
  const folder = dirname(join(root, file));
  const documented = JSON.parse(execFileSync("terraform-docs", ["json", folder], { encoding: "utf8" })) as Documented;
  const readme = readFileSync(join(root, file), "utf8");
  const rowsBelow = (heading: string) => [
    ...(readme.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|(.*)$/gm),
  ];
  const inputs = rowsBelow("Inputs").map(([, name, rest = ""]) => [name, ...rest.split("|").slice(1, 3)].map(plain));
  const expected = documented.inputs.map(({ name, type, required }) =>
    [name, type, required ? "yes" : "no"].map(plain),
  );
  const outputs = rowsBelow("Outputs").map(([, name]) => name);
  const names = documented.outputs.map(({ name }) => name);
  const isSame = JSON.stringify([inputs, outputs.sort()]) === JSON.stringify([expected, names.sort()]);
  if (!isSame) failed += 1;
  console.log(`${isSame ? "same" : "DIFFERS"} ${file}: ${documented.inputs.length} inputs, ${names.length} outputs`);
}
process.exitCode = failed === 0 ? 0 : 1;

function plain(text: string | undefined): string {
  return (text ?? "").replace(/[`\s]/g, "");
}
