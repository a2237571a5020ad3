/**
 * Changes the code of a module in small ways, and lists the changes that no test of the module finds.
 *
 * `npm run mutate -- --module lib/plan --count 50 [--seed 1] [--minutes 10] [--tests test/plan,test/explain]`
 *
 * `--module` is a folder or a file of `lib`. `--tests` are folders or files of tests, by default the folder of the same
 * path. The script works in a temporary copy, and compiles all mutants of a run into the copy at once, each behind a
 * condition. A first run of each test file, without a mutant, measures the file and records which mutants it reaches.
 * A mutant then runs only these files, the fastest first, until a file fails. Equivalent mutants are in
 * `equivalent.json`, each with its reason.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import equivalents from "./equivalent.json";
import { equivalentOf, filesBelow, instrumentedFiles, listMutants, type Mutant, pickMutants } from "./pick";
import { Runner } from "./runner";

interface MeasuredFile {
  readonly file: string;
  readonly durationMs: number;
  readonly reached: ReadonlySet<number>;
}

const root = resolve(__dirname, "../..");
const noMutant = -1;
const maxFileMs = 300_000;

/** A mutant may run several times longer than the tests without a mutant, because the machine may be busy. */
const timeoutOf = (files: readonly MeasuredFile[]) =>
  20_000 + 5 * files.reduce((total, { durationMs }) => total + durationMs, 0);

async function measure(runner: Runner, tests: readonly string[]): Promise<readonly MeasuredFile[]> {
  const measured: MeasuredFile[] = [];
  for (const file of tests) {
    const start = performance.now();
    const result = await runner.run(noMutant, [file], maxFileMs);
    if (result?.passed)
      measured.push({ file, durationMs: performance.now() - start, reached: new Set(result.reached) });
    else console.error(`skips ${file}: it fails without a mutant: ${result?.message ?? "timeout"}`);
  }
  return measured.sort((a, b) => a.durationMs - b.durationMs);
}

async function survives(runner: Runner, mutant: Mutant, measured: readonly MeasuredFile[]): Promise<boolean> {
  const files = measured.filter(({ reached }) => reached.has(mutant.id));
  if (files.length === 0) return true;
  const result = await runner.run(
    mutant.id,
    files.map(({ file }) => file),
    timeoutOf(files),
  );
  return result?.passed ?? false;
}

function copyProject(mutants: readonly Mutant[]): string {
  const copy = mkdtempSync(join(tmpdir(), "mutate-"));
  cpSync(root, copy, { recursive: true, filter: (path) => !["node_modules", ".git"].includes(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const [file, source] of instrumentedFiles(root, mutants)) writeFileSync(join(copy, file), source);
  return copy;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      module: { type: "string" },
      count: { type: "string", default: "50" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      tests: { type: "string" },
      minutes: { type: "string", default: "60" },
    },
  });
  const path = values.module?.replace(/\/$/, "");
  if (!path?.startsWith("lib/"))
    throw new Error("give --module with a folder or a file of lib, as in --module lib/plan");
  return {
    path,
    count: Number(values.count),
    seed: Number(values.seed),
    minutes: Number(values.minutes),
    tests: (values.tests?.split(",") ?? testsOf(path)).flatMap((test) => filesBelow(root, test, ".test.ts")),
  };
}

/** Returns the tests of a module, and the tests of defects and commands that begin with its name. */
function testsOf(path: string): readonly string[] {
  const begin = basename(path, ".ts");
  const beside = ["test/defects", "test/cli"].flatMap((folder) => filesBelow(root, folder, ".test.ts"));
  return [
    path.replace(/^lib/, "test").replace(/\.ts$/, ".test.ts"),
    ...beside.filter((file) => basename(file).startsWith(begin)),
  ];
}

async function main(): Promise<void> {
  const { path, count, seed, minutes, tests } = readOptions();
  const all = listMutants(root, filesBelow(root, path, ".ts"));
  const picked = pickMutants(all, count, seed);
  const mutants = picked.filter((mutant) => equivalentOf(mutant, equivalents) === undefined);
  console.log(`${path}: ${picked.length} of ${all.length} mutants, seed ${seed}`);
  const copy = copyProject(mutants);
  const deadline = performance.now() + minutes * 60_000;
  const counts = { killed: 0, survived: 0, equivalent: picked.length - mutants.length };
  try {
    using runner = new Runner(copy);
    const measured = await measure(runner, tests);
    for (const mutant of mutants) {
      if (performance.now() > deadline) break;
      const isKilled = !(await survives(runner, mutant, measured));
      counts[isKilled ? "killed" : "survived"]++;
      if (!isKilled) console.log(describeSurvivor(mutant, measured));
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  const { killed, survived, equivalent } = counts;
  const skipped = mutants.length - killed - survived;
  console.log(
    `\n${path}: ${picked.length - skipped} mutants, ${killed} killed, ${survived} survived, ${equivalent} equivalent; seed ${seed}`,
  );
  if (skipped > 0) console.log(`${skipped} more did not run within ${minutes} minutes`);
}

function describeSurvivor(
  { id, file, line, operator, before, after }: Mutant,
  measured: readonly MeasuredFile[],
): string {
  const isReached = measured.some(({ reached }) => reached.has(id));
  return `\n${file}:${line} ${operator}${isReached ? "" : " (no test of the module reaches it)"}\n- ${before}\n+ ${after}`;
}

void main();
