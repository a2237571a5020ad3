import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCli } from "../support/io";
import { sampleOf } from "../support/sample";

jest.setTimeout(600_000);

const root = join(__dirname, "..", "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearse folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly stderr: string;
}

function rehearse(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const given = [tsx, join(root, "lib", "cli", "main.ts"), "rehearse", "--json", "--terraform-dir", folder, ...words];
    execFile(process.execPath, given, { cwd: root }, (error, stdout, stderr) => {
      const last = stdout.trim().split("\n").at(-1) ?? "{}";
      const exitCode = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
      resolve({ exitCode, summary: JSON.parse(last || "{}"), stderr });
    });
  });
}

test.each([
  ["gke-gateway", []],
  ["cloud-run", ["--skip-unknown"]],
])("%s is rehearsed without a failed handshake, and its folder stays unchanged", async (name, more) => {
  cpSync(join(root, "examples", name), folder, { recursive: true });
  const before = readdirSync(folder, { recursive: true });
  const { exitCode, summary, stderr } = await rehearse(...more);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0 });
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

const copy = (name: string, change: (main: string) => string = (main) => main) => {
  cpSync(join(root, "examples", name), folder, { recursive: true });
  const main = join(folder, "main.tf");
  writeFileSync(main, change(readFileSync(main, "utf8")));
};
const typeOf = {
  "dns-route53": "aws_route53_record",
  "dns-cloudflare": "cloudflare_dns_record",
  "dns-azure": "azurerm_dns_a_record",
};

test.each(sampleOf(Object.entries(typeOf), 1))("%s issues certificates in one apply", async (name, type) => {
  copy(name);
  const { summary, stderr } = await rehearse();
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0 });
  expect(stderr).toContain(`${type}: its records are records in the rehearsal's DNS`);
  expect(stderr).not.toContain("published manually");
});

test.each(sampleOf(Object.keys(typeOf), 1))("%s moves traffic by the same records", async (name) => {
  copy(name);
  const spec = join(folder, "migration.yaml");
  writeFileSync(spec, readFileSync(spec, "utf8").replace("to: previous", "to: loadBalancer"));
  const synth = [
    tsx,
    join(root, "lib", "cli", "main.ts"),
    "synth",
    "--spec",
    spec,
    "--out",
    join(folder, "certificates"),
  ];
  execFileSync(process.execPath, synth, { cwd: root });
  const { summary } = await rehearse();
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, acts: [{ ok: true }] });
});

test("other resources of the provider are refused, and left out with --skip-unknown", async () => {
  copy("dns-route53", (main) => `${main}\nresource "aws_s3_bucket" "logs" {\n  bucket = "logs"\n}\n`);
  const refused = await rehearse();
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("--skip-unknown leaves it out")]);
  const { summary, stderr } = await rehearse("--skip-unknown");
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0 });
  expect(stderr).toContain("left out: aws_s3_bucket.logs");
});

test("a resource that is used can't be left out", async () => {
  copy(
    "dns-route53",
    (main) => `${main}\nresource "aws_s3_bucket" "logs" {}\noutput "x" {\n  value = aws_s3_bucket.logs.id\n}\n`,
  );
  const { exitCode, stderr } = await rehearse("--skip-unknown");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("aws_s3_bucket.logs is used in main.tf")]);
});

test("a live record that is created instead of imported fails, as at the DNS host, and no handshake fails", async () => {
  copy("dns-route53", (main) => main.replace(/^import \{\n[\s\S]*?^\}\n/gm, ""));
  const { exitCode, summary, stderr } = await rehearse();
  expect([exitCode, summary.failedHandshakes]).toEqual([4, 0]);
  expect(stderr).toMatch(/the A record of 'example\.com' exists already/);
});

test("a CNAME behind Cloudflare's proxy never validates, and no handshake fails", async () => {
  copy("dns-cloudflare", (main) => main.replace("proxied  = false", "proxied  = true"));
  // At this speed, the gates' time limits pass within seconds.
  const { exitCode, summary, stderr } = await rehearse("--speed", "600");
  expect([exitCode, summary.failedHandshakes]).toEqual([4, 0]);
  expect(stderr).toContain("_acme-challenge.example.com");
});

test("an adopted proxy, imported records and the gate before traffic work in a module, in a path with a blank", async () => {
  const path = (name: string) => join(folder, name);
  writeFileSync(
    path("migration.yaml"),
    `name: shop
certificates:
  - domains: [example.com]
  - name: pay
    domains: [pay.example.net]
dns: { kind: cloudDns, zones: { example.com: example-com, example.net: example-net } }
loadBalancer:
  kind: globalExternal
  adoptTargetHttpsProxies:
    - name: web
      urlMap: shop
      sslCertificates: [old]
      sslPolicy: null
      httpKeepAliveTimeoutSeconds: null
      serverTlsPolicy: null
      description: null
      quicOverride: null
      tlsEarlyData: null
  addresses: [203.0.113.7]
traffic:
  to: loadBalancer
  previous: { example.com: { a: [198.51.100.1] }, pay.example.net: { cname: old.example.org. } }
`,
  );
  mkdirSync(path("modules"));
  const words = ["--spec", path("migration.yaml"), "--out", path("modules/certificates")];
  expect((await runCli(["synth", ...words, "--root-blocks", path("imports.tf.json")])).exitCode).toBe(0);
  writeFileSync(
    path("main.tf"),
    `variable "project" {
  default = "my-project"
}
provider "google" {
  project = var.project
}
terraform {
  backend "gcs" {
    bucket = "a-bucket"
  }
}
module "certificates" {
  source = "./modules/certificates"
}
`,
  );
  const { exitCode, summary, stderr } = await rehearse();
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0 });
});

const place = "projects/my-project/global";
const inPlaceSpec = `name: shop
project: my-project
certificates:
  - domains: [example.com]
  - name: pay
    domains: [pay.example.net]
dns: { kind: cloudDns, zones: { example.com: example-com, example.net: example-net } }
loadBalancer:
  kind: globalExternal
  servingProxies:
    - proxy: ${place}/targetHttpsProxies/web
      addresses: [203.0.113.7]
      certificates: [{ id: ${place}/sslCertificates/shop, domains: [example.com] }]
    - proxy: ${place}/targetHttpsProxies/pay
      addresses: [203.0.113.8, "2001:db8::8"]
      certificates: [{ id: ${place}/sslCertificates/pay, domains: [pay.example.net] }]
mustServe: [example.com, pay.example.net]
`;
const inPlaceRoot = `provider "google" {
  project = "my-project"
}
module "certificates" {
  source = "./certificates"
}
`;
const proxies = ["web", "pay"].map(
  (name) => `resource "google_compute_target_https_proxy" "${name}" {
  name            = "${name}"
  url_map         = "shop"
  certificate_map = "//certificatemanager.googleapis.com/\${module.certificates.certificate_map_id}"
}
`,
);

const sslSpec = inPlaceSpec.replace("targetHttpsProxies/pay", "targetSslProxies/pay");

test.each([
  [
    "the proxies of another configuration get the map in place",
    inPlaceSpec,
    inPlaceRoot,
    [6],
    "attaches the map as their owner",
  ],
  ["a target SSL proxy of another configuration gets the map in place", sslSpec, inPlaceRoot, [6], "as their owner"],
  [
    "the proxies of the folder are created with the map",
    inPlaceSpec,
    inPlaceRoot + proxies.join(""),
    [4, 6],
    "pay, web: part of the folder",
  ],
])("with servingProxies, %s, and no handshake fails", async (_, spec, main, attached, note) => {
  const path = (name: string) => join(folder, name);
  writeFileSync(path("migration.yaml"), spec);
  expect((await runCli(["synth", "--spec", path("migration.yaml"), "--out", path("certificates")])).exitCode).toBe(0);
  writeFileSync(path("main.tf"), main);
  const { exitCode, summary, stderr } = await rehearse();
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stderr).toContain(note);
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0 });
  expect(summary.probes).toBeGreaterThan(0);
  const steps = summary.steps as readonly { number: number; from: string }[];
  expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  // Steps of one apply have the same time.
  const { from } = steps.find(({ number }) => number === 6) ?? {};
  expect(steps.flatMap((step) => (step.from === from ? [step.number] : []))).toEqual(expect.arrayContaining(attached));
});

test("refuses another provider before anything is run", async () => {
  cpSync(join(root, "examples", "gke-gateway"), folder, { recursive: true });
  writeFileSync(join(folder, "own.tf"), 'data "external" "a" {\n  program = ["sh", "-c", "touch started"]\n}\n');
  const { exitCode, stderr } = await rehearse();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("[rehearsal-unknown]")]);
  expect(readdirSync(folder)).not.toContain("started");
});
