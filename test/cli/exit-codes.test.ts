import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodesOf } from "../../lib/cli/command";
import { loadCommands } from "../../lib/cli/table";
import { runCli } from "../support/io";
import { type LoopbackServer, startServer } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";

/**
 * Every row of the table of exit codes in `docs/cli.md`: a command line that really ends so, or the test elsewhere that
 * runs one.
 */
jest.setTimeout(30_000);

let folder: string;
/** A service that refuses every request. */
let refusing: LoopbackServer;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "exit-codes-"));
  const files = {
    "migration.yaml": shopSpec,
    "next.yaml": shopSpec.replace("[pay.example.net]", "[pay.example.net, '*.pay.example.net']"),
    "valid.pem": makeCertificate(["valid.example.com"]).certificatePem,
    "none.pem": "",
    "records.jsonl": JSON.stringify({
      kind: "admin#reports#activity",
      id: { time: "2026-11-21T10:00:00.000Z", uniqueQualifier: "1", applicationName: "admin", customerId: "C1" },
      actor: { email: "admin@example.com", profileId: "1" },
      events: [{ type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING", parameters: [{ name: "NEW_VALUE", value: "a" }] }],
    }),
    "broken.jsonl": "{",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const dns = readFileSync(join(__dirname, "../../lib/discovery/descriptions/dns.v1.json"), "utf8");
  writeFileSync(path("dns.json"), dns);
  const { resources, ...description } = JSON.parse(dns);
  const { managedZones: _, ...others } = resources;
  writeFileSync(path("less.json"), JSON.stringify({ ...description, resources: others }));
  refusing = await startServer((_request, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: 403, message: "no", status: "PERMISSION_DENIED" } }));
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await refusing[Symbol.asyncDispose]();
});

/** Values of the placeholders in the cases below. */
const filled = (word: string) =>
  word === "SERVICE" ? refusing.url : /\.(?:ya?ml|json|jsonl|pem)$/.test(word) ? path(word) : word;

const spec = ["--spec", "migration.yaml", "--project", "shop-1"];

/** Command lines by command and exit code. */
const cases: Readonly<Record<string, readonly string[]>> = {
  "inventory 0": ["valid.pem"],
  "inventory 4": ["none.pem"],
  "plan 0": spec,
  "plan 4": [...spec, "--diff", "next.yaml"],
  "records 3": [...spec, "--endpoint", "SERVICE"],
  "status 3": [...spec, "--endpoint", "SERVICE", "--dns-server", "127.0.0.1:1"],
  "monitor 3": [...spec, "--endpoint", "SERVICE", "--dns-server", "127.0.0.1:1"],
  "wait 3": ["--certificate", "projects/shop-1/locations/global/certificates/c", "--endpoint", "SERVICE"],
  "api list 0": ["--own"],
  "api list 3": ["--root-url", "SERVICE"],
  "api show 0": ["dns:v1"],
  "api show 3": ["storage:v1", "--root-url", "SERVICE"],
  "api methods 0": ["dns:v1"],
  "api methods 3": ["storage:v1", "--root-url", "SERVICE"],
  "api request 0": ["dns:v1", "dns.managedZones.list", "--param", "project=shop-1"],
  "api request 3": ["storage:v1", "storage.buckets.list", "--root-url", "SERVICE"],
  "api validate 0": ["dns:v1", "ManagedZone", '{"name":"example-com"}'],
  "api validate 3": ["storage:v1", "Bucket", "{}", "--root-url", "SERVICE"],
  "api validate 4": ["dns:v1", "ManagedZone", '{"name":5}'],
  "api compare 0": ["dns.json", "dns.json"],
  "api compare 3": ["storage:v1", "dns:v1", "--root-url", "SERVICE"],
  "api compare 4": ["dns.json", "less.json"],
  "api deprecations 0": ["dns:v1"],
  "api deprecations 3": ["storage:v1", "--root-url", "SERVICE"],
  "audit list 3": ["--endpoint", "SERVICE"],
  "audit tail 3": ["--once", "--since", "2h", "--endpoint", "SERVICE"],
  "watch 3": [...spec, "--address", "127.0.0.1"],
  "verify 3": [...spec, "--exact", "--endpoint", "SERVICE", "--address", "127.0.0.1", "--within", "1s"],
  "synth 4": ["--spec", "migration.yaml", "--out", "module", "--root-blocks", "moves.tf.json", "--check"],
  "audit render 0": ["records.jsonl"],
  "audit render 4": ["records.jsonl", "--event", "ASSIGN_ROLE"],
  "audit render 5": ["broken.jsonl"],
  "audit events 0": ["building"],
  "audit events 4": ["nothing-has-this-word"],
  "explain 0": ["proxy-missing"],
  "completion 0": ["bash"],
};

/** Words of tests of other files that run a command to its end, by command and exit code. */
const elsewhere: Readonly<Record<string, readonly [file: string, words: string]>> = {
  "inventory 3": ["cli/inventory-project.test.ts", "ends with exit code 3 if nothing can be read"],
  "records 0": ["cli/records.test.ts", "prints the records of the authorizations, with one list request"],
  "records 4": ["cli/records.test.ts", "a domain without its authorization is reported on stderr, with exit code 4"],
  "doctor 0": ["cli/doctor.test.ts", "prints nothing and exits with 0 without findings"],
  "doctor 3": ["cli/refused-credentials.test.ts", "doctor exits with 3 if no check could run"],
  "doctor 4": ["cli/doctor.test.ts", "prints what it has found when it is stopped, and exits with 4"],
  "check-plan 0": ["cli/check-plan.test.ts", "accepts one danger with --allow"],
  "check-plan 4": ["cli/check-plan.test.ts", "exits with 4 for a dangerous plan"],
  "status 0": [
    "cli/status.test.ts",
    "--watch in a pipeline prints lines and, when it is stopped, the table and a summary",
  ],
  "status 4": ["cli/status.test.ts", '(await look("--spec", here, "--verify", verification)).exitCode).toBe(4)'],
  "run-task 0": ["run-task/run-task.test.ts", "stops with exit code 0, and closes its port"],
  "monitor 0": ["cli/monitor.test.ts", "prints the same as JSON, with the days as numbers"],
  "monitor 4": ["cli/monitor.test.ts", "exits with 4 if a hostname is not served, and the metrics show it"],
  "wait 0": ["cli/wait.test.ts", "exits with 0 for an active certificate"],
  "wait 4": ["cli/wait.test.ts", "exits with 4 for a failed certificate"],
  "wait 5": ["cli/wait.test.ts", "waits for a missing certificate until the time is over: exit code 5"],
  "verify 0": ["cli/verify.test.ts", "exits with 0 for served names"],
  "verify 4": ["cli/verify.test.ts", "exits with 4 and names an address where nothing listens"],
  "verify 5": [
    "cli/verify-freeze.test.ts",
    "reports the handshakes if the log refuses the request, with the freeze as unknown",
  ],
  "watch 0": ["cli/watch.test.ts", "exits with 0 for traffic that has moved"],
  "watch 4": ["cli/watch.test.ts", "exits with 4 for a hostname that fails"],
  "watch 5": ["cli/watch.test.ts", "exits with 5 if it is stopped before traffic has moved"],
  "report 0": ["cli/report.test.ts", "prints only the page without --out and with --out -"],
  "cloud 0": ["cli/cloud.test.ts", 'expect(await first.stop("SIGTERM")).toEqual({ exitCode: 0, stderr: "" })'],
  "synth 0": ["cli/synth.test.ts", "writes a module with the addresses and names of the constructs"],
  "rehearse 0": ["rehearsal/rehearsal.robustness.ts", "rehearses a synthesized stack as it is"],
  "rehearse 4": [
    "rehearsal/rehearsal.robustness.ts",
    "loses handshakes in a rotation without the gate, and the exit code shows it",
  ],
  "rehearse 5": ["cli/commands/rehearse/ends.robustness.ts", "ends cleanly at the first Ctrl-C"],
  "audit list 0": ["cli/audit.test.ts", "prints events with the console's text, newest first"],
  "audit list 4": ["cli/audit.test.ts", "exits with 4 if nothing is found"],
  "audit list 5": [
    "cli/audit-failures.test.ts",
    "unreadable records are reported, and the others printed: exit code 5",
  ],
  "audit tail 0": ["cli/audit-tail.test.ts", "writes each event once into a file over several runs"],
  "audit tail 5": ["cli/audit-tail.test.ts", "reports lost events: exit code 5"],
  "audit guard 0": ["cli/audit-guard.test.ts", "exits with 0 if clear up to the end"],
  "audit guard 3": ["cli/refused-credentials.test.ts", '[["audit", "guard", "--freeze", "freeze.yaml"], 3]'],
  "audit guard 4": ["cli/audit-guard.test.ts", "exits with 4 for violations"],
  "audit guard 5": ["cli/audit-guard.test.ts", "exits with 5 (unknown) without data"],
};

const rows = loadCommands().flatMap((command) =>
  exitCodesOf(command).map(({ code, meaning }) => ({ name: command.name, code, meaning })),
);

test("lists every exit code that a command declares in the table of the reference page, and no others", () => {
  const page = readFileSync(join(__dirname, "../../docs/cli.md"), "utf8");
  const table = page.slice(page.indexOf("## Exit codes"), page.indexOf("\n## cert-migration "));
  const documented = [...table.matchAll(/^\| `([a-z -]+)` \| `(\d+)` \|/gm)].map(([, name, code]) => `${name} ${code}`);
  expect(documented).toEqual(rows.map(({ name, code }) => `${name} ${code}`));
});

test.each(loadCommands())("$name --help lists the same exit codes as the table", async ({ name }) => {
  const { stdout } = await runCli([...name.split(" "), "--help"]);
  const listed = stdout.slice(stdout.indexOf("\nExit codes:\n") + "\nExit codes:\n".length);
  const own = rows.filter((row) => row.name === name).map(({ code, meaning }) => `  ${code}  ${meaning}`);
  const common = [
    "  1  a bug in this program; please report it",
    "  130  interrupted (for example by Ctrl-C) before a result",
  ];
  expect(listed.trimEnd().split("\n")).toEqual([own[0], common[0], ...own.slice(1), common[1]]);
});

test("runs every row of the table in a test", () => {
  // Errors that are common to all commands are tested for each command below.
  const wanted = rows.filter(({ code }) => code !== 2).map(({ name, code }) => `${name} ${code}`);
  expect([...Object.keys(cases), ...Object.keys(elsewhere)].sort()).toEqual(wanted.sort());
});

test.each(Object.entries(cases).map(([row, words]) => [row, words] as const))("%s: %j", async (row, words) => {
  const code = Number(row.slice(row.lastIndexOf(" ") + 1));
  const command = row.slice(0, row.lastIndexOf(" ")).split(" ");
  const { exitCode, stderr } = await runCli([...command, ...words.map(filled)], {
    now: () => new Date("2026-11-21T12:00:00Z"),
    env: row === "watch 3" ? { CERT_MIGRATION_REHEARSAL: refusing.url } : {},
  });
  expect([exitCode, stderr]).toEqual([code, expect.anything()]);
});

test.each(loadCommands().map(({ name }) => name))("%s exits with 2 for an unknown option", async (name) => {
  const { exitCode, stderr } = await runCli([...name.split(" "), "--no-such-option"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("[option-unknown]")]);
});

test.each(Object.entries(elsewhere))("runs %s in a test of its own", (_row, [file, words]) => {
  expect(readFileSync(join(__dirname, "..", file), "utf8")).toContain(words);
});
