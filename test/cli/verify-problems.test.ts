import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, createAuthority } from "../../lib/cloud/certificate-authority";
import { verifyCodes } from "../../lib/live/verify";
import { runCli, withUsual } from "../support/io";
import { type MadeCertificate, makeCertificate, makeChain } from "../support/make-certificate";
import { serveTcp, serveTls, type TestServer } from "../support/tls-servers";

/** A problem: the server that causes it, and the arguments of the command. */
interface Problem {
  readonly what: string;
  readonly code: string;
  readonly serve: () => Promise<TestServer>;
  readonly words?: readonly string[];
  /** @default example.com */
  readonly hostname?: string;
}

const folder = mkdtempSync(join(tmpdir(), "verify-problems-"));
const notYet = makeCertificate(["example.com"], { notBefore: new Date("2050-01-01T00:00:00Z") });
const expired = makeCertificate(["example.com"], { notAfter: new Date("2021-01-01T00:00:00Z"), commonName: "expired" });
const rsa = makeCertificate(["example.com"], { commonName: "rsa" });
const internal = makeCertificate(["status.corp.internal"], { commonName: "internal" });
const nameless = makeCertificate([], { commonName: "example.com" });
const aged = makeChain("example.com", new Date("2021-01-01T00:00:00Z"));
const untrusted = makeCertificate(["example.com"], { key: 1 });
let authority: Authority;
let stranger: Authority;

beforeAll(async () => {
  const now = () => new Date(Date.now() - 60_000);
  [authority, stranger] = await Promise.all(
    ["Known", "Unknown"].map((commonName) => createAuthority({ commonName, now })) as [
      Promise<Authority>,
      Promise<Authority>,
    ],
  );
  const trusted = [notYet, expired, rsa, nameless, internal].map(({ certificatePem }) => certificatePem);
  writeFileSync(join(folder, "roots.pem"), [authority.trustBundlePem, aged.rootPem, ...trusted].join(""));
});

afterAll(() => rmSync(folder, { recursive: true }));

function serveCertificate({ certificatePem, privateKeyPem }: MadeCertificate): Promise<TestServer> {
  return serveTls({ cert: certificatePem, key: privateKeyPem });
}

async function serveIssued(by: () => Authority, change: (chainPem: string) => string = (chain) => chain, options = {}) {
  const { chainPem, privateKeyPem } = await by().issue({
    names: ["example.com"],
    publicKeyAlgorithm: "ecdsa-p256",
    validDays: 1,
  });
  return serveTls({ cert: change(chainPem), key: privateKeyPem, ...options });
}

/** Starts a TLS server that answers each request with this text; undefined sends no answer. */
async function serveAnswer(text: string | undefined): Promise<TestServer> {
  const { chainPem, privateKeyPem } = await authority.issue({
    names: ["example.com"],
    publicKeyAlgorithm: "ecdsa-p256",
    validDays: 1,
  });
  return serveTls({ cert: chainPem, key: privateKeyPem }, {}, (socket) => {
    socket.once("data", () => text !== undefined && socket.end(text));
  });
}

const alert = (description: number) => (socket: Socket) =>
  socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, description])));

const problems: readonly Problem[] = [
  { what: "an expired certificate", code: "certificate-expired", serve: () => serveCertificate(expired) },
  { what: "one that is not valid yet", code: "certificate-not-yet-valid", serve: () => serveCertificate(notYet) },
  { what: "one behind which an intermediate has expired", code: "chain-expired", serve: () => serveCertificate(aged) },
  { what: "one of another name", code: "name-mismatch", serve: () => serveCertificate(rsa), hostname: "example.net" },
  { what: "one with a common name alone", code: "name-mismatch", serve: () => serveCertificate(nameless) },
  { what: "one that was signed by itself", code: "self-signed", serve: () => serveCertificate(untrusted) },
  {
    what: "a leaf without its intermediate",
    code: "chain-incomplete",
    serve: () =>
      serveIssued(
        () => authority,
        (chain) => chain.slice(0, chain.indexOf("-----END CERTIFICATE-----") + 26),
      ),
  },
  { what: "a chain to an unknown root", code: "untrusted-chain", serve: () => serveIssued(() => stranger) },
  {
    what: "a key that the client can't check",
    code: "key-type-missing",
    serve: () => serveCertificate(rsa),
    words: ["--key-type", "ecdsa"],
  },
  { what: "no certificate for the name", code: "handshake-refused", serve: () => serveTcp(alert(40)) },
  { what: "a name that is not recognized", code: "handshake-refused", serve: () => serveTcp(alert(112)) },
  {
    what: "an old version of TLS alone",
    code: "protocol-refused",
    serve: () =>
      serveIssued(() => authority, undefined, {
        maxVersion: "TLSv1.1",
        minVersion: "TLSv1",
        ciphers: "ALL:@SECLEVEL=0",
      }),
  },
  { what: "an error within the server", code: "handshake-failed", serve: () => serveTcp(alert(80)) },
  {
    what: "an answer in clear",
    code: "plaintext-answer",
    serve: () => serveTcp((socket) => socket.end("220 mail.example.com ESMTP\r\n")),
  },
  { what: "a server that closes at once", code: "connection-closed", serve: () => serveTcp((socket) => socket.end()) },
  {
    what: "a server that tears connections down",
    code: "connection-reset",
    serve: () => serveTcp((socket) => socket.once("data", () => socket.resetAndDestroy())),
  },
  {
    what: "a silent server",
    code: "handshake-timeout",
    serve: () => serveTcp(() => {}),
    words: ["--timeout", "300ms"],
  },
  {
    what: "a backend that is down",
    code: "http-server-error",
    serve: () => serveAnswer("HTTP/1.1 503 Service Unavailable\r\n\r\n"),
    words: ["--http"],
  },
  {
    what: "a backend that fails",
    code: "http-server-error",
    serve: () => serveAnswer("HTTP/1.1 500 Internal Server Error\r\n\r\n"),
    words: ["--http"],
  },
  {
    what: "an answer that is not HTTP",
    code: "http-no-answer",
    serve: () => serveAnswer("220 mail.example.com\r\n"),
    words: ["--http"],
  },
  {
    what: "an answer without an end to its first line",
    code: "http-no-answer",
    serve: () => serveAnswer("x".repeat(100_000)),
    words: ["--http"],
  },
  {
    what: "a silent backend",
    code: "http-no-answer",
    serve: () => serveAnswer(undefined),
    words: ["--http", "--timeout", "800ms"],
  },
  { what: "a backend that hangs up", code: "http-no-answer", serve: () => serveAnswer(""), words: ["--http"] },
];

test.concurrent.each(problems)(
  "reports $code with its remedy: $what",
  async ({ code, serve, words = [], hostname = "example.com" }) => {
    await using server = await serve();
    const { exitCode, stdout } = await verify(server.port, hostname, ["127.0.0.1"], words);
    const [result] = JSON.parse(stdout).results;
    expect(result).toMatchObject({ ok: false, code, handshakes: 1, bad: 1 });
    expect(result.remedy).toBe(verifyCodes[code as keyof typeof verifyCodes].remedy);
    expect(exitCode).toBe(4);
  },
);

test.each([
  ["another address that refuses", "127.0.0.2", "connection-refused"],
  ["an address of IPv6 that refuses", "::1", "connection-refused"],
])("names %s beside the address that is served correctly", async (_, address, code) => {
  await using server = await serveCertificate(rsa);
  const { exitCode, stdout } = await verify(server.port, "example.com", ["127.0.0.1", address]);
  expect(
    JSON.parse(stdout).results.map((result: { code?: string; address: string }) => [result.address, result.code]),
  ).toEqual([
    ["127.0.0.1", undefined],
    [address, code],
  ]);
  expect(exitCode).toBe(4);
});

test("checks a hostname in a private domain with --ca, and refuses the hostname without --ca", async () => {
  await using server = await serveCertificate(internal);
  const { exitCode, stdout } = await verify(server.port, "status.corp.internal", ["127.0.0.1"]);
  expect(JSON.parse(stdout).results).toEqual([expect.objectContaining({ ok: true, handshakes: 1, bad: 0 })]);
  expect(exitCode).toBe(0);

  const refused = await runCli(["verify", "--hostname", "status.corp.internal", "--address", "127.0.0.1"]);
  expect(refused.stderr).toContain("[hostname-not-public]");
  expect(refused.exitCode).toBe(2);
});

test("accepts an answer of the backend with a status below 500, and reports the status", async () => {
  await using server = await serveAnswer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n");
  const { exitCode, stdout } = await verify(server.port, "example.com", ["127.0.0.1"], ["--http"]);
  expect(JSON.parse(stdout).results).toEqual([expect.objectContaining({ ok: true, httpStatus: 404 })]);
  expect(exitCode).toBe(0);
});

test("reports a tarpit and an unreachable address beside a good address, also with one connection at a time", async () => {
  await using good = await serveCertificate(rsa);
  await using _ = await serveTcp(() => {}, { address: "127.0.0.2", port: good.port });
  const { stdout } = await verify(
    good.port,
    "example.com",
    ["127.0.0.1", "127.0.0.2", "127.0.0.3"],
    ["--concurrency", "1", "--timeout", "1500ms", "--within", "3s"],
  );
  expect(JSON.parse(stdout).results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false]);
});

test("disconnects after a second from a server that keeps sending", async () => {
  let open = 0;
  const { chainPem, privateKeyPem } = await authority.issue({
    names: ["example.com"],
    publicKeyAlgorithm: "ecdsa-p256",
    validDays: 1,
  });
  await using server = await serveTls({ cert: chainPem, key: privateKeyPem, allowHalfOpen: true }, {}, (socket) => {
    open += 1;
    const talking = setInterval(() => socket.write("and another thing"), 50);
    socket.resume().once("close", () => {
      clearInterval(talking);
      open -= 1;
    });
  });
  expect((await verify(server.port, "example.com", ["127.0.0.1"])).exitCode).toBe(0);
  expect(open).toBeGreaterThan(0);
  const startedAt = Date.now();
  while (open > 0 && Date.now() - startedAt < 3_000) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(open).toBe(0);
});

async function verify(
  port: number,
  hostname: string,
  addresses: readonly string[],
  words: readonly string[] = [],
): ReturnType<typeof runCli> {
  const at = addresses.flatMap((address) => ["--address", address]);
  const line = ["verify", "--hostname", hostname, ...at, "--ca", join(folder, "roots.pem"), "--json"];
  // The command does not retry within the first 5 s.
  const usual = { "--port": String(port), "--within": "5s", "--timeout": "4s", "--repeat": "1" };
  return runCli([...line, ...withUsual(usual, words)], { now: () => new Date() });
}
