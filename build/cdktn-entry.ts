/** Writes the entry point of CDK Terrain next to the compiled constructs: `tsx build/cdktn-entry.ts`, after tsc. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { exchangeKit } from "./exchange-kit";

const dist = join(__dirname, "..", "dist");
// Beside the constructs, so that relative imports of other modules stay valid and both entries share those modules.
const folder = (name: string) => name.replace(/^constructs/, "cdktn-constructs").replace(/^index\./, "cdktn.");

const names = [
  "index.js",
  "index.d.ts",
  ...readdirSync(join(dist, "constructs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:js|d\.ts|json)$/.test(name))
    .map((name) => join("constructs", name)),
];
const textOf = (name: string) => readFileSync(join(dist, name), "utf8");

/** Names of compiled files that depend on the kit: by their text, or by a file of the constructs that they import. */
const ofKit = new Set(names.filter((name) => exchangeKit(textOf(name)) !== textOf(name)));
const importsOf = (name: string) =>
  [...textOf(name).matchAll(/(?:require\(|from |import\()"(\.[^"]*)"/g)].flatMap(([, path = ""]) => {
    const target = join(dirname(name), path);
    const ending = name.endsWith(".js") ? ".js" : ".d.ts";
    return [`${target}${ending}`, join(target, `index${ending}`)];
  });
for (let size = -1; size !== ofKit.size; ) {
  size = ofKit.size;
  for (const name of names) if (importsOf(name).some((path) => ofKit.has(path))) ofKit.add(name);
}

/** Returns a file that refers to the same file of the other kit, because a copy would be equal. */
function reference(name: string): string {
  const path = `${relative(dirname(folder(name)), dirname(name))}/${basename(name).replace(/\.(?:js|d\.ts)$/, "")}`;
  return name.endsWith(".js") ? `module.exports = require("${path}");\n` : `export * from "${path}";\n`;
}

for (const name of names) {
  const path = join(dist, folder(name));
  mkdirSync(join(path, ".."), { recursive: true });
  const isShared = !ofKit.has(name) && !name.endsWith(".json");
  writeFileSync(path, isShared ? reference(name) : exchangeKit(textOf(name)));
}
