import { execFile, execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { type Dirent, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeThirdPartyCertificates } from "../../lib/cloud";

const root = join(__dirname, "..", "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly stderr: string;
}

/** Runs the program as users do, with the gate that calls the program. */
function rehearse(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const given = [tsx, join(root, "lib", "cli", "main.ts"), "rehearse", "--json", ...words];
    execFile(process.execPath, given, { cwd: root }, (error, stdout, stderr) => {
      const last = stdout.trim().split("\n").at(-1) ?? "";
      const summary = last === "" ? {} : (JSON.parse(last) as Record<string, unknown>);
      resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, summary, stderr });
    });
  });
}

/** Returns the JSON lines of an evidence file. */
function evidence(name: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(join(folder, "evidence", name), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("runs all eight steps, rotation and rollback without a failed handshake, and the evidence agrees", async () => {
  const certificates = "examples/from-certificates/certificates";
  const report = join(folder, "report.html");
  const kept = join(folder, "evidence");
  const { exitCode, summary, stderr } = await rehearse(
    "--certificates",
    certificates,
    "--evidence",
    kept,
    "--report",
    report,
  );
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({
    ok: true,
    steps: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
      number,
      name: expect.any(String),
      ok: true,
      seconds: expect.any(Number),
      failedHandshakes: 0,
    })),
    probes: expect.any(Number),
    failedHandshakes: 0,
    failures: [],
    imports: 0,
    kills: 0,
    converged: true,
    destroyed: true,
    left: [],
    rotation: true,
    rollback: true,
    seed: 1,
    rehearsed: {
      input: { kind: "certificates" },
      evidence: {
        folder: kept,
        manifestSha256: createHash("sha256")
          .update(readFileSync(join(kept, "SHA256SUMS")))
          .digest("hex"),
      },
    },
  });
  expect(summary.probes).toBeGreaterThanOrEqual(2_000);
  const probes = evidence("probes.jsonl");
  expect(probes.filter(({ ok }) => ok !== true)).toEqual([]);
  expect(probes).toHaveLength(summary.probes as number);
  const bothSides = (side: string) =>
    new Set(probes.filter((probe) => probe.side === side).map(({ hostname }) => hostname));
  expect([...bothSides("previous")].sort()).toEqual([...bothSides("loadBalancer")].sort());
  const creations = evidence("requests.jsonl").filter(({ method }) => /certificates\.create$/.test(String(method)));
  // Six certificates at first, and one for the added domain.
  expect(creations).toHaveLength(7);
  // Every hostname in every step, chains, plans and more.
  const check = await rehearse("--check-evidence", kept);
  expect({ exitCode: check.exitCode, summary: check.summary }).toMatchObject({ exitCode: 0, summary: { ok: true } });
  expect(readFileSync(report, "utf8")).toContain("every hostname verified at the load balancer");
}, 300_000);

test("takes a custom app through all eight steps, whatever phase its code is in", async () => {
  const { exitCode, summary, stderr } = await rehearse(
    "--app",
    `"${process.execPath}" "${tsx}" examples/existing-proxy/main.ts`,
  );
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true, rollback: true });
}, 300_000);

test("names each part of a custom app that can't be rehearsed, and takes the rest through all steps", async () => {
  const words = ["--app", `"${process.execPath}" "${tsx}" test/fixtures/own-app/main.ts`, "--stack", "prod"];
  const refused = await rehearse(...words);
  expect(refused.exitCode).toBe(2);
  const addresses = [...refused.stderr.matchAll(/^error: '([^']+)' is /gm)].map(([, address]) => address);
  expect(addresses.sort()).toEqual([
    "data.http.address",
    "google_compute_security_policy.armor",
    "google_compute_security_policy.armor.advanced_options_config.of_the_beta",
    "google_pubsub_topic.topic",
    "module.bucket",
    "null_resource.notify",
    "provider.random",
    "random_id.suffix",
  ]);
  const { exitCode, summary, stderr } = await rehearse(...words, "--skip-unknown");
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true, rollback: true });
}, 300_000);

test("rehearses a synthesized stack as it is, and leaves its CNAMEs and address to the operator", async () => {
  await new Promise<void>((resolve, reject) => {
    const env = { ...process.env, CDKTF_OUTDIR: folder };
    execFile(process.execPath, [tsx, "examples/external-dns/main.ts"], { cwd: root, env }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  const { exitCode, summary, stderr } = await rehearse("--stack", join(folder, "stacks", "external-dns"));
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: null, rollback: null });
  expect((summary.steps as readonly { readonly number: number }[]).map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
}, 300_000);

const legacyNames = ["legacy.example.com", "*.legacy.example.com"];

/** A migration with a certificate that is uploaded with its key. */
async function uploadingSpec() {
  const { authority } = await makeThirdPartyCertificates([], { now: () => new Date() });
  const { chainPem, privateKeyPem } = await authority.issue({
    names: legacyNames,
    publicKeyAlgorithm: "rsa-2048",
    validDays: 397,
  });
  // The gate before traffic accepts a certificate of a private CA only with its root.
  writeFileSync(join(folder, "legacy.pem"), `${chainPem}${authority.trustBundlePem}`);
  writeFileSync(join(folder, "legacy.key"), privateKeyPem);
  const file = join(folder, "migration.yaml");
  writeFileSync(
    file,
    `name: shop
certificates:
  - domains: [example.com]
  - domains: [${legacyNames.map((name) => JSON.stringify(name)).join(", ")}]
    selfManaged: { certificatePem: "file:legacy.pem", privateKeyPem: "file:legacy.key" }
dns: { kind: cloudDns, zones: { example.com: example-com } }
`,
  );
  return { file, chainPem, privateKeyPem };
}

test("recreates a certificate that a killed run uploaded, because an import would replace it", async () => {
  const { file } = await uploadingSpec();
  const { exitCode, summary, stderr } = await rehearse("--spec", file, "--faults", "killed-before-the-state-is-sent");
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true, rollback: true });
  expect(stderr).toMatch(/certificates\/\S+ of \S+: deleted; Terraform would replace an uploaded certificate/);
}, 300_000);

test("reports a kill that never took effect", async () => {
  const file = join(folder, "migration.yaml");
  const yaml = readFileSync(join(root, "examples/from-spec/migration.yaml"), "utf8");
  writeFileSync(file, yaml.replace("newTargetHttpsProxy:\n    urlMap:", "newTargetSslProxy:\n    backendService:"));
  const { exitCode, stderr } = await rehearse("--spec", file, "--faults", "killed-at-proxy");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining(
      "Terraform was not killed at compute.targetHttpsProxies.insert: no run of it called that\n",
    ),
  });
}, 300_000);

test("serves a certificate that was uploaded with its key, and the evidence has its chain and never its key", async () => {
  const { file, chainPem, privateKeyPem } = await uploadingSpec();
  const kept = join(folder, "evidence");
  const { exitCode, summary, stderr } = await rehearse("--spec", file, "--evidence", kept);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true, rollback: true });
  const check = await rehearse("--check-evidence", kept);
  expect({ exitCode: check.exitCode, summary: check.summary }).toMatchObject({ exitCode: 0, summary: { ok: true } });
  const fingerprint = new X509Certificate(chainPem).fingerprint256.replaceAll(":", "").toLowerCase();
  const met = evidence("probes.jsonl").filter(({ certificate }) => certificate === fingerprint);
  expect(new Set(met.map(({ hostname, side }) => `${side} ${hostname}`))).toEqual(
    new Set(["loadBalancer legacy.example.com", "loadBalancer covered-by-wildcard.legacy.example.com"]),
  );
  const files = (readdirSync(kept, { recursive: true, withFileTypes: true }) as Dirent[]).filter((one) => one.isFile());
  const [, line = ""] = privateKeyPem.split("\n");
  const telling = files.filter((one) => {
    const text = readFileSync(join(one.parentPath, one.name), "utf8");
    return text.includes("PRIVATE KEY") || text.includes(line);
  });
  expect({ files: files.length > 10, telling }).toEqual({ files: true, telling: [] });
  // The evidence check detects that the chain of the uploaded certificate was removed.
  writeFileSync(join(kept, "uploaded.pem"), "");
  const forged = await rehearse("--check-evidence", kept);
  expect(forged.exitCode).toBe(4);
  expect(forged.summary).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({ name: "digests", ok: false }),
      expect.objectContaining({ name: "certificate chains", ok: false }),
    ]),
  });
}, 300_000);

test("loses handshakes in a rotation without the gate, and the exit code shows it", async () => {
  const yaml = readFileSync(join(root, "examples/from-spec/migration.yaml"), "utf8");
  const file = join(folder, "migration.yaml");
  writeFileSync(file, `${yaml}gate: none\n`);
  const { exitCode, summary, stderr } = await rehearse("--spec", file, "--faults", "without-a-gate");
  expect({ exitCode, stderr: exitCode === 4 ? "" : stderr }).toEqual({ exitCode: 4, stderr: "" });
  expect(summary).toMatchObject({ ok: false, rotation: false });
  expect(summary.failedHandshakes).toBeGreaterThan(0);
}, 300_000);

test("loses no handshake with the gate under the same faults", async () => {
  const words = ["--spec", "examples/from-spec/migration.yaml", "--faults", "without-a-gate"];
  const { exitCode, summary, stderr } = await rehearse(...words);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true });
}, 300_000);

/** Creates the certificates of the mutual TLS example in the test's folder. @returns path of its spec with `mode` */
function exampleWithMutualTls(mode: string): string {
  const example = join(root, "examples/mutual-tls");
  execFileSync("sh", [join(example, "make-certificates.sh"), join(folder, "certificates")]);
  const file = join(folder, "migration.yaml");
  const yaml = readFileSync(join(example, "migration.yaml"), "utf8");
  writeFileSync(file, yaml.replace(/(?<=mode: )\w+/, mode));
  return file;
}

test.each([
  ["ALLOW_INVALID_OR_MISSING_CLIENT_CERT", false],
  ["REJECT_INVALID", true],
])(
  "migrates a public, a private and an uploaded certificate with mutual TLS (%s)",
  async (mode, refusesOthers) => {
    const file = exampleWithMutualTls(mode);
    const kept = join(folder, "evidence");
    process.env.TF_VAR_partner_key = readFileSync(join(folder, "certificates", "partner.key"), "utf8");
    const { exitCode, summary, stderr } = await rehearse("--spec", file, "--evidence", kept);
    delete process.env.TF_VAR_partner_key;
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(summary).toMatchObject({
      ok: true,
      steps: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({ number, ok: true, failedHandshakes: 0 })),
      failedHandshakes: 0,
      rotation: true,
      rollback: true,
      clients: { refusesOthers, withCertificate: { failed: 0 }, withoutCertificate: { failed: 0 } },
    });
    const { clients, probes } = summary as {
      readonly clients: Readonly<Record<"withCertificate" | "withoutCertificate", Readonly<Record<string, number>>>>;
      readonly probes: number;
    };
    const { probes: without = 0, refused = 0 } = clients.withoutCertificate;
    expect((clients.withCertificate.probes ?? 0) + without).toBe(probes);
    expect(refused).toBe(refusesOthers ? without : 0);
    expect((await rehearse("--check-evidence", kept)).summary).toMatchObject({ ok: true });
    // Each kind of client received each kind of certificate from the load balancer.
    const met = evidence("probes.jsonl").filter(({ side, ok }) => side === "loadBalancer" && ok === true);
    expect(new Set(met.map(({ hostname, clientCertificate }) => `${hostname} ${clientCertificate}`))).toEqual(
      new Set(
        [
          "shop.example.com",
          "status.corp.internal",
          "partner.example.org",
          "added.by-rehearsal.shop.example.com",
        ].flatMap((hostname) => [`${hostname} true`, `${hostname} false`]),
      ),
    );
  },
  300_000,
);
