import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import { serveTls, type TestServer } from "../support/tls-servers";

const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
let folder: string;
let balancer: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-freeze-"));
  writeFileSync(join(folder, "roots.pem"), certificatePem);
  writeFileSync(join(folder, "freeze.yaml"), "start: 2026-11-21T10:00:00Z\nend: 2026-11-21T12:00:00Z\n");
  balancer = await serveTls({ cert: certificatePem, key: privateKeyPem });
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await balancer[Symbol.asyncDispose]();
});

function verify(endpoint: string, signal = new AbortController().signal) {
  const place = ["--hostname", "example.com", "--address", balancer.address, "--port", String(balancer.port)];
  const trust = ["--ca", join(folder, "roots.pem"), "--no-exact", "--repeat", "1"];
  const freeze = ["--freeze", join(folder, "freeze.yaml"), "--endpoint", endpoint];
  return runCli(["verify", ...place, ...trust, ...freeze, "--json"], {
    now: () => new Date("2026-11-21T13:00:00Z"),
    signal,
  });
}

test("reports an unreadable token file before any handshake", async () => {
  const words = ["verify", "--hostname", "example.com", "--address", "127.0.0.1", "--port", "1"];
  const freeze = ["--freeze", join(folder, "freeze.yaml"), "--token-file", join(folder, "none")];
  const { exitCode, stdout, stderr } = await runCli([...words, ...freeze]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("[file-unreadable]");
});

test("reports the handshakes if the log refuses the request, with the freeze as unknown", async () => {
  await using server = await startServer((_, response) => response.writeHead(403).end("{}"));
  const { exitCode, stdout } = await verify(server.url);
  const { results, freeze } = JSON.parse(stdout);
  expect(results).toMatchObject([{ hostname: "example.com", ok: true }]);
  expect(freeze).toMatchObject({ verdict: "unknown" });
  expect(freeze.findings[0]).toMatchObject({
    code: "listing-incomplete",
    message: expect.stringContaining("HTTP 403"),
  });
  expect(exitCode).toBe(5);
});

test("reports the handshakes if it is stopped while it reads the log, with the freeze as unknown", async () => {
  const stopping = new AbortController();
  await using server = await startServer(() => stopping.abort());
  const { exitCode, stdout } = await verify(server.url, stopping.signal);
  const { results, freeze } = JSON.parse(stdout);
  expect(results).toMatchObject([{ hostname: "example.com", ok: true }]);
  expect(freeze).toMatchObject({ verdict: "unknown" });
  expect(freeze.findings[0].message).toMatch(/: the run was stopped$/);
  expect(exitCode).toBe(5);
});
