import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEntryPoints } from "./api-model";
import { constructsPage } from "./constructs";
import { pageWithRehearsal } from "./page-output";
import { quickPages } from "./pages";

const docs = join(__dirname, "..");
const entryPoints = ["index", "plan", "discovery", "audit", "cloud", "migrate"];

/** Returns every generated file by its path below docs. */
async function makeAll(): Promise<ReadonlyMap<string, string>> {
  const read = readEntryPoints(entryPoints);
  const [index] = read;
  const undocumented = read.flatMap(({ name, items }) =>
    items.filter(({ docComment = "" }) => docComment === "").map((item) => `${name}: ${item.name}`),
  );
  if (undocumented.length > 0) throw new Error(`exports without a doc comment: ${undocumented.join(", ")}`);
  if (index === undefined) throw new Error("the package has no entry point");
  return new Map([
    ...(await quickPages()),
    ["constructs.md", constructsPage(index)],
    ...read.map(({ name, report }): readonly [string, string] => [`api/${name}.api.md`, report]),
  ]);
}

/** `--check` lists stale files and changes none; `--rehearse` first runs a rehearsal for its table. */
async function main(): Promise<number> {
  if (process.argv.includes("--rehearse")) {
    const table = execFileSync("npm", ["run", "--silent", "rehearse"], { cwd: join(docs, ".."), encoding: "utf8" });
    const page = join(docs, "how-it-works.md");
    writeFileSync(page, pageWithRehearsal(readFileSync(page, "utf8"), table));
  }
  const check = process.argv.includes("--check");
  const stale = [...(await makeAll())].filter(([path, text]) => textAt(path) !== text);
  if (check) {
    for (const [path] of stale)
      process.stderr.write(`docs/${path} is stale; run 'npm run docs' and review the changes\n`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
    process.stdout.write(`docs/${path}\n`);
  }
  return 0;
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(join(docs, path), "utf8");
  } catch {
    return undefined;
  }
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  },
);
