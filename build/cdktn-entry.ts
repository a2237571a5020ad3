/** Writes the entry point of CDK Terrain next to the compiled constructs: `tsx build/cdktn-entry.ts`, after tsc. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeKit } from "./exchange-kit";

const dist = join(__dirname, "..", "dist");
// Beside the constructs, so that relative imports of other modules stay valid and both entries share those modules.
const folder = (name: string) => name.replace(/^constructs/, "cdktn-constructs").replace(/^index\./, "cdktn.");

const names = [
  "index.js",
  "index.d.ts",
  ...readdirSync(join(dist, "constructs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:js|d\.ts)$/.test(name))
    .map((name) => join("constructs", name)),
];
for (const name of names) {
  const path = join(dist, folder(name));
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, exchangeKit(readFileSync(join(dist, name), "utf8")));
}
