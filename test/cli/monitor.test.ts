import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import { listenAt } from "../../lib/cli/listen";
import { makeActiveCertificate, makeLoadBalancer, makeMap, makeZone, startTestCloud } from "../support/cloud";
import { testIo } from "../support/io";
import { readOnlyCommands } from "../support/read-only";
import { servedOutputs } from "../support/served-outputs";
import { until } from "../support/until";

const parent = "projects/p1/locations/global";
const zone = "/dns/v1/projects/p1/managedZones/example-com";
const proofName = "_acme-challenge.example.com.";

let cloud: Awaited<ReturnType<typeof startTestCloud>>;
let folder: string;
let outputs: ReturnType<typeof servedOutputs>;
let proof: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-monitor-"));
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "shop", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(60_000);
  const address = cloud.listeners()[0]?.ipAddress ?? "";
  await change("additions", "example.com.", "A", [address]);
  const { rrsets } = await cloud.make("GET", `${zone}/rrsets?name=${proofName}`);
  [{ rrdatas: proof }] = rrsets as readonly [{ readonly rrdatas: readonly string[] }];
  outputs = servedOutputs({ certificate, address, data: proof[0], path: "shop/shop" });
  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputs));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

async function change(kind: "additions" | "deletions", name: string, type: string, rrdatas: readonly string[]) {
  await cloud.make("POST", `${zone}/changes`, { [kind]: [{ name, type, ttl: 300, rrdatas }] });
  await cloud.clock.advance(10_000);
}

const commands = readOnlyCommands(() => cloud.requests());

function wordsFor(...words: readonly string[]): readonly string[] {
  const { http, dns } = cloud.endpoints;
  const named = words.includes("--outputs") ? [] : ["--outputs", join(folder, "outputs.json")];
  return ["monitor", ...named, "--endpoint", http, "--dns-server", dns, ...words];
}

function ioOf(env: Io["env"] = {}) {
  const now = cloud.clock.now();
  return { env: { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control, ...env }, now: () => now };
}

const monitor = (...words: readonly string[]) => commands.run(wordsFor(...words), ioOf());

test("shows one row for each hostname, and nothing to fix while everything is well", async () => {
  const { exitCode, stdout } = await monitor();
  expect([exitCode, stdout]).toEqual([
    0,
    [
      "hostname     certificate  renewal due  ends     entry   CNAME  handshake",
      "example.com  ACTIVE       in 60 d      in 90 d  ACTIVE  good   good",
      "",
    ].join("\n"),
  ]);
});

test("shows a renewal that should have happened, with a warning", async () => {
  const now = new Date(cloud.clock.now().getTime() + 70 * 86_400_000);
  // The clock of a cloud cannot pass a renewal, which it makes.
  const ahead = createServer(async (request, response) => {
    const path = request.url?.slice(1) ?? "";
    const text = async () => (await fetch(new URL(path, cloud.endpoints.control))).text();
    response.end(path === "clock" ? JSON.stringify({ now }) : await text());
  });
  const { url, close } = await listenAt(ahead, { address: "127.0.0.1", port: 0 }, "--listen");
  const { exitCode, stdout } = await commands
    .run(wordsFor(), ioOf({ CERT_MIGRATION_REHEARSAL: `${url}/` }))
    .finally(close);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/^example\.com {2}ACTIVE {7}10 d ago {5}in 20 d .*\nwarning: .* \[renewal-overdue\]\n$/m),
  ]);
});

test("prints the same as JSON, with the days as numbers", async () => {
  const { exitCode, stdout } = await monitor("--json");
  const { time: _, ...document } = JSON.parse(stdout);
  expect([exitCode, document]).toEqual([
    0,
    {
      schemaVersion: 1,
      hostnames: [
        {
          migration: "shop/shop",
          hostname: "example.com",
          certificate: `${parent}/certificates/shop`,
          certificateState: "ACTIVE",
          entryState: "ACTIVE",
          daysToExpiry: expect.closeTo(90.5, 0),
          daysToRenewal: expect.closeTo(60.5, 0),
          record: "done",
          handshake: "done",
        },
      ],
      findings: [],
    },
  ]);
});

test("writes metrics without timestamps, and leaves no other file", async () => {
  const file = join(folder, "cert-migration.prom");
  expect((await monitor("--metrics", file)).exitCode).toBe(0);
  const samples = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const labels = `hostname="example.com",certificate="${parent}/certificates/shop",migration="shop/shop"`;
  expect(samples).toEqual([
    expect.stringMatching(/^cert_migration_days_to_expiry\{.*\} 90(?:\.\d+)?$/),
    expect.stringMatching(/^cert_migration_days_to_renewal\{.*\} 60(?:\.\d+)?$/),
    `cert_migration_certificate_active{${labels}} 1`,
    `cert_migration_entry_active{${labels}} 1`,
    `cert_migration_record_published{${labels}} 1`,
    `cert_migration_handshake_success{${labels}} 1`,
    'cert_migration_findings{severity="error"} 0',
    'cert_migration_findings{severity="warning"} 0',
    'cert_migration_findings{severity="info"} 0',
    "cert_migration_last_pass_success 1",
    expect.stringMatching(/^cert_migration_last_pass_duration_seconds \d+(?:\.\d+)?$/),
    expect.stringMatching(/^cert_migration_last_pass_timestamp_seconds \d+(?:\.\d+)?$/),
  ]);
  expect(readdirSync(folder).sort()).toEqual(["cert-migration.prom", "outputs.json"]);
});

test("warns about a CNAME that was deleted, long before the renewal needs it", async () => {
  await change("deletions", proofName, "CNAME", proof);
  try {
    const { exitCode, stdout } = await monitor();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^example\.com {2}ACTIVE .* bad {4}good$/m);
    expect(stdout).toMatch(
      /^warning: .*\/shop: example\.com: the CNAME record _acme-challenge\.example\.com is missing; \d+ days left, until \S+; fix .* \[renewal-at-risk\]$/m,
    );
    expect(stdout).toMatch(
      /^warning: example\.com: .*publish _acme-challenge\.example\.com\. CNAME .* \[record-missing\]$/m,
    );
  } finally {
    await change("additions", proofName, "CNAME", proof);
  }
});

test("warns about CAA records by which the CA has to refuse the next renewal, with the days that are left", async () => {
  const records = ['0 issue "other-ca.com"', '0 iodef "mailto:ca@example.com"'];
  await change("additions", "example.com.", "CAA", records);
  try {
    const { exitCode, stdout } = await monitor("--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      {
        severity: "warning",
        code: "renewal-at-risk",
        message: expect.stringMatching(
          /^example\.com: the CAA records of example\.com are 0 (?:issue "other-ca\.com", 0 iodef "mailto:ca@example\.com"|iodef .*); \d+ days left, until \S+$/,
        ),
      },
    ]);
  } finally {
    await change("deletions", "example.com.", "CAA", records);
  }
});

test("exits with 4 for a CNAME with another target, which only a fix can change", async () => {
  const wrong = ["another.authorize.certificatemanager.goog."];
  await change("deletions", proofName, "CNAME", proof);
  await change("additions", proofName, "CNAME", wrong);
  try {
    const { exitCode, stdout } = await monitor("--json");
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "error", code: "record-wrong", subject: "example.com" },
      { severity: "warning", code: "renewal-at-risk", hostnames: ["example.com"] },
    ]);
  } finally {
    await change("deletions", proofName, "CNAME", wrong);
    await change("additions", proofName, "CNAME", proof);
  }
});

test("reports traffic that leads elsewhere as a fact: the certificate is not affected", async () => {
  const here = [cloud.listeners()[0]?.ipAddress ?? ""];
  await change("deletions", "example.com.", "A", here);
  await change("additions", "example.com.", "A", ["198.51.100.1"]);
  try {
    const { exitCode, stdout } = await monitor("--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "info", code: "traffic-elsewhere", subject: "example.com" },
    ]);
  } finally {
    await change("deletions", "example.com.", "A", ["198.51.100.1"]);
    await change("additions", "example.com.", "A", here);
  }
});

test("judges each migration by its own load balancer, where two have the same hostname", async () => {
  const { cert_migration } = outputs;
  const [[path, shop] = []] = Object.entries(cert_migration.value.migrations);
  const blog = { ...shop, addresses: { ipv4: ["198.51.100.99"], ipv6: [] }, map: undefined };
  const file = join(folder, "two.json");
  const migrations = { [`${path}`]: shop, "blog/blog": blog, "same/same": shop };
  writeFileSync(file, JSON.stringify({ cert_migration: { value: { version: 1, migrations } } }));
  try {
    const { stdout } = await monitor("--json", "--outputs", file);
    const { hostnames } = JSON.parse(stdout) as { readonly hostnames: readonly Record<string, string>[] };
    expect(hostnames.map(({ migration, handshake }) => [migration, handshake])).toEqual([
      [path, "done"],
      ["blog/blog", "todo"],
      ["same/same", "done"],
    ]);
  } finally {
    rmSync(file);
  }
});

test("reports the record of a domain that has no entry: one missing record stops the renewal of the whole certificate", async () => {
  const [[path, shop] = []] = Object.entries(outputs.cert_migration.value.migrations);
  const further = { domain: "x.example.com", name: "_acme-challenge.x.example.com.", type: "CNAME", data: "y." };
  const certificates = shop?.certificates.map((one) => ({ ...one, domains: ["example.com", "x.example.com"] }));
  const records = [...(shop?.records ?? []), { ...further, published: "external" }];
  const file = join(folder, "further.json");
  const migrations = { [`${path}`]: { ...shop, certificates, records } };
  writeFileSync(file, JSON.stringify({ cert_migration: { value: { version: 1, migrations } } }));
  try {
    const { stdout } = await monitor("--json", "--outputs", file);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "warning", subject: "x.example.com", code: "record-missing", hostnames: ["x.example.com"] },
    ]);
  } finally {
    rmSync(file);
  }
});

test("exits with 4 if a hostname is not served, and the metrics show it", async () => {
  const file = join(folder, "failing.prom");
  const entry = `/v1/${parent}/certificateMaps/shop/certificateMapEntries/e0`;
  const { hostname: _, ...kept } = await cloud.make("GET", entry);
  await cloud.make("DELETE", entry);
  await cloud.clock.advance(60_000);
  try {
    const { exitCode, stdout } = await monitor("--metrics", file, "--json");
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "error", subject: "example.com", hostnames: ["example.com"] },
      { severity: "warning", subject: "example.com", code: "entry-not-made" },
    ]);
    expect(readFileSync(file, "utf8")).toMatch(/^cert_migration_handshake_success\{.*\} 0$/m);
  } finally {
    rmSync(file);
    const path = `/v1/${parent}/certificateMaps/shop/certificateMapEntries?certificateMapEntryId=e0`;
    await cloud.make("POST", path, { hostname: "example.com", certificates: kept.certificates });
    await cloud.clock.advance(60_000);
  }
});

describe("clients without SNI, or with an unknown name", () => {
  const entries = `/v1/${parent}/certificateMaps/shop/certificateMapEntries`;
  const primary = {
    hostname: "PRIMARY",
    id: `${parent}/certificateMaps/shop/certificateMapEntries/p`,
    certificates: [`${parent}/certificates/shop`],
  };

  /** Returns the findings of a pass, whose plan may have a PRIMARY entry. */
  async function findings(...planned: readonly object[]) {
    const [[path, shop] = []] = Object.entries(outputs.cert_migration.value.migrations);
    const file = join(folder, "primary.json");
    const migrations = { [`${path}`]: { ...shop, entries: [...(shop?.entries ?? []), ...planned] } };
    writeFileSync(file, JSON.stringify({ cert_migration: { value: { version: 1, migrations } } }));
    const { exitCode, stdout } = await monitor("--json", "--outputs", file);
    rmSync(file);
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
    return [exitCode, ...findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)];
  }

  async function withLivePrimary(certificate: string, run: () => Promise<void>): Promise<void> {
    await cloud.make("POST", `${entries}?certificateMapEntryId=p`, { matcher: "PRIMARY", certificates: [certificate] });
    await cloud.clock.advance(60_000);
    try {
      await run();
    } finally {
      await cloud.make("DELETE", `${entries}/p`);
      await cloud.clock.advance(60_000);
    }
  }

  test("are refused as planned without a PRIMARY entry, and an error if the plan has one", async () => {
    expect(await findings()).toEqual([0]);
    expect(await findings(primary)).toEqual([
      4,
      expect.stringMatching(/^error primary-not-served: a client without SNI: handshake-refused/),
      expect.stringMatching(/^error primary-not-served: a client with an unknown name: handshake-refused/),
    ]);
  });

  test("get the certificate of the PRIMARY entry, or a warning", async () => {
    await withLivePrimary(`${parent}/certificates/shop`, async () => {
      expect(await findings(primary)).toEqual([0]);
      // The map may have an entry that another team plans.
      expect(await findings()).toEqual([0]);
    });
    const other = await makeActiveCertificate(cloud, "other", "example-com", ["other.example.com"]);
    await withLivePrimary(other, async () => {
      expect(await findings(primary)).toEqual([
        0,
        expect.stringMatching(
          /^warning primary-other-certificate: a client without SNI: .* other\.example\.com, serial/,
        ),
        expect.stringMatching(/^warning primary-other-certificate: a client with an unknown name/),
      ]);
    });
  });
});

test.each([
  [["--every", "5m"], "every-without-listen"],
  [["--metrics", "-"], "metrics-malformed"],
])("refuses %j, which would have no effect or a surprising one", async (words, code) => {
  const { exitCode, stderr } = await monitor(...words);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
});

test("writes metrics of a pass that failed, so that an alert finds out", async () => {
  const file = join(folder, "failed.prom");
  const words = ["monitor", "--outputs", join(folder, "outputs.json"), "--endpoint", "http://127.0.0.1:1"];
  const { exitCode } = await commands.run([...words, "--dns-server", cloud.endpoints.dns, "--metrics", file], ioOf());
  expect(exitCode).toBe(3);
  const text = readFileSync(file, "utf8");
  rmSync(file);
  expect(text).toContain("cert_migration_last_pass_success 0\n");
  expect(text).not.toContain("last_pass_timestamp_seconds");
});

/** Returns the status of a request whose path is sent as it is. */
function statusOf(path: string, url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => resolve(response.resume().statusCode)).once("error", reject);
  });
}

test.each([
  ["1h", [60, 119], 122],
  ["1m", [3, 9], 11],
])("with --every %s, it is healthy %j minutes after a pass, and no longer after %i", async (every, healthy, silent) => {
  let now = cloud.clock.now();
  const endedAt = now.getTime();
  const stopping = new AbortController();
  const io = testIo({ ...ioOf(), now: () => now, signal: stopping.signal });
  const running = commands.runWith(wordsFor("--listen", "127.0.0.1:0", "--every", every), io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const statuses: (number | undefined)[] = [];
    for (const minutes of [...healthy, silent]) {
      now = new Date(endedAt + minutes * 60_000);
      statuses.push(await statusOf("/healthz", io.out().trim()));
    }
    expect(statuses).toEqual([...healthy.map(() => 200), 503]);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test("--listen goes on if the file of metrics can't be written any more", async () => {
  const gone = mkdtempSync(join(folder, "gone-"));
  const stopping = new AbortController();
  const io = testIo({ ...ioOf(), signal: stopping.signal });
  const words = wordsFor("--listen", "127.0.0.1:0", "--every", "1s", "--metrics", join(gone, "m.prom"));
  const running = commands.runWith(words, io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    rmSync(gone, { recursive: true });
    const goesOn = /^error: .*m\.prom.*\n(?:.*\n)*.*1 hostname, 0 errors/m;
    expect(await until(io.err, (err) => goesOn.test(err))).toMatch(goesOn);
    expect(await statusOf("/metrics", io.out().trim())).toBe(200);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test("--listen serves the metrics of the latest pass in both formats, and its health, until it is stopped", async () => {
  const stopping = new AbortController();
  const io = testIo({ ...ioOf(), signal: stopping.signal });
  const running = commands.runWith(wordsFor("--listen", "127.0.0.1:0", "--every", "1h"), io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const url = io.out().trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const fetched = async (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
      const response = await fetch(new URL(path, url), { method, headers });
      return [response.status, response.headers.get("content-type"), await response.text()] as const;
    };
    const [status, type, text] = await fetched("/metrics");
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toMatch(/^cert_migration_handshake_success\{hostname="example\.com",.*\} 1$/m);
    const [, openType, openText] = await fetched("/metrics", { accept: "application/openmetrics-text; version=1.0.0" });
    expect(openType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(openText).toMatch(/\n# EOF\n$/);
    expect(await fetched("/healthz")).toEqual([200, "text/plain; charset=utf-8", "ok\n"]);
    expect((await fetched("/"))[0]).toBe(404);
    expect(await statusOf("//", url)).toBe(404);
    expect(await statusOf("/metrics?name[]=x", url)).toBe(200);
    expect((await fetched("/metrics", {}, "POST"))[0]).toBe(405);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
  await expect(fetch(io.out().trim())).rejects.toThrow();
});

test.each<[string, Io["env"], number | "all" | "none", string]>([
  ["1/1", {}, "all", ""],
  ["auto", { CLOUD_RUN_TASK_INDEX: "0", CLOUD_RUN_TASK_COUNT: "1" }, "all", ""],
  ["auto/1", { JOB_COMPLETION_INDEX: "0" }, "all", ""],
  ["auto", {}, 2, "--shard auto needs a number in CLOUD_RUN_TASK_INDEX, which is not set"],
  ["auto/2", { JOB_COMPLETION_INDEX: "2" }, 2, "--shard auto: there is no part 3 of 2"],
  ["autox", { CLOUD_RUN_TASK_INDEX: "0", CLOUD_RUN_TASK_COUNT: "1" }, 2, "'autox' is not a shard"],
  ["auto/2", { JOB_COMPLETION_INDEX: "x" }, 2, "--shard auto needs a number in JOB_COMPLETION_INDEX, which is 'x'"],
])("--shard %s with %j monitors %s", async (shard, env, expected, message) => {
  const { exitCode, stdout, stderr } = await commands.run(wordsFor("--shard", shard, "--json"), ioOf(env));
  if (expected === "all") expect(JSON.parse(stdout).hostnames).toHaveLength(1);
  else expect([exitCode, stderr]).toEqual([expected, expect.stringContaining(message)]);
});
