import type { Cloud } from "../../lib/cloud";
import { startCloud } from "../../lib/cloud";
import { entryList, projectLists } from "../../lib/google";
import { readProjectInventory } from "../../lib/inventory/project";
import type { ProjectInventory } from "../../lib/project-inventory";
import { startOddServer } from "../dns/servers";
import { generateProject } from "../support/generated-project";
import { readOnlyCommands } from "../support/read-only";

const now = new Date("2026-11-21T00:00:00Z");
const world = generateProject({ seed: 1, now, forwardingRules: 24, certificates: 40, zones: 11 });
let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud({ speed: 0, startAt: now, world });
});

afterAll(() => cloud.stop());

afterEach(() => cloud.faults.set({}));

const commands = readOnlyCommands(() => cloud.requests());

function read(
  words: readonly string[],
  io: Parameters<typeof commands.run>[1] = {},
  dnsServer: string = cloud.endpoints.dns,
) {
  const server = words.includes("--no-dns") ? [] : ["--dns-server", dnsServer];
  const places = ["--endpoint", cloud.endpoints.http, ...server, "--dns-project", "shop-prod-dns"];
  return commands.run(["inventory", "--project", "shop-prod", ...places, ...words], io);
}

test("ends with exit code 3 and advice if the project can't be read within the time of --within", async () => {
  const { exitCode, stdout, stderr } = await read(["--within", "1ms"]);
  expect([exitCode, stdout, stderr]).toEqual([
    3,
    "",
    expect.stringMatching(
      /reading the project shop-prod was not done within .*; increase --within.*\[service-timeout\]/,
    ),
  ]);
});

test("prints what it has read if DNS takes longer than --within, and notes that renewals are missing", async () => {
  await using silent = await startOddServer(() => undefined);
  const { stdout, stderr } = await read(["--json", "--within", "4s"], {}, `127.0.0.1:${silent.server.port}`);
  expect(JSON.parse(stdout)).toEqual(world);
  expect(stderr).toContain("not every renewal could be checked within 4 s; increase --within, or leave");
});

test("reports the missing CNAMEs of certificates that no proxy presents yet, but that are in a map", async () => {
  const { stdout } = await read(["--json"]);
  const { findings } = JSON.parse(stdout) as ProjectInventory;
  const known = new Set(world.findings.map(({ code, subject }) => `${code} ${subject}`));
  const others = findings.filter(({ code, subject }) => !known.has(`${code} ${subject}`));
  const inMap = new Set(world.maps.flatMap(({ entries }) => entries.flatMap(({ certificateIds }) => certificateIds)));
  expect(others.length).toBeGreaterThan(0);
  for (const { code, subject, message } of others) {
    expect([code, inMap.has(subject), message]).toEqual(["renewal-at-risk", true, expect.stringContaining("CNAME")]);
  }
});

test("reports the project with which the cloud started", async () => {
  const { stdout, exitCode } = await read(["--json", "--no-dns"]);
  expect(JSON.parse(stdout)).toEqual(world);
  expect(exitCode).toBe(world.findings.some(({ severity }) => severity === "error") ? 4 : 0);
});

test("reports what it could not read with the missing permission, and everything else", async () => {
  cloud.faults.set({ requests: [{ method: "compute.sslCertificates.*", status: "PERMISSION_DENIED" }] });
  const { stdout, exitCode } = await read(["--json"]);
  const inventory = JSON.parse(stdout) as ProjectInventory;
  expect(inventory.unread).toEqual([
    {
      what: "certificates of Compute Engine",
      project: "shop-prod",
      permission: "compute.sslCertificates.list",
      reason: expect.stringContaining("HTTP 403"),
    },
  ]);
  expect(inventory.proxies).toEqual(world.proxies);
  expect(inventory.certificates).toEqual(world.certificates.filter(({ kind }) => kind.startsWith("manager")));
  expect(inventory.findings[0]).toMatchObject({ code: "project-unread", subject: "projects/shop-prod" });
  expect(exitCode).toBe(4);
});

/** Issuance configs are read only for certificates of private CAs, which the world has none of. */
const readLists = Object.entries(projectLists).flatMap(([name, list]) =>
  name === "certificateIssuanceConfigs" ? [] : [list],
);

test.each([...readLists, entryList])(
  "without the $what, no finding is wrong, and the inventory is accepted as a world",
  async ({ method, what }) => {
    cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });
    const { stdout } = await read(["--json", "--no-dns"]);
    const inventory = JSON.parse(stdout) as ProjectInventory;
    expect(new Set(inventory.unread.map((list) => list.what))).toEqual(new Set([what]));
    const known = new Set(world.findings.map(({ code, subject }) => `${code} ${subject}`));
    const others = inventory.findings.filter(({ code }) => code !== "project-unread");
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ code, subject }) => !known.has(`${code} ${subject}`))).toEqual([]);
    expect(readProjectInventory(inventory, "--world").unread).toEqual(inventory.unread);
  },
);

test("a cloud starts with an inventory of which many lists could not be read", async () => {
  const { targetSslProxies, urlMaps, sslCertificates, certificateMaps } = projectLists;
  const denied = [targetSslProxies, urlMaps, sslCertificates, certificateMaps];
  cloud.faults.set({ requests: denied.map(({ method }) => ({ method, status: "PERMISSION_DENIED" })) });
  const { stdout } = await read(["--json"]);
  const partial = readProjectInventory(JSON.parse(stdout), "--world");
  const started = await startCloud({ speed: 0, startAt: now, world: partial });
  try {
    const places = [
      "--endpoint",
      started.endpoints.http,
      "--dns-server",
      started.endpoints.dns,
      "--dns-project",
      "shop-prod-dns",
    ];
    const again = await commands.run(["inventory", "--project", "shop-prod", ...places, "--json"]);
    const { proxies, forwardingRules, unread } = JSON.parse(again.stdout) as ProjectInventory;
    expect(unread).toEqual([]);
    expect(proxies.map(({ id }) => id)).toEqual(partial.proxies.map(({ id }) => id));
    expect(forwardingRules).toEqual(partial.forwardingRules);
  } finally {
    await started.stop();
  }
});

test("names certificates that could not be read, without stating who renews them", async () => {
  cloud.faults.set({ requests: [{ method: projectLists.sslCertificates.method, status: "PERMISSION_DENIED" }] });
  const { stdout, stderr } = await read(["--out", "-"]);
  expect(stderr).toContain("is not written: could not be checked: certificates of Compute Engine not readable");
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^ +cert-\d+ +- +- +- +-$/m);
});

test("makes no statement about proxies that could not be read", async () => {
  const denied = [projectLists.targetHttpsProxies.method, projectLists.targetSslProxies.method];
  cloud.faults.set({ requests: denied.map((method) => ({ method, status: "PERMISSION_DENIED" })) });
  const { stdout } = await read([]);
  expect(stdout).toContain("no target HTTPS or SSL proxy was read\n");
  expect(stdout).not.toContain("no proxy presents it");
});

test("retries requests beyond the quota", async () => {
  cloud.faults.set({ requests: [{ method: "compute.*.aggregatedList", status: "RESOURCE_EXHAUSTED", times: 2 }] });
  const { stdout } = await read(["--json", "--no-dns"]);
  expect(JSON.parse(stdout)).toEqual(world);
  expect(cloud.faults.counts()).toMatchObject([{ count: 2 }]);
});

test("ends with exit code 3 if nothing can be read", async () => {
  cloud.faults.set({ requests: [{ method: "*", status: "PERMISSION_DENIED" }] });
  const { exitCode, stdout, stderr } = await read([]);
  expect([exitCode, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("HTTP 403");
});

test("probes each external address for each known name", async () => {
  const env = { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control };
  const { stdout } = await read(["--json", "--probe"], { env });
  const { probes, findings } = JSON.parse(stdout) as ProjectInventory;
  const external = world.forwardingRules.filter(({ scheme }) => !scheme.startsWith("INTERNAL"));
  const served = probes.filter(({ outcome }) => outcome === "served");
  expect(new Set(probes.map(({ forwardingRuleId }) => forwardingRuleId))).toEqual(
    new Set(external.map(({ id }) => id)),
  );
  expect(served.length).toBeGreaterThan(external.length);
  const issuers = new Map(world.certificates.map(({ id, issuer }) => [id, issuer]));
  for (const { certificateId, issuer } of served) expect(issuer).toBe(issuers.get(certificateId ?? ""));
  // A load balancer does not serve a certificate that is not issued yet.
  const failed = probes.filter(({ outcome, coverage }) => outcome !== "served" || coverage === "none");
  expect(findings.filter(({ code }) => code.startsWith("probe-"))).toHaveLength(failed.length);
});

test.each([80, 100, 240])("prints lines of at most %d columns", async (columns) => {
  const lines: string[] = [];
  const stdout = { write: (text: string) => lines.push(...text.split("\n")), isTTY: true, columns };
  await read([], { stdout: stdout as never });
  const heading =
    columns >= 240 ? /^address +proxy +certificate +issuer +expires +renewed by +names/ : /^ +certificate +expires/;
  expect(lines.some((line) => heading.test(line))).toBe(true);
  // Ids and commands are never broken.
  expect(
    lines.filter((line) => line.length > columns && line.trim().includes(" ") && !/projects\//.test(line)),
  ).toEqual([]);
});

test("shows address, proxy, certificate, expiry and who renews it, and then each code with its remedy", async () => {
  const { stdout, stderr } = await read([]);
  const [rule] = world.forwardingRules;
  expect(stdout).toContain(`${rule?.ipAddress}:443`);
  expect(stdout).toMatch(/cert-\d+ +20\d\d-\d\d-\d\d +(google|you) +/);
  for (const { code, remedy } of world.findings)
    expect(stdout).toMatch(new RegExp(`${code}[^]*remedy: ${escaped(remedy)}`));
  expect(stderr).toMatch(
    /24 forwarding rules, \d+ proxies, 40 certificates, 11 zones; \d+ errors? and \d+ other findings?/,
  );
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test.each([
  [["inventory", "--project", "Shop_Prod"], "project-id-malformed"],
  [["inventory", "--project", "shop-prod", "--dns-project", "x/y"], "project-id-malformed"],
  [["inventory", "--project", "shop-prod", "shop.example.com"], "project-with-sources"],
  [["inventory", "certificates", "--dns-project", "dns"], "option-without-project"],
  [["inventory", "certificates", "--probe"], "option-without-project"],
  [["inventory", "certificates", "--out", "-", "--adopt", "web"], "option-without-project"],
  [["inventory", "certificates", "--out", "-", "--group", "domain"], "option-without-project"],
  [["inventory", "--project", "shop-prod", "--adopt", "web"], "option-without-out"],
  [["inventory", "--project", "shop-prod", "--group", "domain", "--json"], "option-without-out"],
])("refuses %j with %s", async (words, code) => {
  const { exitCode, stderr } = await commands.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(code);
});
