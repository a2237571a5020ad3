import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "sarif";
import { assignRole, record } from "../audit/activities";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  startTestCloud,
  type TestCloud,
} from "../support/cloud";
import { readOnlyCommands } from "../support/read-only";
import { sarifErrors } from "../support/result-schemas";

let cloud: TestCloud;
const commands = readOnlyCommands(() => cloud.requests());
let folder: string;
let shop: string;
let other: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-rehearsal-"));
  cloud = await startTestCloud();
  await makeZone(cloud, "zone", "example.com.");
  shop = await makeActiveCertificate(cloud, "shop", "zone", ["example.com", "*.example.com"]);
  other = await makeActiveCertificate(cloud, "other", "zone", ["example.com"]);
  const certificateMap = await makeMap(cloud, "map", {
    "example.com": [shop],
    "*.example.com": [shop],
    PRIMARY: [shop],
  });
  await makeLoadBalancer(cloud, "lb", { certificateMap });
  await cloud.make("POST", "/compute/v1/projects/p1/global/forwardingRules", {
    name: "lb6",
    target: "global/targetHttpsProxies/lb",
    loadBalancingScheme: "EXTERNAL_MANAGED",
    portRange: "443",
    ipVersion: "IPV6",
  });
  await cloud.clock.advance(60_000);
  await cloud.loadBalancers.settle();
});

afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

/** Returns outputs of a stack that uses one certificate in every map entry. */
function outputs(certificate: string, change: object = {}): string {
  const addresses = cloud.loadBalancers.listeners().map(({ ipAddress }) => ipAddress);
  const entry = (hostname: string) => ({ hostname, id: `${certificate}/${hostname}`, certificates: [certificate] });
  const migration = {
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [
      { name: "own", kind: "managed", id: certificate, domains: ["example.com"], location: "global", scope: "DEFAULT" },
    ],
    entries: ["example.com", "*.example.com", "PRIMARY"].map(entry),
    map: "projects/p1/locations/global/certificateMaps/map",
    addresses: {
      ipv4: addresses.filter((address) => !address.includes(":")),
      ipv6: addresses.filter((address) => address.includes(":")),
    },
    ...change,
  };
  return JSON.stringify({ cert_migration: { value: { version: 1, migrations: { "prod/shop": migration } } } });
}

function verify(stdin: string, ...words: readonly string[]) {
  const env = { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control, CERT_MIGRATION_ENDPOINT: cloud.endpoints.http };
  const line = ["verify", "--outputs", "-", "--repeat", "1", "--within", "1s", ...words];
  return commands.run(line, { stdin, env, now: () => new Date() });
}

test("accepts every hostname with the planned certificate, over IPv4 and IPv6, and for clients without SNI", async () => {
  const { exitCode, stdout, stderr } = await verify(outputs(shop), "--json");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ schemaVersion: 1, ok: true, exact: { checked: true }, findings: [], comparisons: [] });
  expect(report.migrations).toEqual([{ name: expect.stringMatching(/.+/), project: expect.stringMatching(/.+/) }]);
  expect(report.results.map(({ hostname, planned }: Record<string, string>) => [hostname, planned])).toEqual([
    ["*.example.com", shop],
    ["*.example.com", shop],
    ["example.com", shop],
    ["example.com", shop],
  ]);
  expect(new Set(report.results.map(({ address }: { address: string }) => address.includes(":")))).toEqual(
    new Set([true, false]),
  );
  // Without SNI or with an unknown hostname, verify does not check the certificate's names.
  expect(report.fallbacks.flatMap(({ detail }: { detail?: string }) => detail ?? [])).toEqual([]);
  expect(
    report.fallbacks.map(({ client, certificate }: { client: string; certificate: { dnsNames: string[] } }) => [
      client,
      certificate.dnsNames,
    ]),
  ).toEqual(
    ["no-sni", "unknown-name", "no-sni", "unknown-name"].map((client) => [client, ["*.example.com", "example.com"]]),
  );
  expect(stderr).toContain("4 of 4 names served as they should be");
  expect(exitCode).toBe(0);
});

test("reports a certificate that is valid for the name but is not the planned certificate, with both certificates", async () => {
  const { exitCode, stdout } = await verify(outputs(other), "--family", "ipv4", "--hostname", "example.com", "--json");
  const report = JSON.parse(stdout);
  expect(report.results).toEqual([
    expect.objectContaining({ code: "other-certificate", message: expect.stringContaining(`planned: ${other} with`) }),
  ]);
  expect(report.findings.map(({ code }: { code: string }) => code)).toEqual([
    "primary-other-certificate",
    "primary-other-certificate",
  ]);
  expect(exitCode).toBe(4);
});

test("reports a planned certificate that does not exist", async () => {
  const missing = shop.replace(/shop$/, "missing");
  const { stdout } = await verify(outputs(missing), "--family", "ipv4", "--hostname", "example.com", "--json");
  expect(JSON.parse(stdout).results).toEqual([
    expect.objectContaining({ code: "certificate-not-issued", message: `${missing} is MISSING` }),
  ]);
});

test("warns of a certificate that is served although the plan has no PRIMARY entry, and does not fail", async () => {
  const without = JSON.parse(outputs(shop));
  const migration = without.cert_migration.value.migrations["prod/shop"];
  migration.entries = migration.entries.filter(({ hostname }: { hostname: string }) => hostname !== "PRIMARY");
  const { exitCode, stdout } = await verify(JSON.stringify(without), "--family", "ipv4");
  expect(stdout).toContain("warning: ");
  expect(stdout).toMatch(
    /a client without SNI: a certificate for \*\.example\.com, example\.com.* \[unplanned-fallback\]$/m,
  );
  expect(exitCode).toBe(0);
});

test("reports that nothing was compared without access to Certificate Manager, and fails with --exact", async () => {
  const unknown = JSON.parse(outputs(shop));
  const migration = unknown.cert_migration.value.migrations["prod/shop"];
  for (const entry of migration.entries) entry.certificates = ["${google_certificate_manager_certificate.c.id}"];
  const words = ["--family", "ipv4", "--hostname", "example.com"];
  const lenient = await verify(JSON.stringify(unknown), ...words);
  expect(lenient.exitCode).toBe(0);
  expect(lenient.stderr).toContain("not compared with the certificates of the plan: not every certificate's id");
  expect((await verify(outputs(shop), ...words, "--no-exact")).stderr).toContain("--no-exact was given");
  const strict = await verify(JSON.stringify(unknown), ...words, "--exact");
  expect(strict.exitCode).toBe(2);
  expect(strict.stderr).toContain("[exact-impossible]");
});

test("verifies a name whose certificate ID is unknown, and counts it as not compared", async () => {
  const partly = JSON.parse(outputs(shop));
  partly.cert_migration.value.migrations["prod/shop"].entries[1].certificates = ["${google_certificate.c.id}"];
  const { exitCode, stdout, stderr } = await verify(JSON.stringify(partly), "--family", "ipv4", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, exact: { checked: true, unknown: 1 } });
  expect(stderr).toContain("1 name not compared with the plan");
  expect(exitCode).toBe(0);
});

test.each([
  ["an invalid hostname", { traffic: { to: "previous", hostnames: ["a b"] } }, "hostname-"],
  ["an invalid address", { addresses: { ipv4: ["lb.example.com"], ipv6: [] } }, "address-malformed"],
  ["no address", { addresses: {} }, "address-missing"],
])("refuses a plan with %s without opening a connection", async (_, change, code) => {
  const { exitCode, stderr } = await verify(outputs(shop, change));
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}`);
  expect(stderr).toContain("prod/shop: ");
});

test("reports failures in JUnit XML and annotations, each escaped by its own rules", async () => {
  const path = join(folder, "verify.xml");
  const words = ["--family", "ipv4", "--hostname", "example.com", "--junit", path, "--annotations"];
  const { stderr } = await verify(outputs(other), ...words);
  const xml = readFileSync(path, "utf8");
  expect(xml).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="cert-migration" tests="3" failures="3" errors="0">/,
  );
  expect(xml).toContain('<failure type="other-certificate" message="other-certificate: served: serial ');
  const [address] = cloud.loadBalancers.listeners().map(({ ipAddress }) => ipAddress);
  expect(stderr).toContain(`title=example.com at ${address}%3A other-certificate::served: serial `);
});

test("writes SARIF with a result for each hostname and address that fails", async () => {
  const { exitCode, stdout } = await verify(outputs(other), "--hostname", "example.com", "--format", "sarif");
  const log = JSON.parse(stdout) as Log;
  expect([exitCode, sarifErrors(log)]).toEqual([4, []]);
  const names = log.runs[0]?.results?.map(({ ruleId, locations }) => [
    ruleId,
    locations?.[0]?.logicalLocations?.[1]?.name,
  ]);
  expect(names?.slice(0, 2)).toEqual([
    ["other-certificate", "example.com"],
    ["other-certificate", "example.com"],
  ]);
});

describe("a freeze", () => {
  test.each([
    ["an alias", "start: &a 2026-11-21T10:00:00Z\nend: *a\n", "it has an alias, and none is followed"],
    ["brackets without end", "[".repeat(50_000), "it is nested too deep"],
  ])("with %s is refused with one line", async (_, text, reason) => {
    const path = join(folder, "odd.yaml");
    writeFileSync(path, text);
    const { exitCode, stderr } = await verify(outputs(shop), "--freeze", path);
    expect([exitCode, stderr.match(/freeze-malformed/g)]).toEqual([2, ["freeze-malformed"]]);
    expect(stderr).toContain(reason);
  });

  test.each([
    ["a freeze", () => ["--freeze", join(folder, "none.yaml")]],
    ["a place for JUnit XML", () => ["--junit", join(folder, "nowhere", "verify.xml")]],
  ])("%s that can't be used is refused before any request", async (_, words) => {
    const before = cloud.requests().length;
    const { exitCode, stdout } = await verify(outputs(shop), ...words());
    expect([exitCode, stdout, cloud.requests().length]).toEqual([2, "", before]);
  });

  const freeze = (startsInMs: number) => {
    const path = join(folder, "freeze.yaml");
    const [start, end] = [startsInMs, 3_600_000].map((ms) => new Date(cloud.clock.now().getTime() + ms).toISOString());
    writeFileSync(path, `start: ${start}\nend: ${end}\n`);
    return ["--family", "ipv4", "--hostname", "example.com", "--freeze", path];
  };

  test("for which the log has no data is exit code 5", async () => {
    const { exitCode, stdout } = await verify(outputs(shop), ...freeze(-60_000));
    expect(stdout).toContain("freeze: unknown: events of the freeze have not arrived in the log yet");
    expect(exitCode).toBe(5);
  });

  test("that was violated is exit code 4, even if every hostname is served correctly", async () => {
    const time = new Date(cloud.clock.now().getTime() - 1_800_000).toISOString();
    cloud.activities.ingest(record([assignRole()], { time }));
    const { exitCode, stdout } = await verify(outputs(shop), ...freeze(-3_600_000), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, freeze: { verdict: "violations" } });
    expect(exitCode).toBe(4);
  });
});

test("only reads from the cloud", async () => {
  const before = cloud.requests().length;
  await verify(outputs(shop));
  const methods = cloud
    .requests()
    .slice(before)
    .map(({ httpMethod }) => httpMethod);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});

test("watch queries the cloud's name server in a rehearsal and connects to the cloud's addresses", async () => {
  const rrdatas = cloud.loadBalancers
    .listeners()
    .flatMap(({ ipAddress }) => (ipAddress.includes(":") ? [] : [ipAddress]));
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/zone/changes", {
    additions: [{ name: "example.com.", type: "A", ttl: 1, rrdatas }],
  });
  await cloud.clock.advance(1_000);
  const env = { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control };
  const line = ["watch", "--outputs", "-", "--until", "moved", "--within", "5s", "--json"];
  const { exitCode, stdout } = await commands.run(line, { stdin: outputs(shop), env, now: () => new Date() });
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "moved", failures: 0, share: { loadBalancer: 1 } });
  expect(exitCode).toBe(0);
});
