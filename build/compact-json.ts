/** Writes the JSON files in `dist` without indentation, which is a third of their size: `tsx build/compact-json.ts`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = join(__dirname, "..", "dist");
const names = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
for (const name of names) {
  const path = join(dist, name);
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8"))));
}
