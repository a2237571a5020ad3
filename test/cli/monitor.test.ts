import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import { listenAt } from "../../lib/cli/listen";
import { makeActiveCertificate, parent } from "../support/cloud";
import { proofName, startMonitoredWorld } from "../support/monitored-world";
import { readOnlyCommands } from "../support/read-only";

let world: Awaited<ReturnType<typeof startMonitoredWorld>>;
beforeAll(async () => {
  world = await startMonitoredWorld();
});
afterAll(() => world.stop());

const commands = readOnlyCommands(() => world.cloud.requests());

const monitor = (...words: readonly string[]) => commands.run(world.wordsFor(...words), world.ioOf());

function samplesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Samples of a run in which nothing was seen. */
const failedSamples = [
  "cert_migration_last_pass_success 0",
  expect.stringMatching(/^cert_migration_last_pass_duration_seconds \d+(?:\.\d+)?$/),
];

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
  const now = new Date(world.cloud.clock.now().getTime() + 70 * 86_400_000);
  // The clock of a cloud cannot pass a renewal, which it makes.
  const ahead = createServer(async (request, response) => {
    const path = request.url?.slice(1) ?? "";
    const text = async () => (await fetch(new URL(path, world.cloud.endpoints.control))).text();
    response.end(path === "clock" ? JSON.stringify({ now }) : await text());
  });
  const { url, close } = await listenAt(ahead, { address: "127.0.0.1", port: 0 }, "--listen");
  const { exitCode, stdout } = await commands
    .run(world.wordsFor(), world.ioOf({ CERT_MIGRATION_REHEARSAL: `${url}/` }))
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
  const file = join(world.folder, "cert-migration.prom");
  expect((await monitor("--metrics", file)).exitCode).toBe(0);
  const samples = samplesIn(readFileSync(file, "utf8"));
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
  expect(readdirSync(world.folder).sort()).toEqual(["cert-migration.prom", "outputs.json"]);
});

test("warns about a CNAME that was deleted, long before the renewal needs it", async () => {
  await world.change("deletions", proofName, "CNAME", world.proof);
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
    await world.change("additions", proofName, "CNAME", world.proof);
  }
});

test("warns about CAA records by which the CA has to refuse the next renewal, with the days that are left", async () => {
  const records = ['0 issue "other-ca.com"', '0 iodef "mailto:ca@example.com"'];
  await world.change("additions", "example.com.", "CAA", records);
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
    await world.change("deletions", "example.com.", "CAA", records);
  }
});

test("exits with 4 for a CNAME with another target, which only a fix can change", async () => {
  const wrong = ["another.authorize.certificatemanager.goog."];
  await world.change("deletions", proofName, "CNAME", world.proof);
  await world.change("additions", proofName, "CNAME", wrong);
  try {
    const { exitCode, stdout } = await monitor("--json");
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "error", code: "record-wrong", subject: "example.com" },
      { severity: "warning", code: "renewal-at-risk", hostnames: ["example.com"] },
    ]);
  } finally {
    await world.change("deletions", proofName, "CNAME", wrong);
    await world.change("additions", proofName, "CNAME", world.proof);
  }
});

test("reports traffic that leads elsewhere as a fact: the certificate is not affected", async () => {
  const here = [world.cloud.loadBalancers.listeners()[0]?.ipAddress ?? ""];
  await world.change("deletions", "example.com.", "A", here);
  await world.change("additions", "example.com.", "A", ["198.51.100.1"]);
  try {
    const { exitCode, stdout } = await monitor("--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { severity: "info", code: "traffic-elsewhere", subject: "example.com" },
    ]);
  } finally {
    await world.change("deletions", "example.com.", "A", ["198.51.100.1"]);
    await world.change("additions", "example.com.", "A", here);
  }
});

test("judges each migration by its own load balancer, where two have the same hostname", async () => {
  const { cert_migration } = world.outputs;
  const [[path, shop] = []] = Object.entries(cert_migration.value.migrations);
  const blog = { ...shop, addresses: { ipv4: ["198.51.100.99"], ipv6: [] }, map: undefined };
  const file = join(world.folder, "two.json");
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
  const [[path, shop] = []] = Object.entries(world.outputs.cert_migration.value.migrations);
  const further = { domain: "x.example.com", name: "_acme-challenge.x.example.com.", type: "CNAME", data: "y." };
  const certificates = shop?.certificates.map((one) => ({ ...one, domains: ["example.com", "x.example.com"] }));
  const records = [...(shop?.records ?? []), { ...further, published: "external" }];
  const file = join(world.folder, "further.json");
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
  const file = join(world.folder, "failing.prom");
  const entry = `/v1/${parent}/certificateMaps/shop/certificateMapEntries/e0`;
  const { hostname: _, ...kept } = await world.cloud.make("GET", entry);
  await world.cloud.make("DELETE", entry);
  await world.cloud.clock.advance(60_000);
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
    await world.cloud.make("POST", path, { hostname: "example.com", certificates: kept.certificates });
    await world.cloud.clock.advance(60_000);
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
    const [[path, shop] = []] = Object.entries(world.outputs.cert_migration.value.migrations);
    const file = join(world.folder, "primary.json");
    const migrations = { [`${path}`]: { ...shop, entries: [...(shop?.entries ?? []), ...planned] } };
    writeFileSync(file, JSON.stringify({ cert_migration: { value: { version: 1, migrations } } }));
    const { exitCode, stdout } = await monitor("--json", "--outputs", file);
    rmSync(file);
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
    return [exitCode, ...findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)];
  }

  async function withLivePrimary(certificate: string, run: () => Promise<void>): Promise<void> {
    await world.cloud.make("POST", `${entries}?certificateMapEntryId=p`, {
      matcher: "PRIMARY",
      certificates: [certificate],
    });
    await world.cloud.clock.advance(60_000);
    try {
      await run();
    } finally {
      await world.cloud.make("DELETE", `${entries}/p`);
      await world.cloud.clock.advance(60_000);
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
    const other = await makeActiveCertificate(world.cloud, "other", "example-com", ["other.example.com"]);
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
  const file = join(world.folder, "failed.prom");
  const words = ["monitor", "--outputs", join(world.folder, "outputs.json"), "--endpoint", "http://127.0.0.1:1"];
  const { exitCode } = await commands.run(
    [...words, "--dns-server", world.cloud.endpoints.dns, "--metrics", file],
    world.ioOf(),
  );
  expect(exitCode).toBe(3);
  const text = readFileSync(file, "utf8");
  rmSync(file);
  expect(samplesIn(text)).toEqual(failedSamples);
});

test("writes metrics of an error in the input, so that the file does not keep the success of the pass before", async () => {
  const file = join(world.folder, "input.prom");
  const empty = join(world.folder, "empty.json");
  writeFileSync(empty, "");
  try {
    expect((await monitor("--metrics", file)).exitCode).toBe(0);
    expect((await monitor("--metrics", file, "--outputs", empty)).exitCode).toBe(2);
    expect(samplesIn(readFileSync(file, "utf8"))).toEqual(failedSamples);
  } finally {
    rmSync(empty);
    rmSync(file);
  }
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
  const { exitCode, stdout, stderr } = await commands.run(world.wordsFor("--shard", shard, "--json"), world.ioOf(env));
  if (expected === "all") expect(JSON.parse(stdout).hostnames).toHaveLength(1);
  else expect([exitCode, stderr]).toEqual([expected, expect.stringContaining(message)]);
});
