import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { runWith, testIo } from "../support/io";
import { makeCertificate } from "../support/make-certificate";

const good = makeCertificate(["example.com", "*.example.com"]);
const expired = makeCertificate(["old.example.com"], { notAfter: new Date("2021-01-01T00:00:00Z") });
let folder: string;
const servers: Server[] = [];
const connections = new Set<Socket>();

/** Starts a TLS server with one certificate on loopback, in place of a load balancer. */
async function serve({ certificatePem, privateKeyPem } = good): Promise<string> {
  return listen(createServer({ cert: certificatePem, key: privateKeyPem }, (socket) => socket.on("error", () => {})));
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on("tlsClientError", () => {});
  server.on("connection", (socket: Socket) => {
    connections.add(socket.on("error", () => {}));
    socket.once("close", () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return String((server.address() as AddressInfo).port);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  writeFileSync(join(folder, "roots.pem"), good.certificatePem + expired.certificatePem);
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  for (const socket of connections) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function verify(port: string, ...words: readonly string[]) {
  const io = testIo({ now: () => new Date() });
  const line = [
    "verify",
    "--port",
    port,
    "--ca",
    join(folder, "roots.pem"),
    "--within",
    "1s",
    "--timeout",
    "1s",
    ...words,
  ];
  const exitCode = await runWith(line, io);
  return { exitCode, out: io.out(), err: io.err() };
}

test("exits with 0 for served names, and checks a wildcard with a label", async () => {
  const port = await serve();
  const { exitCode, out } = await verify(
    port,
    "--hostname",
    "example.com",
    "--hostname",
    "*.example.com",
    "--address",
    "127.0.0.1",
    "--json",
  );
  expect(exitCode).toBe(0);
  const { results, ...report } = JSON.parse(out);
  expect(report).toMatchObject({ schemaVersion: 1, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), ok: true });
  expect(results).toEqual([
    expect.objectContaining({ hostname: "example.com", ok: true, protocol: "TLSv1.3" }),
    expect.objectContaining({ hostname: "*.example.com", ok: true }),
  ]);
  expect(results[0].certificate).toEqual({
    issuer: "CN=example.com",
    serialNumber: "a1b2c",
    notBefore: "2020-01-01T00:00:00.000Z",
    notAfter: "2060-01-01T00:00:00.000Z",
    keyType: "rsa-2048",
    fingerprintSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    dnsNames: ["*.example.com", "example.com"],
  });
});

test.each([
  ["another certificate", () => serve(), "shop.example.net", "name-mismatch"],
  ["an expired certificate", () => serve(expired), "old.example.com", "certificate-expired"],
  [
    "a CA that is not trusted",
    () => serve(makeCertificate(["shop.example.net"], { key: 1 })),
    "shop.example.net",
    "self-signed",
  ],
  [
    "a server that closes",
    () => listen(createTcpServer((socket) => socket.destroy())),
    "example.com",
    "connection-closed",
  ],
  ["a server that never answers", () => listen(createTcpServer(() => {})), "example.com", "handshake-timeout"],
])("exits with 4 and names %s", async (_, start, hostname, code) => {
  const { exitCode, err } = await verify(await start(), "--hostname", hostname, "--address", "127.0.0.1");
  expect(exitCode).toBe(4);
  expect(err).toMatch(new RegExp(`^${hostname} at 127\\.0\\.0\\.1: .* \\[${code}\\]$`, "m"));
  // Without a plan, verify cannot know whether a new certificate is about to replace the current certificate.
  const isOfCertificate = ["name-mismatch", "certificate-expired", "self-signed"].includes(code);
  expect(err.includes("repeated, because the failure may resolve on its own")).toBe(isOfCertificate);
});

test("--log adds each result to a file, and reports for how long the names have passed", async () => {
  const port = await serve();
  const log = join(folder, "verify.log");
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  writeFileSync(log, `${JSON.stringify({ version: 1, time: hourAgo, passed: ["example.com"], failed: [] })}\n`);
  const words = ["--hostname", "example.com", "--address", "127.0.0.1", "--log", log];
  const { exitCode, err } = await verify(port, ...words);
  expect([exitCode, err]).toEqual([0, expect.stringMatching(/^1 name has passed for 1 h.* or longer$/m)]);
  const bad = await verify(port, ...words, "--hostname", "www.example.org");
  expect([bad.exitCode, bad.err]).toEqual([4, expect.stringContaining("1 name has passed for 1 h")]);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual([
    { version: 1, time: expect.any(String), passed: ["example.com"], failed: [] },
    { version: 1, time: expect.any(String), passed: ["example.com"], failed: ["www.example.org"] },
  ]);
});

test.each([
  ["is not such a log", "verify.log", "verify-log-malformed"],
  ["can't be written", "missing/verify.log", "file-unwritable"],
])("refuses a --log that %s, before any handshake", async (_, name, code) => {
  writeFileSync(join(folder, "verify.log"), "{}\n");
  const words = ["--hostname", "example.com", "--address", "127.0.0.1", "--log", join(folder, name)];
  const { exitCode, out, err } = await verify("1", ...words);
  expect([exitCode, out, err]).toEqual([2, "", expect.stringContaining(`[${code}]`)]);
});

test("--shard verifies a part of the hostnames, and all parts together are the whole", async () => {
  const port = await serve();
  const hostnames = ["a", "b", "c", "d", "e"].map((label) => `${label}.example.com`);
  const words = [...hostnames.flatMap((hostname) => ["--hostname", hostname]), "--address", "127.0.0.1", "--json"];
  const verified: string[] = [];
  for (const shard of ["1/3", "2/3", "3/3"]) {
    const { exitCode, out } = await verify(port, ...words, "--shard", shard);
    const { results, shard: named } = JSON.parse(out) as {
      readonly results: readonly { readonly hostname: string }[];
      readonly shard: string;
    };
    expect(named).toBe(shard);
    // The second one is empty.
    expect(exitCode).toBe(0);
    expect(results.length).toBeLessThan(hostnames.length);
    verified.push(...results.map(({ hostname }) => hostname));
  }
  expect(verified.sort()).toEqual(hostnames);
});

test("--shard verifies a hostname without an entry once, or none that is given and in another part; each part knows of a PRIMARY entry", async () => {
  const port = await serve();
  const hostnames = ["a", "b", "c", "d", "e"].map((label) => `${label}.example.com`);
  const entry = (hostname: string) => ({ hostname, id: "${google_entry.e.id}", certificates: [] });
  const shop = {
    version: 1,
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [],
    entries: ["*.example.com", "PRIMARY"].map(entry),
    traffic: { to: "loadBalancer", hostnames },
    addresses: { ipv4: ["127.0.0.1"] },
  };
  const value = { version: 1, migrations: { shop } };
  writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify({ output: { cert_migration: { value } } }));
  const verified: string[] = [];
  for (const shard of ["1/3", "2/3", "3/3"]) {
    const { exitCode, out } = await verify(port, "--stack", folder, "--json", "--shard", shard);
    const { results, findings, fallbacks } = JSON.parse(out);
    expect([exitCode, findings, fallbacks.length]).toEqual([0, [], 2]);
    verified.push(...results.map(({ hostname }: { readonly hostname: string }) => hostname));
  }
  expect(verified.sort()).toEqual(["*.example.com", ...hostnames]);
  const words = ["--stack", folder, "--hostname", "a.example.com", "--json", "--shard"];
  const parts = await Promise.all(["1/3", "2/3", "3/3"].map((shard) => verify(port, ...words, shard)));
  expect(parts.map(({ out }) => JSON.parse(out).results.length).sort()).toEqual([0, 0, 1]);
});

test("exits with 4 and names an address where nothing listens", async () => {
  const port = await serve();
  await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
  const { exitCode, err } = await verify(port, "--hostname", "example.com", "--address", "127.0.0.1");
  expect(exitCode).toBe(4);
  expect(err).toContain("connection-refused");
});

test("reads names from a synthesized stack, and addresses that are references there from the command line", async () => {
  const common = { name: "shop", phase: "serve", gate: "wait", loadBalancer: "globalExternal", certificates: [] };
  const entry = (hostname: string) => ({ hostname, id: "${google_entry.e.id}", certificates: [] });
  const value = {
    version: 1,
    migrations: {
      "prod/shop": {
        ...common,
        entries: ["example.com", "*.example.com", "PRIMARY"].map(entry),
        traffic: { to: "loadBalancer", hostnames: ["www.example.com"] },
        addresses: { ipv4: ["${google_compute_global_address.ip.address}"] },
      },
      "prod/other": { ...common, entries: [entry("example.net")] },
    },
  };
  writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify({ output: { cert_migration: { value } } }));
  const words = ["--stack", folder, "--migration", "prod/shop"];
  const port = await serve();
  const { exitCode, out } = await verify(port, ...words, "--address", "127.0.0.1", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out).results.map(({ hostname }: { hostname: string }) => hostname)).toEqual([
    "*.example.com",
    "example.com",
    "www.example.com",
  ]);
  const other = ["--stack", folder, "--migration", "prod/other", "--address", "127.0.0.1", "--exact", "--shard"];
  const parts = await Promise.all(["1/2", "2/2"].map((shard) => verify(port, ...other, shard)));
  // The part without a hostname has a plan nevertheless; the other one has a certificate whose id is not known.
  expect(parts.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
  expect(parts.map(({ err }) => err).join("")).not.toContain("no plan was given");
  expect((await verify(port, ...words)).err).toContain("[address-missing]");
  expect((await verify(port, "--stack", folder, "--migration", "prod/none")).err).toContain("[migration-unknown]");
});

test.each([
  [["--address", "127.0.0.1"], "hostname-missing"],
  [["--stack", "nowhere"], "file-unreadable"],
  [["--hostname", "a.example.com", "--address", "127.0.0.1", "--repeat", "0"], "number-malformed"],
])("refuses %j with exit code 2 and %s", async (words, code) => {
  const { exitCode, err } = await verify("443", ...words);
  expect(exitCode).toBe(2);
  expect(err).toContain(`[${code}]`);
});
