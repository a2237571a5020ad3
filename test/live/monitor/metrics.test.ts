import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type MonitoredHostname, metricsPage, type PassOutcome } from "../../../lib/live/monitor";

const monitored: MonitoredHostname = {
  migration: "shop/shop",
  hostname: "shop.example.com",
  certificate: "projects/p/locations/global/certificates/shop",
  certificateState: "ACTIVE",
  daysToExpiry: 12.5,
  daysToRenewal: -17.5,
  entryState: "PENDING",
  record: "todo",
  handshake: "failed",
};
const finding = { code: "not-verified", severity: "warning", subject: "", message: "", remedy: "" } as const;
const outcome: PassOutcome = {
  pass: { hostnames: [monitored], findings: [finding] },
  isSuccess: true,
  endedAt: new Date("2026-11-26T00:00:00Z"),
  seconds: 2.5,
};

async function samplesOf(changed: Partial<PassOutcome>): Promise<readonly string[]> {
  const { text } = await metricsPage({ ...outcome, ...changed }, "prometheus");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("has a sample for each state of a hostname", async () => {
  const labels =
    'hostname="shop.example.com",certificate="projects/p/locations/global/certificates/shop",migration="shop/shop"';
  expect(await samplesOf({})).toEqual([
    `cert_migration_days_to_expiry{${labels}} 12.5`,
    `cert_migration_days_to_renewal{${labels}} -17.5`,
    `cert_migration_certificate_active{${labels}} 1`,
    `cert_migration_entry_active{${labels}} 0`,
    `cert_migration_record_published{${labels}} 0`,
    `cert_migration_handshake_success{${labels}} 0`,
    'cert_migration_findings{severity="error"} 0',
    'cert_migration_findings{severity="warning"} 1',
    'cert_migration_findings{severity="info"} 0',
    "cert_migration_last_pass_success 1",
    "cert_migration_last_pass_duration_seconds 2.5",
    "cert_migration_last_pass_timestamp_seconds 1795651200",
  ]);
});

test("labels the metrics of a pass with its part of the hostnames: text files of several parts have different series", async () => {
  const samples = (await samplesOf({ shard: "2/10" })).filter((line) => !line.includes("hostname="));
  expect(samples).toEqual([
    'cert_migration_findings{severity="error",shard="2/10"} 0',
    'cert_migration_findings{severity="warning",shard="2/10"} 1',
    'cert_migration_findings{severity="info",shard="2/10"} 0',
    'cert_migration_last_pass_success{shard="2/10"} 1',
    'cert_migration_last_pass_duration_seconds{shard="2/10"} 2.5',
    'cert_migration_last_pass_timestamp_seconds{shard="2/10"} 1795651200',
  ]);
});

test("has no findings before a pass has ended: 0 would resolve an alert about what was not seen", async () => {
  const { text } = await metricsPage({ isSuccess: false, seconds: 1 }, "prometheus");
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "cert_migration_last_pass_success 0",
    "cert_migration_last_pass_duration_seconds 1",
  ]);
});

test("keeps the findings and hostnames of the latest pass with a result after a pass that failed", async () => {
  const kept = (await samplesOf({})).filter((line) => !line.includes("_success "));
  expect((await samplesOf({ isSuccess: false })).filter((line) => !line.includes("_success "))).toEqual(kept);
});

test("has 0 for a certificate that is planned and does not exist", async () => {
  const { certificateState: _, ...missing } = monitored;
  const samples = await samplesOf({ pass: { hostnames: [missing], findings: [] } });
  expect(samples.filter((line) => line.startsWith("cert_migration_certificate_active"))).toEqual([
    expect.stringMatching(/certificates\/shop".* 0$/),
  ]);
});

test.each([
  ["does not have", "none", "none"],
  ["was not seen to have", "unknown", "unknown"],
] as const)("has no sample for what a hostname %s, which would raise an alert", async (_, record, handshake) => {
  const bare: MonitoredHostname = { migration: "m", hostname: "a", record, handshake };
  const samples = await samplesOf({ pass: { hostnames: [bare], findings: [] } });
  expect(samples.filter((line) => line.includes("hostname="))).toEqual([]);
});

test("the alert rules of the example use metrics that exist", async () => {
  const rules = readFileSync(join(__dirname, "../../../examples/monitoring/rules.yaml"), "utf8");
  const used = new Set([...rules.matchAll(/\bcert_migration_\w+/g)].map(([name]) => name));
  const exists = new Set((await samplesOf({})).map((line) => line.replace(/[{ ].*/, "")));
  expect(used.size).toBeGreaterThan(5);
  expect([...used].filter((name) => !exists.has(name))).toEqual([]);
});

test("has the days and the state of each certificate of an entry", async () => {
  const [rsa, missing] = [
    "projects/p/locations/global/certificates/rsa",
    "projects/p/locations/global/certificates/missing",
  ];
  const alternatives = [
    { certificate: rsa, certificateState: "ACTIVE", daysToExpiry: 3, daysToRenewal: -20 },
    { certificate: missing },
  ] as const;
  const samples = await samplesOf({ pass: { hostnames: [{ ...monitored, alternatives }], findings: [] } });
  const of = (id = "") => `{hostname="shop.example.com",certificate="${id}",migration="shop/shop"}`;
  expect(samples.filter((line) => line.includes("/rsa") || line.includes("/missing"))).toEqual([
    `cert_migration_days_to_expiry${of(rsa)} 3`,
    `cert_migration_days_to_renewal${of(rsa)} -20`,
    `cert_migration_certificate_active${of(rsa)} 1`,
    `cert_migration_certificate_active${of(missing)} 0`,
  ]);
  expect(samples).toContain(`cert_migration_days_to_expiry${of(monitored.certificate)} 12.5`);
});
