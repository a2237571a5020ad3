import { checkServing } from "../../lib/cli/commands/verify/check";
import type { Connections } from "../../lib/cli/connections";
import type { Handshake } from "../../lib/live/verify";
import { testIo } from "../support/io";

const refused: Handshake = { ok: false, code: "connection-refused", detail: "ECONNREFUSED" };
const good: Handshake = {
  ok: true,
  protocol: "TLSv1.3",
  certificate: {
    issuer: "CN=Root",
    serialNumber: "1",
    notBefore: "2020-01-01T00:00:00.000Z",
    notAfter: "2060-01-01T00:00:00.000Z",
    keyType: "ecdsa-p256",
    fingerprintSha256: "aa",
    dnsNames: ["example.com"],
  },
};

/** Verifies for ten minutes of a clock that only pauses advance; returns the output in a pipeline. */
async function verify(answerAt: (second: number, address: string) => Handshake): Promise<readonly string[]> {
  let nowMs = 0;
  const io = testIo({ now: () => new Date(nowMs) });
  const connections: Connections = {
    concurrency: 4,
    rehearsal: undefined,
    timeoutMs: 1_000,
    trusted: undefined,
    shakeHands: async (address) => answerAt(nowMs / 1_000, address),
  };
  const targets = [{ hostname: "example.com", addresses: ["203.0.113.7", "203.0.113.8"] }];
  const limits = { repeat: 1, withinMs: 600_000, keyFamilies: [] };
  await checkServing({ ...limits, targets, http: false }, connections, io, async (milliseconds, signal) => {
    await new Promise(setImmediate);
    signal.throwIfAborted();
    nowMs += milliseconds;
  });
  return io.err().trimEnd().split("\n");
}

test("without a terminal, verify counts down once a minute without changes, and never repeats a line", async () => {
  const lines = await verify((_, address) => (address.endsWith("7") ? good : refused));
  expect(lines.slice(0, 3)).toEqual([
    "example.com at 203.0.113.8: ECONNREFUSED [connection-refused]",
    "1 of 2 checks, 1 failing and retried, at most 9 min 55 s left",
    "1 of 2 checks, 1 failing and retried, at most 8 min 55 s left",
  ]);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeLessThanOrEqual(12);
});

test("without a terminal, verify prints a line when a failure ends and when another begins", async () => {
  const lines = await verify((second, address) => {
    if (address.endsWith("7")) return second < 100 ? refused : good;
    return second < 200 ? refused : { ok: false, code: "connection-reset", detail: "ECONNRESET" };
  });
  const changes = lines.filter((line) => !/, 2 failing and retried|, 1 failing and retried/.test(line));
  expect(changes).toEqual([
    "example.com at 203.0.113.7: ECONNREFUSED [connection-refused]",
    "example.com at 203.0.113.8: ECONNREFUSED [connection-refused]",
    "example.com at 203.0.113.8: ECONNRESET [connection-reset]",
    "2 of 2 checks, 1 not as they should be, at most 5 s left",
  ]);
  expect(lines).toContain("0 of 2 checks, 2 failing and retried, at most 9 min 55 s left");
  expect(lines).toContain("1 of 2 checks, 1 failing and retried, at most 8 min 20 s left");
});
