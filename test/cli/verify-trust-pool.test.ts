import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PrivateCaReader } from "../../lib/google";
import { readPoolTrust } from "../../lib/live/verify";
import type { SourceCertificate, SourceMigration } from "../../lib/source";
import { makeLoadBalancer, makeMap, parent, startTestCloud, type TestCloud } from "../support/cloud";
import { testIo } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { readOnlyCommands } from "../support/read-only";

const location = "projects/p1/locations/europe-west6";
const pool = `${location}/caPools/internal`;
const empty = `${location}/caPools/empty`;
const config = `${parent}/certificateIssuanceConfigs/corp`;

let cloud: TestCloud;
let folder: string;
let listener: { readonly address: string; readonly port: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  cloud = await startTestCloud();
  for (const id of ["internal", "empty"]) {
    await cloud.make("POST", `/v1/${location}/caPools?caPoolId=${id}`, { tier: "ENTERPRISE" });
  }
  await cloud.make("POST", `/v1/${pool}/certificateAuthorities?certificateAuthorityId=root`, {
    type: "SELF_SIGNED",
    lifetime: "315360000s",
    keySpec: { algorithm: "EC_P256_SHA256" },
    config: { subjectConfig: { subject: { commonName: "Corp Root" } }, x509Config: { caOptions: { isCa: true } } },
  });
  await cloud.make("POST", `/v1/${pool}/certificateAuthorities/root:enable`, {});
  await cloud.make("POST", `/v1/${parent}/certificateIssuanceConfigs?certificateIssuanceConfigId=corp`, {
    lifetime: "2592000s",
    rotationWindowPercentage: 66,
    keyAlgorithm: "ECDSA_P256",
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: pool } },
  });
  // The pool issued both certificates, but the migration has this information for only one of them.
  const names = ["status.corp.internal", "shop.example.com"];
  for (const [index, name] of names.entries()) {
    const managed = { domains: [name], issuanceConfig: config };
    await cloud.make("POST", `/v1/${parent}/certificates?certificateId=c${index}`, { managed });
  }
  await cloud.clock.advance(60_000);
  const entries = Object.fromEntries(names.map((name, index) => [name, [`${parent}/certificates/c${index}`]]));
  await makeLoadBalancer(cloud, "lb", { certificateMap: await makeMap(cloud, "m1", entries) });
  await cloud.clock.advance(60_000);
  const [, address = "", port = ""] = /^(.*):(\d+)$/.exec(cloud.loadBalancers.listeners()[0]?.listen ?? "") ?? [];
  listener = { address, port };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cloud.stop();
});
afterEach(() => cloud.faults.set({}));

const commands = readOnlyCommands(() => cloud.requests());

const status = (issuedBy: object) => ({ name: "status", domains: ["status.corp.internal"], issuedBy });
const shop = { name: "shop", domains: ["shop.example.com"], existingCertificateId: `${parent}/certificates/c1` };

async function verify(certificates: readonly object[], ...more: readonly string[]) {
  const spec = {
    name: "shop",
    certificates,
    dns: { kind: "external" },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "global/urlMaps/shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
    },
  };
  const file = join(folder, "migration.yaml");
  writeFileSync(file, JSON.stringify(spec));
  const io = testIo({ now: () => new Date() });
  const place = ["--address", listener.address, "--port", listener.port, "--endpoint", cloud.endpoints.http];
  const limits = ["--repeat", "1", "--within", "1s", "--no-exact"];
  const words = ["verify", "--spec", file, ...place, ...limits, "--json", ...more];
  const exitCode = await commands.runWith(words, io);
  const results = (text: string) =>
    (JSON.parse(text).results as readonly { readonly hostname: string; readonly ok: boolean; readonly code?: string }[])
      .map(({ hostname, ok, code }) => `${hostname}: ${ok ? "ok" : code}`)
      .sort();
  return { exitCode, out: io.out(), err: io.err(), results };
}

test("trusts the roots of a pool only for the names that the pool issues, and prints their fingerprints", async () => {
  const without = await verify([status({ caPool: pool }), shop]);
  expect(without.results(without.out)).toEqual([
    "shop.example.com: untrusted-chain",
    "status.corp.internal: untrusted-chain",
  ]);

  const { exitCode, out, err, results } = await verify([status({ caPool: pool }), shop], "--trust-pool");

  expect(exitCode).toBe(4);
  expect(results(out)).toEqual(["shop.example.com: untrusted-chain", "status.corp.internal: ok"]);
  const { caCerts } = await cloud.make("POST", `/v1/${pool}:fetchCaCerts`, {});
  const [chain] = caCerts as readonly { readonly certificates: readonly [string] }[];
  const root = new X509Certificate(chain?.certificates[0] ?? "");
  const fingerprintSha256 = root.fingerprint256.replaceAll(":", "").toLowerCase();
  expect(JSON.parse(out).trustedPools).toEqual([
    {
      caPool: pool,
      roots: [{ fingerprintSha256, subject: "CN=Corp Root", notAfter: new Date(root.validTo).toISOString() }],
      names: ["status.corp.internal"],
    },
  ]);
  expect(err).toContain(`trusting CN=Corp Root (SHA-256 ${fingerprintSha256}, until `);
  expect(err).toContain(`of ${pool} for status.corp.internal\n`);
});

test("reads the pool of an existing issuance config, and exits with 0 if all names are served", async () => {
  const { exitCode, out, results } = await verify([status({ existingIssuanceConfig: config })], "--trust-pool");
  expect([exitCode, results(out)]).toEqual([0, ["status.corp.internal: ok"]]);
});

test.each<readonly [string, readonly object[], number, string]>([
  ["without a private certificate", [shop], 2, "no certificate of the migration comes from a CA pool"],
  ["with an empty pool", [status({ caPool: empty })], 2, `${empty} has no CA`],
  [
    "with a reference",
    [status({ caPool: `\${google_privateca_ca_pool.x.id}` })],
    2,
    "only Terraform knows the CA pool of certificate 'status'",
  ],
  [
    "with an issuance config that does not exist",
    [status({ existingIssuanceConfig: `${config}x` })],
    2,
    `the issuance config '${config}x' does not exist`,
  ],
])("--trust-pool is refused %s", async (_, certificates, code, message) => {
  const { exitCode, err } = await verify(certificates, "--trust-pool");
  expect([exitCode, err]).toEqual([code, expect.stringContaining(message)]);
});

test("names the permission that the caller lacks", async () => {
  const method = "privateca.projects.locations.caPools.fetchCaCerts";
  cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });
  const { exitCode, err } = await verify([status({ caPool: pool })], "--trust-pool");
  expect(exitCode).toBe(3);
  expect(err).toContain(`the caller may not read the CA certificates of ${pool}; grant privateca.caPools.get`);
});

describe("the roots for a hostname", () => {
  const [a, b] = [makeCertificate(["root-a.example.com"]), makeCertificate(["root-b.example.com"])];
  const chains = async (name: string) => [[name === "pool-a" ? a.certificatePem : b.certificatePem]];
  const certificate = (caPool: string | undefined, ...domains: readonly string[]) =>
    ({
      name: "c",
      domains,
      ...(caPool === undefined ? {} : { isPrivatelyIssued: true, issuedBy: { caPool } }),
    }) as unknown as SourceCertificate;
  const rootsOf = async (...certificates: readonly SourceCertificate[]) => {
    const reader = { chains, issuanceConfig: async () => undefined } as unknown as PrivateCaReader;
    const migration = { certificates } as unknown as SourceMigration;
    const { rootsFor } = await readPoolTrust([migration], reader, new AbortController().signal);
    return (hostname: string) =>
      rootsFor(hostname).map((pem) => new X509Certificate(pem).subject.replace("CN=", "").replace(".example.com", ""));
  };

  test("are the roots of the pools that issue the name, also by a wildcard", async () => {
    const roots = await rootsOf(
      certificate("pool-a", "*.corp.internal"),
      certificate("pool-b", "ci.corp.internal"),
      certificate(undefined, "www.corp.internal"),
    );
    expect(["x.corp.internal", "*.corp.internal", "ci.corp.internal", "a.b.corp.internal"].map(roots)).toEqual([
      ["root-a"],
      ["root-a"],
      ["root-a", "root-b"],
      [],
    ]);
  });

  test("do not include the pool for a name with a certificate of another issuer, even below a wildcard of the pool", async () => {
    const roots = await rootsOf(
      certificate("pool-a", "*.example.com", "both.example.com"),
      certificate(undefined, "www.example.com", "both.example.com"),
    );
    expect(["www.example.com", "both.example.com", "x.example.com"].map(roots)).toEqual([[], ["root-a"], ["root-a"]]);
  });
});
