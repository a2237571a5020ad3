import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(__dirname, "..", "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly stderr: string;
}

/** The program as users run it, with the gate that runs it again. */
function rehearse(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const given = [tsx, join(root, "lib", "cli", "main.ts"), "rehearse", "--json", ...words];
    execFile(process.execPath, given, { cwd: root }, (error, stdout, stderr) => {
      const last = stdout.trim().split("\n").at(-1) ?? "";
      const summary = last === "" ? {} : (JSON.parse(last) as Record<string, unknown>);
      resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, summary, stderr });
    });
  });
}

/** JSON lines of a file of evidence. */
function evidence(name: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("all eight steps, rotation and rollback with no failed handshake, and the evidence says the same", async () => {
  const { exitCode, summary, stderr } = await rehearse(
    "--spec",
    "examples/from-spec/migration.yaml",
    "--evidence",
    folder,
  );
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toEqual({
    ok: true,
    steps: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
      number,
      name: expect.any(String),
      ok: true,
      seconds: expect.any(Number),
    })),
    probes: expect.any(Number),
    failedHandshakes: 0,
    rotation: true,
    rollback: true,
    destroyed: true,
    seed: 1,
  });
  const probes = evidence("probes.jsonl");
  expect(probes.filter(({ ok }) => ok !== true)).toEqual([]);
  expect(probes).toHaveLength(summary.probes as number);
  const bothSides = (side: string) =>
    new Set(probes.filter((probe) => probe.side === side).map(({ hostname }) => hostname));
  expect([...bothSides("old")].sort()).toEqual([...bothSides("new")].sort());
  const creations = evidence("requests.jsonl").filter(({ method }) => /certificates\.create$/.test(String(method)));
  // Two at first, and one with the added domain.
  expect(creations).toHaveLength(3);
  expect(evidence("certificates.jsonl")).toHaveLength(3);
  expect(evidence("answers.jsonl").length).toBeGreaterThan(10);
}, 90_000);

test("without the gate a rotation loses handshakes, and the exit code says so", async () => {
  const yaml = readFileSync(join(root, "examples/from-spec/migration.yaml"), "utf8");
  const file = join(folder, "migration.yaml");
  writeFileSync(file, `${yaml}gate: none\n`);
  const { exitCode, summary, stderr } = await rehearse("--spec", file, "--faults", "without-a-gate");
  expect({ exitCode, stderr: exitCode === 4 ? "" : stderr }).toEqual({ exitCode: 4, stderr: "" });
  expect(summary).toMatchObject({ ok: false, rotation: false });
  expect(summary.failedHandshakes).toBeGreaterThan(0);
}, 90_000);

test("with the gate the same trouble loses none", async () => {
  const words = ["--spec", "examples/from-spec/migration.yaml", "--faults", "without-a-gate"];
  const { exitCode, summary, stderr } = await rehearse(...words);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true });
}, 120_000);
