import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import type { HostnameStatus } from "../../lib/live/status";
import { type SourceMigration, sourceFromSpec } from "../../lib/source";
import { makeLoadBalancer, makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { testIo, withUsual } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";

let cloud: TestCloud;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-status-"));
  writeFileSync(join(folder, "migration.yaml"), shopSpec);
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.", "shop-1");
  await makeZone(cloud, "example-net", "example.net.", "shop-1");
  await cloud.clock.advance(1_000);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

/** Adds the options that every call needs, unless the arguments already have them. */
function withSource(words: readonly string[]): readonly string[] {
  const { http, dns } = cloud.endpoints;
  const spec = join(folder, "migration.yaml");
  return withUsual({ "--spec": spec, "--project": "shop-1", "--endpoint": http, "--dns-server": dns }, words);
}

const commands = readOnlyCommands(() => cloud.requests());

async function look(...words: readonly string[]) {
  return commands.run(["status", ...withSource(words)], {
    env: { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control },
  });
}

/** Returns each hostname with the marks of its steps. */
async function marks(): Promise<readonly string[]> {
  const { stdout } = await look();
  return stdout
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(/ +/).slice(0, 9).join(" "));
}

async function change(zone: string, name: string, type: string, rrdata: string): Promise<void> {
  const additions = [{ name, type, ttl: 60, rrdatas: [rrdata] }];
  await cloud.make("POST", `/dns/v1/projects/shop-1/managedZones/${zone}/changes`, { additions });
  await cloud.clock.advance(1_000);
}

test("shows every hostname's step from the cloud and DNS", async () => {
  const shop = sourceFromSpec(shopSpec, { source: "s", project: "shop-1" }).migrations[0] as SourceMigration;
  expect(await marks()).toEqual([
    "*.example.com . . . . . . ? -",
    "example.com . . . . . . ? .",
    "pay.example.net . . . . . . ? .",
  ]);

  for (const { resourceName, domain } of shop.authorizations) {
    await cloud.make(
      "POST",
      `/v1/projects/shop-1/locations/global/dnsAuthorizations?dnsAuthorizationId=${resourceName}`,
      { domain },
    );
  }
  for (const { resourceName, domains } of shop.certificates) {
    const dnsAuthorizations = shop.authorizations.filter(({ domain }) => domains.includes(domain)).map(({ id }) => id);
    await cloud.make("POST", `/v1/projects/shop-1/locations/global/certificates?certificateId=${resourceName}`, {
      managed: { domains, dnsAuthorizations },
    });
  }
  const [root] = shop.authorizations;
  const { dnsResourceRecord } = (await cloud.make("GET", `/v1/${root?.id}`)) as { dnsResourceRecord: { data: string } };
  await change("example-com", "_acme-challenge.example.com.", "CNAME", dnsResourceRecord.data);
  await cloud.clock.advance(60_000);
  expect(await marks()).toEqual([
    "*.example.com + + + . . . ? -",
    "example.com + + + . . . ? .",
    "pay.example.net + . ~ . . . ? .",
  ]);

  await cloud.make(
    "POST",
    `/v1/projects/shop-1/locations/global/certificateMaps?certificateMapId=${shop.map?.resourceName}`,
    {},
  );
  await cloud.clock.advance(1_000);
  for (const { hostname, resourceName, certificates } of shop.entries.slice(0, 2)) {
    const ids = shop.certificates.filter(({ name }) => certificates.includes(name)).map(({ id }) => id);
    const path = `/v1/${shop.map?.id}/certificateMapEntries?certificateMapEntryId=${resourceName}`;
    await cloud.make("POST", path, { hostname, certificates: ids });
  }
  await cloud.clock.advance(60_000);
  const map = `//certificatemanager.googleapis.com/${shop.map?.id}`;
  await makeLoadBalancer(cloud, "other", { certificateMap: map }, {}, "shop-1");
  expect((await marks())[0]).toBe("*.example.com + + + + + . ? -");
  await makeLoadBalancer(cloud, shop.proxies[0]?.resourceName ?? "", { certificateMap: map }, {}, "shop-1");
  await change("example-com", "example.com.", "A", "203.0.113.7");
  await cloud.clock.advance(10_000);
  expect(await marks()).toEqual([
    "*.example.com + + + + + + ? -",
    "example.com + + + + + + ? +",
    "pay.example.net + . ~ . . + ? .",
  ]);

  const { exitCode, stdout } = await look("--json");
  expect(exitCode).toBe(0);
  const { schemaVersion, time, hostnames } = JSON.parse(stdout);
  expect([schemaVersion, time]).toEqual([1, "2026-11-21T00:00:00.000Z"]);
  expect(hostnames[2].current).toMatchObject({
    step: 2,
    name: "CNAME published",
    state: "todo",
    code: "record-missing",
    next: expect.stringContaining("publish _acme-challenge.pay.example.net. CNAME"),
  });

  const here = join(folder, "here.yaml");
  const own =
    cloud.loadBalancers.listeners().find(({ forwardingRule }) => !forwardingRule.endsWith("/other"))?.ipAddress ?? "";
  writeFileSync(here, shopSpec.replace("203.0.113.7", own));
  const seventh = async (...words: readonly string[]) => {
    const result = await look("--json", "--spec", here, ...words);
    const { hostnames } = JSON.parse(result.stdout) as { hostnames: readonly HostnameStatus[] };
    return hostnames.map(({ hostname, steps }) => `${hostname} ${steps[6]?.state} ${steps[6]?.code ?? ""}`.trim());
  };
  expect(await seventh("--verify-now")).toEqual([
    "*.example.com done",
    "example.com done",
    "pay.example.net todo handshake-refused",
  ]);
  const verification = join(folder, "verify.json");
  const result = { hostname: "example.com", address: own, ok: false, code: "flapping" };
  writeFileSync(verification, JSON.stringify({ version: 1, results: [result] }));
  expect(await seventh("--verify", verification)).toEqual([
    "*.example.com unknown not-verified",
    "example.com failed flapping",
    "pay.example.net unknown not-verified",
  ]);
  expect((await look("--spec", here, "--verify", verification)).exitCode).toBe(4);
});

/** Watches until the first thing is written to stdout. */
async function watchOnce(stdout: Partial<Io["stdout"]>, ...words: readonly string[]) {
  const stopping = new AbortController();
  const out: string[] = [];
  const io = testIo({
    signal: stopping.signal,
    env: { NO_COLOR: "1" },
    stdout: {
      ...stdout,
      write: (text: string) => {
        out.push(text);
        stopping.abort(new Error("stopped by SIGINT"));
      },
    },
  });
  const exitCode = await commands.runWith(["status", ...withSource(["--watch", ...words])], io);
  return { exitCode, out, err: io.err() };
}

test("--watch in a pipeline prints lines and, when it is stopped, the table and a summary", async () => {
  const { exitCode, out, err } = await watchOnce({});
  expect(exitCode).toBe(0);
  expect(out[0]).toMatch(/^2026-11-21T00:00:00\.000Z 0 of 3 hostnames have completed every step, /);
  expect(out[1]).toMatch(/^hostname +1 +2 /);
  expect(err).toMatch(/^stopped: 0 of 3 hostnames have completed every step, .*; nothing was changed\n$/);
});

test("--watch on a terminal prints only what fits", async () => {
  const { exitCode, out } = await watchOnce({ isTTY: true, columns: 75, rows: 16 });
  expect(exitCode).toBe(0);
  expect(out).toHaveLength(1);
  const lines = (out[0] ?? "").trimEnd().split("\n");
  expect(lines[0]).toMatch(/^2026-11-21T00:00:00\.000Z: 0 of 3 hostnames have completed every step/);
  expect(lines[1]).toMatch(/^ +done +waiting +to do +failed +not known +n\/a$/);
  expect(lines[8]).toMatch(/^7 served and verified +3$/);
  expect(lines.at(-1)).toBe("and 2 more");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(75);
  expect(lines.length).toBeLessThan(16);
});

test("--watch --json prints one object per line", async () => {
  const { out } = await watchOnce({ isTTY: true }, "--json");
  expect(out).toHaveLength(1);
  expect(JSON.parse(out[0] ?? "")).toMatchObject({ schemaVersion: 1, time: "2026-11-21T00:00:00.000Z" });
});

test.each([
  [["--verify", "x", "--verify-now"], "verification-twice"],
  [["--verify", "/nowhere/verify.json"], "file-unreadable"],
  [["--watch", "--every", "soon"], "duration-malformed"],
  [["--watch", "--every", "999ms"], "duration-out-of-range"],
])("%j is refused with exit code 2 and %s", async (words, code) => {
  const { exitCode, stderr } = await commands.run(["status", ...withSource(words)]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});

test("a migration without a project is refused", async () => {
  const { exitCode, stderr } = await commands.run([
    "status",
    "--spec",
    join(folder, "migration.yaml"),
    "--endpoint",
    cloud.endpoints.http,
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("[project-unknown]");
});
