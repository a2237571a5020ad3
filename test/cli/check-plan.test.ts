import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli, testIo } from "../support/io";

const deletion = (address: string) => ({
  format_version: "1.2",
  planned_values: {},
  resource_changes: [
    {
      address,
      mode: "managed",
      type: "google_compute_target_https_proxy",
      change: { actions: ["delete"], before: { name: "web\u001b[2J" }, after: null },
    },
  ],
});

const run = (address: string, ...words: readonly string[]) =>
  runCli(["check-plan", "-", ...words], { stdin: JSON.stringify(deletion(address)) });

test("exits with 4 for a dangerous plan, and prints each danger and remedy without control characters", async () => {
  const { exitCode, stdout, stderr } = await run("google_compute_target_https_proxy.web");
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(
    /^refused: google_compute_target_https_proxy\.web: .*web\\u\{1b\}\[2J.* \[proxy-deleted\]\n {2}move traffic to another load balancer/,
  );
  expect(stdout).not.toContain("\u001b");
  expect(stderr).toBe("the plan is refused: 1 danger, 0 warnings\n");
});

test("prints a command to copy on a line of its own, without control characters", async () => {
  const map = "google_certificate_manager_certificate_map_entry";
  const id = "projects/p/locations/global/certificates/theirs\u001b[2J";
  const change = { actions: ["update"], before: { certificates: [] }, after: { certificates: [id] } };
  const plan = {
    format_version: "1.2",
    planned_values: {},
    resource_changes: [{ address: `${map}.e`, mode: "managed", type: map, change }],
  };
  const { stdout } = await runCli(["check-plan", "-"], { stdin: JSON.stringify(plan) });
  expect(stdout.split("\n").at(-2)).toBe(
    "  run: cert-migration wait --certificate 'projects/p/locations/global/certificates/theirs\\u{1b}[2J'",
  );
});

test("prints every danger with --json", async () => {
  const { exitCode, stdout } = await run("google_compute_target_https_proxy.web", "--json");
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    schemaVersion: 1,
    ok: false,
    findings: [{ code: "proxy-deleted", severity: "error", allowed: false }],
  });
});

test.each([
  [15, ""],
  [17, "checking a plan of 17 MB\n"],
])("announces the check of a plan of %i MB: '%s'", async (megabytes, announced) => {
  const variables = { filler: { value: "x".repeat(megabytes * 1_000_000) } };
  const stdin = JSON.stringify({ ...deletion("google_compute_target_https_proxy.web"), variables });
  const { stderr } = await runCli(["check-plan", "-"], { stdin });
  expect(stderr).toBe(`${announced}the plan is refused: 1 danger, 0 warnings\n`);
});

test("prints only the dangers with --quiet", async () => {
  const { exitCode, stdout, stderr } = await run("google_compute_target_https_proxy.web", "--quiet");
  expect([exitCode, stderr]).toEqual([4, ""]);
  expect(stdout).toContain("[proxy-deleted]");
});

test("uses color only to repeat a word", async () => {
  const stdin = JSON.stringify(deletion("a.b"));
  const { stdout } = await runCli(["check-plan", "-"], { stdin, env: { FORCE_COLOR: "1" } });
  expect(stdout).toContain("\u001b[31mrefused\u001b[0m: a.b: ");
});

test("accepts one danger with --allow", async () => {
  const { exitCode, stdout } = await run("google_compute_target_https_proxy.web", "--allow", "proxy-deleted");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^allowed: /);
});

test("accepts a danger with --allow CODE=HOSTNAME only for this hostname", async () => {
  const type = "google_certificate_manager_certificate_map_entry";
  const gone = (hostname: string) => ({
    address: `${type}.${hostname.split(".")[0]}`,
    mode: "managed",
    type,
    change: { actions: ["delete"], before: { hostname, map: "theirs", certificates: ["c"] }, after: null },
  });
  const plan = { ...deletion("a.b"), resource_changes: [gone("one.example.com"), gone("two.example.com")] };
  const allow = (...words: readonly string[]) => runCli(["check-plan", "-", ...words], { stdin: JSON.stringify(plan) });
  const one = await allow("--allow", "entry-deleted=ONE.example.com.");
  expect(one.exitCode).toBe(4);
  expect(one.stdout).toMatch(/^allowed: .*one\.example\.com/m);
  expect(one.stdout).toMatch(/^refused: .*two\.example\.com/m);
  const both = await allow("--allow", "entry-deleted=one.example.com", "--allow", "entry-deleted=two.example.com");
  expect(both.exitCode).toBe(0);
  const other = await allow("--allow", "entry-replaced=one.example.com", "--allow", "entry-replaced=two.example.com");
  expect(other.exitCode).toBe(4);
  const wrong = await allow("--allow", "entry-deleted=", "--allow", "nosuch=one.example.com");
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("--allow 'entry-deleted='");
  expect(wrong.stderr).toContain("[danger-unknown]");
});

test("--outputs has the map of another configuration, of which the plan of a proxy's owner knows only the id", async () => {
  const scope = "projects/p/locations/global";
  const old = { id: "projects/p/global/sslCertificates/old", domains: ["shop.example.com"] };
  const migration = {
    ...{ name: "shop", phase: "serve", gate: "wait", loadBalancer: "globalExternal", authorizations: [], records: [] },
    certificates: [
      {
        ...{ name: "shop", kind: "managed", id: `${scope}/certificates/shop`, location: "global", scope: "DEFAULT" },
        domains: ["shop.example.com"],
      },
    ],
    entries: [{ hostname: "shop.example.com", id: "e", certificates: [`${scope}/certificates/shop`] }],
    map: `${scope}/certificateMaps/shop`,
    proxies: [],
    servingProxies: [{ proxy: "p", addresses: ["203.0.113.7"], certificates: [old] }],
  };
  const outputs = { cert_migration: { value: { version: 1, migrations: { shop: migration } } } };
  const before = {
    ssl_certificates: [old.id],
    certificate_map: `//certificatemanager.googleapis.com/${migration.map}`,
  };
  const plan = deletion("google_compute_target_https_proxy.web");
  const [proxy] = plan.resource_changes;
  const change = { actions: ["update"], before, after: { ...before, ssl_certificates: [] } };
  const folder = mkdtempSync(join(tmpdir(), "check-plan-"));
  const [planFile, outputsFile] = [join(folder, "plan.json"), join(folder, "outputs.json")];
  writeFileSync(planFile, JSON.stringify({ ...plan, resource_changes: [{ ...proxy, change }] }));
  writeFileSync(outputsFile, JSON.stringify(outputs));
  const without = await runCli(["check-plan", planFile]);
  expect([without.exitCode, without.stdout]).toEqual([4, expect.stringContaining("--outputs FILE")]);
  expect(await runCli(["check-plan", planFile, "--outputs", outputsFile])).toMatchObject({ exitCode: 0, stdout: "" });
  const twice = await runCli(["check-plan", "-", "--outputs", "-"], { stdin: JSON.stringify(plan) });
  expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining("[stdin-twice]")]);
  rmSync(folder, { recursive: true });
});

test("--verified has the time for which verify has passed, and --verified-for the time that it has to pass", async () => {
  const folder = mkdtempSync(join(tmpdir(), "check-plan-"));
  const log = join(folder, "verify.log");
  const line = (hours: number) => {
    const time = new Date(testIo().now().getTime() - hours * 3_600_000).toISOString();
    return `${JSON.stringify({ version: 1, time, passed: ["shop.example.com"], failed: [] })}\n`;
  };
  writeFileSync(log, [40, 20, 1].map(line).join(""));
  const certificateMap = "//certificatemanager.googleapis.com/projects/p/locations/global/certificateMaps/theirs";
  const kept = { certificate_map: certificateMap };
  const plan = deletion("google_compute_target_https_proxy.web");
  const [proxy] = plan.resource_changes;
  const changes = [
    { ...proxy, change: { actions: ["no-op"], before: kept, after: kept } },
    {
      address: "google_compute_managed_ssl_certificate.old",
      mode: "managed",
      type: "google_compute_managed_ssl_certificate",
      change: {
        actions: ["delete"],
        before: { name: "old", managed: [{ domains: ["shop.example.com"] }] },
        after: null,
      },
    },
  ];
  const stdin = JSON.stringify({ ...plan, resource_changes: changes });
  const early = await runCli(["check-plan", "-", "--verified", log], { stdin });
  expect(early.stdout).toMatch(/'verify' has passed for 40 h of 72 h \[certificate-deleted-unchecked\]/);
  const late = await runCli(["check-plan", "-", "--verified", log, "--verified-for", "40h"], { stdin });
  expect([late.exitCode, late.stdout]).toEqual([0, ""]);
  rmSync(folder, { recursive: true });
});

test("does not accept a danger without a hostname by --allow CODE=HOSTNAME", async () => {
  const { exitCode } = await run("google_compute_target_https_proxy.web", "--allow", "proxy-deleted=www.example.com");
  expect(exitCode).toBe(4);
});

test("suggests the nearest code for an unknown code of --allow, or the list of codes", async () => {
  const { exitCode, stderr } = await run("a.b", "--allow", "proxy-delete", "--allow", "nosuch");
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "'proxy-delete' is not a code of check-plan; did you mean 'proxy-deleted'? [danger-unknown]",
  );
  expect(stderr).toContain(
    "'nosuch' is not a code of check-plan; 'cert-migration explain' and docs/checks.md list them [danger-unknown]",
  );
});

test.each([
  [["-"], "{", "plan-malformed"],
  [["/nowhere/plan.json"], "", "file-unreadable"],
  [["-", "--allow", "everything"], JSON.stringify(deletion("a.b")), "danger-unknown"],
])("refuses %j with exit code 2", async (words, stdin, code) => {
  const { exitCode, stderr } = await runCli(["check-plan", ...words], { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});
