import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceFromSpec } from "../../lib/source";
import { startOddServer } from "../dns/servers";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";
import { junitErrors } from "../support/result-schemas";

let cloud: TestCloud;
let folder: string;
let spec: string;
let source: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-records-"));
  spec = join(folder, "migration.yaml");
  writeFileSync(spec, shopSpec);
  cloud = await startTestCloud();
  source = ["--spec", spec, "--project", "shop-1", "--endpoint", cloud.endpoints.http];
  await makeZone(cloud, "example-com", "example.com.", "shop-1");
  await makeZone(cloud, "example-net", "example.net.", "shop-1");
  const [migration] = sourceFromSpec(shopSpec, { source: "s", project: "shop-1" }).migrations;
  for (const { resourceName = "", domain } of migration?.authorizations ?? []) {
    await cloud.make(
      "POST",
      `/v1/projects/shop-1/locations/global/dnsAuthorizations?dnsAuthorizationId=${resourceName}`,
      { domain },
    );
  }
  await cloud.clock.advance(1_000);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

const commands = readOnlyCommands(() => cloud.requests());
const look = (...words: readonly string[]) => commands.run(["records", ...words]);

test("prints the records of the authorizations, with one list request", async () => {
  const before = commands.requests().length;
  const { exitCode, stdout } = await look(...source);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^_acme-challenge\.example\.com\. +CNAME +\S+\.authorize\.certificatemanager\.goog\. +Terraform$/m,
  );
  expect(commands.requests().slice(before)).toHaveLength(1);
});

test.each([
  ["relative", /^example\.net +_acme-challenge\.pay +CNAME +\S+goog\. +Terraform$/m],
  ["bind", /^\$ORIGIN example\.net\.\n_acme-challenge\.pay\t300\tIN\tCNAME\t\S+goog\.$/m],
  ["dnscontrol", /^D_EXTEND\("example\.net",\n {2}CNAME\("_acme-challenge\.pay", "\S+goog\.", TTL\(300\)\)\n\);$/m],
  ["terraform", /^ {4}"pay\.example\.net" = \{\n {6}hostname = "pay\.example\.net"$/m],
])("--format %s", async (format, expected) => {
  expect((await look(...source, "--format", format)).stdout).toMatch(expected);
});

test("--zone selects the records of a zone, for formats with a file for each zone", async () => {
  const { exitCode, stdout } = await look(...source, "--format", "route53", "--zone", "Example.net.", "--ttl", "60");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).Changes).toMatchObject([
    { Action: "UPSERT", ResourceRecordSet: { Name: "_acme-challenge.pay.example.net.", TTL: 60 } },
  ]);
});

test.each([
  [["--format", "octodns"], "records-in-several-zones"],
  [["--zone", "example.org"], "zone-without-records"],
])("%j is refused with %s", async (words, code) => {
  const { exitCode, stderr } = await look(...source, ...words);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
});

test("--check prints the published records and how to fix the others, and exits with 4", async () => {
  const { stdout: listed } = await look(...source, "--json");
  const [root] = JSON.parse(listed).records;
  await cloud.make("POST", "/dns/v1/projects/shop-1/managedZones/example-com/changes", {
    additions: [{ name: root.name, type: "CNAME", ttl: 300, rrdatas: [root.data] }],
  });
  const change = (kind: string, rrdata: string) => ({
    [kind]: [{ name: "_acme-challenge.pay.example.net.", type: "TXT", ttl: 300, rrdatas: [rrdata] }],
  });
  await cloud.make(
    "POST",
    "/dns/v1/projects/shop-1/managedZones/example-net/changes",
    change("additions", '"a\\027[2J"'),
  );
  await cloud.clock.advance(1_000);
  const check = [...source, "--check", "--dns-server", cloud.endpoints.dns];
  const { exitCode, stdout, stderr } = await look(...check);
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(/^_acme-challenge\.example\.com\. +published +-$/m);
  expect(stdout).toMatch(/^_acme-challenge\.pay\.example\.net\. +record-conflicting-txt +a\\u\{1b\}\[2J$/m);
  expect(stdout).toContain("pay.example.net: the name has a TXT record of another CA: remove it, then publish");
  expect(stdout).toContain("\n  $ gcloud dns record-sets delete _acme-challenge.pay.example.net. --type=TXT --zone=");
  expect(stdout).toContain("\n  $ terraform apply\n");
  expect(stdout).not.toContain("\u001b");
  expect(stderr).toBe("1 of 2 records published\n");
  expect((await look(...check, "--quiet")).stderr).toBe("");

  const { stdout: json } = await look(...check, "--json");
  expect(JSON.parse(json).records.map((one: object) => Object.keys(one))).toEqual([
    ["domain", "name", "type", "data", "published", "zone", "relativeName", "verdict", "found", "commands"],
    ["domain", "name", "type", "data", "published", "zone", "relativeName", "verdict", "found", "fix", "commands"],
  ]);

  const painted = await commands.run(["records", ...check], { env: { FORCE_COLOR: "1" } });
  expect(painted.stdout).toContain("\u001b[32mpublished\u001b[0m");
  expect(painted.stdout).toContain("\u001b[31mrecord-conflicting-txt\u001b[0m");
});

test("--check --format junit has a case for each record: a failure unless it is published", async () => {
  const { exitCode, stdout } = await look(
    ...source,
    "--check",
    "--dns-server",
    cloud.endpoints.dns,
    "--format",
    "junit",
  );
  expect([exitCode, await junitErrors(stdout)]).toEqual([4, []]);
  expect(stdout).toMatch(/name="the CNAME of \S+ is published"><failure type="record-[a-z-]+" message="record-/);
});

test("a stopped check prints its results so far, and exits with 130", async () => {
  const stopping = new AbortController();
  // The test never reads from this socket, so queries to its port get no answer.
  const silent = createSocket("udp4");
  await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
  silent.once("message", () => stopping.abort(new Error("stopped by SIGINT")));
  try {
    const words = ["records", ...source, "--check", "--dns-server", `127.0.0.1:${silent.address().port}`];
    const { exitCode, stderr } = await commands.run(words, { signal: stopping.signal });
    expect(exitCode).toBe(130);
    expect(stderr).toBe("stopped before the end; nothing was changed [stopped]\n");
  } finally {
    silent.close();
  }
});

test("--check finds two CNAMEs at one name, of which a resolver of Node shows one", async () => {
  const { stdout: listed } = await look(...source, "--json");
  const { records } = JSON.parse(listed) as {
    readonly records: readonly { readonly name: string; readonly data: string }[];
  };
  const own = new Map(
    records.map(({ name, data }) => [name.toLowerCase().replace(/\.$/, ""), data.replace(/\.$/, "")]),
  );
  await using dns = await startOddServer(({ id, questions: [asked] = [] }) => {
    const targets = asked?.type === "CNAME" ? [own.get(asked.name) ?? "", "dcv.example.org"].filter(Boolean) : [];
    const answers = own.has(asked?.name ?? "") ? targets : [];
    return {
      ...{ type: "response", id: id ?? 0, questions: asked === undefined ? [] : [asked] },
      answers: answers.map((data) => ({ type: "CNAME", name: asked?.name ?? "", ttl: 60, data })),
    };
  });
  const { exitCode, stdout } = await look(...source, "--check", "--dns-server", `127.0.0.1:${dns.server.port}`);
  expect(stdout).toMatch(/^_acme-challenge\.example\.com\. +record-several-cnames +\S+, dcv\.example\.org\.$/m);
  expect(stdout).toContain("remove the other CNAME of _acme-challenge.example.com.: dcv.example.org.");
  expect(exitCode).toBe(4);
});

test("a domain without its authorization is reported on stderr, with exit code 4", async () => {
  const other = join(folder, "other.yaml");
  writeFileSync(other, "name: other\ncertificates: [{ domains: [new.example.com] }]\ndns: { kind: external }\n");
  const words = ["--spec", other, "--project", "shop-1", "--endpoint", cloud.endpoints.http];
  const { exitCode, stdout, stderr } = await look(...words);
  expect([exitCode, stdout]).toEqual([4, ""]);
  expect(stderr).toContain("new.example.com: its authorization is not made yet");
});
