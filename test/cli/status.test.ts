import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SourceMigration, sourceFromSpec } from "../../lib/migrate";
import { makeLoadBalancer, makeZone, parent, startTestCloud, type TestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { shopSpec } from "../support/migration-spec";

let cloud: TestCloud;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-status-"));
  writeFileSync(join(folder, "migration.yaml"), shopSpec);
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  await makeZone(cloud, "example-net", "example.net.");
  await cloud.clock.advance(1_000);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

/** Runs the command, which must not have changed anything. */
async function look(...words: readonly string[]) {
  const before = cloud.requests().length;
  const source = ["--spec", join(folder, "migration.yaml"), "--project", "p1"];
  const result = await runCli([
    "status",
    ...source,
    "--endpoint",
    cloud.endpoints.http,
    "--dns-server",
    cloud.endpoints.dns,
    ...words,
  ]);
  expect(
    cloud
      .requests()
      .slice(before)
      .filter(({ mutation }) => mutation),
  ).toEqual([]);
  return result;
}

/** Each hostname with the marks of its steps. */
async function marks(): Promise<readonly string[]> {
  const { stdout } = await look();
  return stdout
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(/ +/).slice(0, 9).join(" "));
}

async function change(zone: string, name: string, type: string, rrdata: string): Promise<void> {
  const additions = [{ name, type, ttl: 60, rrdatas: [rrdata] }];
  await cloud.make("POST", `/dns/v1/projects/p1/managedZones/${zone}/changes`, { additions });
  await cloud.clock.advance(1_000);
}

test("every hostname goes through its steps as the cloud and DNS do", async () => {
  const shop = sourceFromSpec(shopSpec, { source: "s", project: "p1" }).migrations[0] as SourceMigration;
  expect(await marks()).toEqual([
    "*.example.com . . . . . . ? -",
    "example.com . . . . . . ? .",
    "pay.example.net . . . . . . ? .",
  ]);

  for (const { resourceName, domain } of shop.authorizations) {
    await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${resourceName}`, { domain });
  }
  for (const { resourceName, domains } of shop.certificates) {
    const dnsAuthorizations = shop.authorizations.filter(({ domain }) => domains.includes(domain)).map(({ id }) => id);
    await cloud.make("POST", `/v1/${parent}/certificates?certificateId=${resourceName}`, {
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

  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=${shop.map?.resourceName}`, {});
  await cloud.clock.advance(1_000);
  for (const { hostname, resourceName, certificates } of shop.entries.slice(0, 2)) {
    const ids = shop.certificates.filter(({ name }) => certificates.includes(name)).map(({ id }) => id);
    const path = `/v1/${shop.map?.id}/certificateMapEntries?certificateMapEntryId=${resourceName}`;
    await cloud.make("POST", path, { hostname, certificates: ids });
  }
  await cloud.clock.advance(60_000);
  await makeLoadBalancer(cloud, "web", { certificateMap: `//certificatemanager.googleapis.com/${shop.map?.id}` });
  await change("example-com", "example.com.", "A", "203.0.113.7");
  await cloud.clock.advance(10_000);
  expect(await marks()).toEqual([
    "*.example.com + + + + + + ? -",
    "example.com + + + + + + ? +",
    "pay.example.net + . ~ . . + ? .",
  ]);

  const { exitCode, stdout } = await look("--json");
  expect(exitCode).toBe(0);
  const { hostnames } = JSON.parse(stdout);
  expect(hostnames[2].current).toMatchObject({
    step: 2,
    name: "CNAME published",
    state: "todo",
    reason: "record-missing",
    next: expect.stringContaining("publish _acme-challenge.pay.example.net. CNAME"),
  });
});

test("a migration whose project nobody knows is refused", async () => {
  const { exitCode, stderr } = await runCli([
    "status",
    "--spec",
    join(folder, "migration.yaml"),
    "--endpoint",
    cloud.endpoints.http,
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("[project-unknown]");
});
