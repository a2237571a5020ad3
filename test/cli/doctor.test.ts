import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "sarif";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { slowClock } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";
import { junitErrors, sarifErrors } from "../support/result-schemas";

let cloud: TestCloud;
let folder: string;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-doctor-"));
  const ill = shopSpec.replaceAll("example.com", "example.dev").replaceAll("example-com", "example-dev");
  writeFileSync(path("migration.yaml"), ill);
  const healthy = shopSpec.replace('"*.example.com"]', '"*.example.com"]\n    primary: true');
  writeFileSync(path("healthy.yaml"), healthy);
  const read = parseMigrationDocument(ill, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  writeFileSync(path("cdk.tf.json"), JSON.stringify(synthesizeSpec(read.spec, "shop-1")));
  cloud = await startTestCloud();
  for (const [zone, domain] of [
    ["example-com", "example.com."],
    ["example-dev", "example.dev."],
    ["example-net", "example.net."],
    ["example-org", "example.org."],
  ] as const) {
    await makeZone(cloud, zone, domain, "shop-1");
  }
  const balancer = "/compute/v1/projects/shop-1/global";
  await cloud.make("POST", `${balancer}/backendServices`, { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED" });
  await cloud.make("POST", `${balancer}/urlMaps`, { name: "web", defaultService: "global/backendServices/web" });
  await cloud.make("POST", `${balancer}/addresses`, { name: "shop", address: "203.0.113.7" });
  await publish("example-com", "example.com.", "A", "198.51.100.1");
  await publish("example-dev", "example.dev.", "A", "198.51.100.1");
  await publish("example-dev", "_acme-challenge.example.dev.", "TXT", '"old"');
  await publish("example-net", "pay.example.net.", "CNAME", "old.example.org.");
  await publish("example-org", "old.example.org.", "A", "198.51.100.1");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

async function publish(zone: string, name: string, type: string, rrdata: string): Promise<void> {
  const additions = [{ name, type, ttl: 60, rrdatas: [rrdata] }];
  await cloud.make("POST", `/dns/v1/projects/shop-1/managedZones/${zone}/changes`, { additions });
  await cloud.clock.advance(1_000);
}

const commands = readOnlyCommands(() => cloud.requests());

function look(words: readonly string[], io: Parameters<typeof commands.run>[1] = {}) {
  const places = ["--endpoint", cloud.endpoints.http, "--dns-server", cloud.endpoints.dns];
  return commands.run(["doctor", "--project", "shop-1", ...places, ...words], io);
}

test("prints nothing and exits with 0 without findings", async () => {
  const { exitCode, stdout, stderr } = await look(["--spec", path("healthy.yaml")]);
  expect([exitCode, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^0 errors, 0 warnings, 0 notes; 28 checks, 2 without a result \(--json has the reasons\)\n$/);
});

test("prints findings by severity, with the problem, the reason, the remedy and a command", async () => {
  const { exitCode, stdout, stderr } = await look(["--spec", path("migration.yaml")]);
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(
    /^Errors \(1\)\n {2}_acme-challenge\.example\.dev \[challenge-txt\]\n {4}what {4}_acme-challenge\.example\.dev has TXT records\n {4}why {5}A TXT record of another CA has the name, and a CNAME can't have the same name\.\n {4}remedy {2}remove the TXT record, or set authorizationType to PER_PROJECT_RECORD\n {4}run {5}dig @127\.0\.0\.1 -p \d+ _acme-challenge\.example\.dev CNAME _acme-challenge\.example\.dev TXT .*\n\nWarnings \(1\)\n {2}projects\/shop-1\/locations\/global\/certificateMaps\/shop-[0-9a-f]{12} \[clients-without-sni\]\n {4}what {4}the map has no PRIMARY entry\n {4}why {5}.*\n {4}remedy {2}.*\n\n$/,
  );
  expect(stderr).toMatch(/^1 error, 1 warning, 0 notes; /);
});

test("prints findings and every check with --json, for any source", async () => {
  const fromSpec = await look(["--spec", path("migration.yaml"), "--json"]);
  const fromStack = await look(["--stack", folder, "--json"]);
  for (const { exitCode, stdout } of [fromSpec, fromStack]) {
    expect(exitCode).toBe(4);
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(["schemaVersion", "findings", "checks", "stopped"]);
    expect(report).toMatchObject({ schemaVersion: 1, stopped: false });
    expect(report.findings.map(({ code, severity }: Record<string, string>) => `${severity} ${code}`)).toEqual([
      "error challenge-txt",
      "warning clients-without-sni",
    ]);
    expect(report.checks).toContainEqual({ check: "billing", subject: "shop-1", outcome: "passed", notes: [] });
  }
});

test("writes SARIF with each finding, and JUnit XML with each passed check", async () => {
  const words = ["--spec", path("migration.yaml"), "--format"];
  const sarif = await look([...words, "sarif"]);
  const log = JSON.parse(sarif.stdout) as Log;
  expect([sarif.exitCode, sarifErrors(log)]).toEqual([4, []]);
  const found = JSON.parse((await look([...words.slice(0, 2), "--json"])).stdout).findings as { code: string }[];
  expect(log.runs[0]?.results?.map(({ ruleId }) => ruleId)).toEqual(found.map(({ code }) => code));
  const junit = await look([...words, "junit"]);
  expect([junit.exitCode, await junitErrors(junit.stdout)]).toEqual([4, []]);
  expect(junit.stdout).toContain('name="billing: shop-1"/>');
});

test("checks the previous certificates and other resolvers against the migration", async () => {
  const certificate = { source: "old.pem", domains: ["example.com", "api.example.net"], mustStaple: false };
  writeFileSync(path("inventory.json"), JSON.stringify({ certificates: [certificate] }));
  const { stdout } = await look([
    ...["--spec", path("healthy.yaml"), "--inventory", path("inventory.json"), "--json"],
    ...["--resolver", cloud.endpoints.dns],
  ]);
  const { findings, checks } = JSON.parse(stdout);
  expect(findings).toMatchObject([{ code: "name-not-served", subject: "api.example.net" }]);
  expect(checks.filter(({ check }: Record<string, string>) => check === "resolvers")).toHaveLength(2);
});

test("escapes foreign text for the terminal", async () => {
  const certificate = { source: "\u001b[2Jold.pem", domains: [], mustStaple: true };
  writeFileSync(path("inventory.json"), JSON.stringify({ certificates: [certificate] }));
  const { stdout } = await look(["--spec", path("healthy.yaml"), "--inventory", path("inventory.json")]);
  expect(stdout).toContain("\\u{1b}[2Jold.pem [must-staple]");
  expect(stdout).not.toContain("\u001b");
});

test("prints what it has found when it is stopped, and exits with 4", async () => {
  const stopping = new AbortController();
  // The command reads the clock after it has read all files.
  const now = () => {
    stopping.abort(new Error("stopped by SIGINT"));
    return new Date();
  };
  const { exitCode, stderr } = await look(["--spec", path("healthy.yaml")], { signal: stopping.signal, now });
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/^stopped before the end: 0 errors/);
});

test.each([
  [["--spec", "none.yaml"], "file-unreadable"],
  [["--spec", "migration.yaml", "--inventory", "cdk.tf.json"], "inventory-malformed"],
  [["--spec", "migration.yaml", "--resolver", "dns"], "dns-server-malformed"],
  [[], "source-missing"],
])("fails for %j with %s", async (words, code) => {
  const { exitCode, stderr } = await look(words.map((word) => (word.includes(".") ? path(word) : word)));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
});

test("shows progress on stderr while checks run, except with --json", async () => {
  const words = ["--spec", path("healthy.yaml")];
  const { stderr } = await look(words, { now: slowClock() });
  expect(stderr).toMatch(/^reading DNS and Google Cloud, \d+ s$/m);
  expect(stderr).toMatch(/^\d+ of \d+ checks, .*\d s$/m);
  expect((await look([...words, "--json"], { now: slowClock() })).stderr).not.toMatch(/^reading|^\d+ of \d+ checks,/m);
});
