import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createActivityStore } from "../../lib/audit";
import { faults, startFaultyServer } from "../audit/faulty-server";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";
import { shopSpec } from "../support/migration-spec";

let cloud: TestCloud;
let folder: string;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "refused-credentials-"));
  writeFileSync(path("migration.yaml"), shopSpec);
  writeFileSync(path("freeze.yaml"), "start: 2026-11-20T10:00:00Z\nend: 2026-11-20T11:00:00Z\n");
  cloud = await startTestCloud({ servers: { requireCredentials: true } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

const spec = () => ["--spec", path("migration.yaml"), "--project", "shop-1", "--endpoint", cloud.endpoints.http];
/** No process listens on port 1. */
const nowhere = "127.0.0.1:1";
const roles = /\brole|viewer|grant/i;

test("doctor reports once that every API refuses the credentials, and exits with 4 if it could check DNS", async () => {
  const { exitCode, stdout } = await runCli(["doctor", ...spec(), "--dns-server", cloud.endpoints.dns, "--json"]);
  const { findings } = JSON.parse(stdout);
  expect(exitCode).toBe(4);
  expect(findings.filter(({ code }: { code: string }) => code === "credentials-refused")).toHaveLength(1);
  expect(findings.filter(({ code }: { code: string }) => code === "check-denied")).toEqual([]);
  expect(JSON.stringify(findings)).not.toMatch(roles);
});

test("doctor exits with 3 if no check could run", async () => {
  const { exitCode, stdout, stderr } = await runCli(["doctor", ...spec(), "--dns-server", nowhere, "--json"]);
  const { findings, checks } = JSON.parse(stdout);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("no check could run")]);
  expect(findings.map(({ code }: { code: string }) => code)).toContain("credentials-refused");
  expect(checks.filter(({ check }: { check: string }) => check === "billing")).toMatchObject([{ outcome: "unknown" }]);
});

test("one API that refuses the credentials is enough for credentials-refused", async () => {
  await using open = await startTestCloud();
  await makeZone(open, "example-com", "example.com.", "shop-1");
  open.faults.set({ requests: [{ method: "compute.addresses.aggregatedList", status: "UNAUTHENTICATED" }] });
  const places = ["--endpoint", open.endpoints.http, "--dns-server", open.endpoints.dns];
  const words = ["doctor", "--spec", path("migration.yaml"), "--project", "shop-1", ...places, "--json"];
  const { exitCode, stdout } = await runCli(words);
  const codes = JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
  expect([exitCode, codes]).toEqual([4, expect.arrayContaining(["credentials-refused"])]);
  open.faults.set({ requests: [{ method: "compute.addresses.aggregatedList", status: "PERMISSION_DENIED" }] });
  const denied = JSON.parse((await runCli(words)).stdout).findings.map(({ code }: { code: string }) => code);
  expect(denied).not.toContain("credentials-refused");
});

test.each([
  ["wait", ["wait", "--certificate", "projects/shop-1/locations/global/certificates/c"], () => []],
  [
    "wait for several",
    ["wait", ...["a", "b"].flatMap((id) => ["--certificate", `projects/shop-1/locations/global/certificates/${id}`])],
    () => [],
  ],
  ["records", ["records"], () => ["--spec", path("migration.yaml"), "--project", "shop-1"]],
  [
    "monitor",
    ["monitor", "--dns-server", nowhere],
    () => ["--spec", path("migration.yaml"), "--project", "my-project"],
  ],
  ["status", ["status", "--dns-server", nowhere], () => ["--spec", path("migration.yaml"), "--project", "shop-1"]],
] as const)("%s with refused credentials exits with 3, without advice about roles", async (_, words, more) => {
  const { exitCode, stderr } = await runCli([...words, "--endpoint", cloud.endpoints.http, ...more()]);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("[credentials-refused]")]);
  expect(stderr).toContain("gcloud auth application-default login");
  expect(stderr).not.toMatch(roles);
});

test("a refusal in the form of a proxy's page counts as refused credentials too", async () => {
  await using server = await startServer((_, response) => {
    response.writeHead(401, { "content-type": "text/html" });
    response.end("<html>who are you</html>");
  });
  const words = ["wait", "--certificate", "projects/shop-1/locations/global/certificates/c", "--endpoint", server.url];
  const { exitCode, stderr } = await runCli(words);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("[credentials-refused]")]);
  expect(stderr).not.toMatch(/html|role/);
});

test.each([
  [["audit", "list"], 3],
  [["audit", "guard", "--freeze", "freeze.yaml"], 3],
] as const)("%j with a refused token exits with %i, without advice about roles", async (words, wanted) => {
  const options = { store: createActivityStore(), now: () => new Date("2026-11-21T00:00:00Z") };
  const server = await startFaultyServer(options, () => faults.refuse(401, "authError"));
  const given = words.map((word) => (word.endsWith(".yaml") ? path(word) : word));
  const { exitCode, stdout, stderr } = await runCli([...given, "--endpoint", server.url]);
  await server.close();
  expect(exitCode).toBe(wanted);
  expect(stdout + stderr).toContain("the service does not accept the access token");
  expect(stdout + stderr).not.toMatch(/scope|administrator who/);
  expect(stderr).toContain("[credentials-refused]");
});

test("a description service that refuses the credentials is reported by that code", async () => {
  await using server = await startServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end("{}");
  });
  const { exitCode, stderr } = await runCli(["api", "list", "--root-url", server.url]);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("[credentials-refused]")]);
});
