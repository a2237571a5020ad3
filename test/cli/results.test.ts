import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "sarif";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";
import { junitErrors, sarifErrors } from "../support/result-schemas";

const before = process.cwd();
let repository: string;
const plainSpec = shopSpec.replace(/^traffic:[\s\S]*/m, "");
const entryType = "google_certificate_manager_certificate_map_entry";
const entry = (hostname: string) => ({
  map: "m",
  hostname,
  certificates: ["projects/p/locations/global/certificates/c"],
});
const plan = {
  format_version: "1.2",
  planned_values: {},
  resource_changes: ["shop", "pay"].map((name) => ({
    address: `module.certificates.${entryType}.${name}`,
    mode: "managed",
    type: entryType,
    change: { actions: ["delete"], before: entry(`${name}.example.com`), after: null },
  })),
};

/** Command lines that find something, with the exit code of each and the path and line of its first finding. */
const found = [
  ["check-plan", ["check-plan", "-"], JSON.stringify(plan), 4, "infra/certificates/main.tf", 3],
  ["inventory", ["inventory", "pem"], "", 4, "infra/pem/expired.pem", 1],
  [
    "synth --check",
    ["synth", "--check", "--spec", "migration.yaml", "--out", "stale"],
    "",
    4,
    "infra/stale/main.tf.json",
    2,
  ],
  ["a mistake in the spec", ["synth", "--check", "--spec", "bad.yaml", "--out", "stale"], "", 2, "infra/bad.yaml", 1],
] as const;

beforeAll(async () => {
  repository = realpathSync(mkdtempSync(join(tmpdir(), "cert-migration-results-")));
  for (const name of [".git", "infra/certificates", "infra/stale", "infra/pem"])
    mkdirSync(join(repository, name), { recursive: true });
  process.chdir(join(repository, "infra"));
  writeFileSync(
    "certificates/main.tf",
    `# entries\n\nresource "${entryType}" "pay" {}\nresource "${entryType}" "shop" {}\n`,
  );
  writeFileSync("migration.yaml", plainSpec);
  writeFileSync("bad.yaml", "name: [shop\n");
  const { certificatePem } = makeCertificate(["old.example.com"], {
    notBefore: new Date("2025-01-01"),
    notAfter: new Date("2025-06-01"),
  });
  writeFileSync("pem/expired.pem", certificatePem);
  const { exitCode } = await runCli(["synth", "--spec", "migration.yaml", "--out", "stale"]);
  expect(exitCode).toBe(0);
  writeFileSync("stale/main.tf.json", readFileSync("stale/main.tf.json", "utf8").replace("\n", "\n\n"));
});

afterAll(() => {
  process.chdir(before);
  rmSync(repository, { recursive: true, force: true });
});

describe.each(found)("the result of %s", (_, words, stdin, exitCode, path, line) => {
  test("is valid SARIF, with the place in the repository and the exit code of the text", async () => {
    const { exitCode: code, stdout } = await runCli([...words, "--format", "sarif"], { stdin });
    const log = JSON.parse(stdout) as Log;
    expect([code, sarifErrors(log)]).toEqual([exitCode, []]);
    const places = log.runs[0]?.results?.map(({ locations }) => locations?.[0]?.physicalLocation) ?? [];
    expect([places[0]?.artifactLocation?.uri, places[0]?.region?.startLine]).toEqual([path, line]);
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    expect(rules.filter(({ shortDescription }) => shortDescription === undefined)).toEqual([]);
  });

  test("is valid JUnit XML with a failure", async () => {
    const { exitCode: code, stdout } = await runCli([...words, "--format", "junit"], { stdin });
    expect([code, await junitErrors(stdout)]).toEqual([exitCode, []]);
    expect(stdout).toMatch(/ failures="[1-9]/);
  });

  test("is Markdown with the verdict", async () => {
    const { exitCode: code, stdout } = await runCli([...words, "--format", "markdown"], { stdin });
    expect([code, stdout.split("\n")[0]]).toEqual([exitCode, `## ❌ cert-migration ${words[0]}`]);
  });

  test("is annotations on stdout, and the summary of a step in its file", async () => {
    const summary = join(repository, `${words.join("-").replaceAll("/", "-")}.md`);
    writeFileSync(summary, "# before\n");
    const env = { GITHUB_STEP_SUMMARY: summary };
    const { exitCode: code, stdout } = await runCli([...words, "--format", "github"], { stdin, env });
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(new RegExp(`^::error file=${path}[,:]`));
    expect(readFileSync(summary, "utf8")).toMatch(/^# before\n## ❌ /);
  });

  test("has the exit code of the text", async () => {
    expect((await runCli(words, { stdin })).exitCode).toBe(exitCode);
  });
});

test("check-plan lists in Markdown what changes for each hostname", async () => {
  const { stdout } = await runCli(["check-plan", "-", "--format", "markdown"], { stdin: JSON.stringify(plan) });
  expect(stdout).toContain(`| Hostname | What | Before | After | When | Protected by |
| --- | --- | --- | --- | --- | --- |
| pay.example.com | certificates | c | - | when Terraform deletes it | nothing |
| shop.example.com | certificates | c | - | when Terraform deletes it | nothing |
`);
});

test("the summary of a step stays below 1 MiB with what it had before", async () => {
  const summary = join(repository, "full.md");
  writeFileSync(summary, "x".repeat(1024 * 1024 - 400));
  const env = { GITHUB_STEP_SUMMARY: summary };
  await runCli(["check-plan", "-", "--format", "github"], { stdin: JSON.stringify(plan), env });
  const text = readFileSync(summary, "utf8");
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toContain("more lines left out");
});

test("without a file for the summary, annotations are written with a note", async () => {
  const { stdout, stderr } = await runCli(["check-plan", "-", "--format", "github"], { stdin: JSON.stringify(plan) });
  expect(stdout).toContain("::error ");
  expect(stderr).toContain("[step-summary-missing]");
});

test.each([
  ["two formats", ["check-plan", "-", "--json", "--format", "sarif"], "format-twice"],
  [
    "a format of results without --check",
    ["synth", "--spec", "migration.yaml", "--out", "new", "--format", "sarif"],
    "format-without-check",
  ],
  [
    "a format of results for records",
    ["records", "--spec", "migration.yaml", "--format", "junit"],
    "format-without-check",
  ],
])("refuses %s", async (_, words, code) => {
  const { exitCode, stderr } = await runCli(words, { stdin: "{}" });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
});

test("--format json is the same as --json", async () => {
  const stdin = JSON.stringify(plan);
  const [short, long] = [["--json"], ["--format", "json"]].map((words) =>
    runCli(["check-plan", "-", ...words], { stdin }),
  );
  expect((await long)?.stdout).toBe((await short)?.stdout);
});
