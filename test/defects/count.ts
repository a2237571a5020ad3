import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** One file of results, as jest writes it with `--json`. */
interface JestFile {
  readonly name: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

/**
 * Runs the constructed defects of this folder and counts, for each area, how many defects were found and how many
 * harmless inputs were accepted. Fails also if README.md has other counts. Run it in a checkout of an older commit,
 * with this folder copied into it, to compare two versions.
 */
function main(): number {
  const folder = mkdtempSync(join(tmpdir(), "defects-"));
  try {
    const output = join(folder, "results.json");
    const words = [
      "jest",
      "--json",
      `--outputFile=${output}`,
      "--selectProjects",
      "cdktf",
      "--testMatch",
      "**/test/defects/*.test.ts",
    ];
    spawnSync("npx", ["--no-install", ...words], { stdio: ["ignore", "ignore", "inherit"] });
    const { testResults } = JSON.parse(readFileSync(output, "utf8")) as { readonly testResults: readonly JestFile[] };
    const files = [...testResults].sort((a, b) => (a.name < b.name ? -1 : 1));
    const all = files.flatMap(({ assertionResults }) => assertionResults);
    const rows = [...files.map(rowOf), `all: ${countsOf(all)}`];
    for (const row of rows) console.log(row);
    const page = new Set(readFileSync(join(__dirname, "README.md"), "utf8").split("\n"));
    const missing = rows.filter((row) => !page.has(row));
    for (const row of missing) console.error(`README.md lacks the row '${row}'; update its counts`);
    return all.length > 0 && all.every(({ status }) => status === "passed") && missing.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowOf({ name, assertionResults }: JestFile): string {
  return `${basename(name).replace(/\.ts$/, "")}: ${countsOf(assertionResults)}`;
}

function countsOf(results: JestFile["assertionResults"]): string {
  const count = (first: string) => {
    const rows = results.filter(({ title }) => title.startsWith(first));
    return `${rows.filter(({ status }) => status === "passed").length} of ${rows.length}`;
  };
  return `${count("finds")} defects found, ${count("accepts")} harmless inputs accepted`;
}

process.exitCode = main();
