import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { runWith, testIo } from "../support/io";
import { type MadeCertificate, makeCertificate, makeChain } from "../support/make-certificate";

const later = new Date("2060-01-01T00:00:00Z");
const uploaded = makeChain("example.com", later);
const before = makeCertificate(["example.com"], { key: 1 });
let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-uploads-"));
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server?.close(resolve));
});

/** Verifies a spec with an uploaded certificate against a load balancer that serves `served`. */
async function verify(served: MadeCertificate, hostname: string, ...words: readonly string[]) {
  const { certificatePem: cert, privateKeyPem: key } = served;
  const made = createServer({ cert, key }, (socket) => socket.on("error", () => {}));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const port = String((made.address() as AddressInfo).port);
  const { certificatePem, privateKeyPem } = uploaded;
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com"], selfManaged: { certificatePem, privateKeyPem } }],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal" },
    phase: "issue",
  };
  const file = join(folder, "migration.json");
  writeFileSync(file, JSON.stringify(spec));
  writeFileSync(join(folder, "root.pem"), uploaded.rootPem);
  const io = testIo({ now: () => new Date() });
  const where = ["--address", "127.0.0.1", "--port", port, "--hostname", hostname];
  const exitCode = await runWith(["verify", "--spec", file, ...where, "--json", ...words], io);
  const { results } = JSON.parse(io.out());
  return { exitCode, result: results[0], err: io.err() };
}

test("an uploaded certificate of a private CA ends the gate immediately, although it has ten minutes, and passes with the root", async () => {
  const { exitCode, result } = await verify(uploaded, "example.com", "--within", "10m");
  expect(exitCode).toBe(4);
  expect(result).toMatchObject({
    ok: false,
    code: "untrusted-chain",
    final: true,
    handshakes: 1,
    remedy: expect.stringContaining("add its root with --ca"),
  });
  await new Promise((resolve) => server?.close(resolve));
  const good = await verify(uploaded, "example.com", "--ca", join(folder, "root.pem"));
  expect([good.exitCode, good.result.ok]).toEqual([0, true]);
});

test("an address that serves another certificate is retried until the time is over", async () => {
  const { exitCode, result, err } = await verify(before, "example.com", "--within", "1s");
  expect(exitCode).toBe(4);
  expect(result).toMatchObject({ code: "self-signed", handshakes: 1 });
  expect(result).not.toHaveProperty("final");
  expect(err).not.toContain("the failure may resolve on its own");
});
