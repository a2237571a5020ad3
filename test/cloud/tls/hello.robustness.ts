import fc from "fast-check";
import { createHelloReader } from "../../../lib/cloud/tls/client-hello";
import { type HelloParts, helloBody, message, records } from "../../support/client-hello";
import { cpuTimeOf } from "../../support/cpu-time";
import { exchange } from "../../support/tls-client";
import { hostname, makeCertificates, startListener } from "../../support/tls-front-end";

const seed = Number(process.env.SEED ?? Date.now() % 0x7fffffff);
const inputs = 20_000;
const onTheWire = 2_000;
const limit = 65_536;

const number = fc.integer({ min: 0, max: 0xffff });
const hello: fc.Arbitrary<HelloParts> = fc.record(
  {
    cipherSuites: fc.array(number, { maxLength: 30 }),
    serverName: fc.string({ maxLength: 300, unit: "binary-ascii" }),
    versions: fc.array(number, { maxLength: 8 }),
    signatureSchemes: fc.array(number, { maxLength: 20 }),
    groups: fc.array(number, { maxLength: 8 }),
    alpnProtocols: fc.array(fc.string({ maxLength: 10, unit: "binary-ascii" }), { maxLength: 4 }),
    extensions: fc.array(
      fc.tuple(fc.oneof(number, fc.constantFrom(0, 10, 13, 16, 43, 51)), fc.uint8Array({ maxLength: 40 })),
      { maxLength: 5 },
    ),
  },
  { requiredKeys: [] },
);

interface Damage {
  readonly kind: "set" | "remove" | "insert" | "cut" | "repeat";
  readonly at: number;
  readonly octets: Uint8Array;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom("set", "remove", "insert", "cut", "repeat"),
  at: fc.nat(600),
  octets: fc.uint8Array({ minLength: 1, maxLength: 4 }),
});

function applyDamage(bytes: Buffer, { kind, at, octets }: Damage): Buffer {
  const place = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (kind) {
    case "set":
      return Buffer.concat([before, octets, after.subarray(octets.length)]);
    case "remove":
      return Buffer.concat([before, after.subarray(octets.length)]);
    case "insert":
      return Buffer.concat([before, octets, after]);
    case "cut":
      return before;
    case "repeat":
      return Buffer.concat([bytes, after]);
  }
}

/** The first bytes of a connection: random bytes, and hellos with a damaged body, message or record. */
const beginning: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((octets) => Buffer.from(octets)),
  fc
    .tuple(
      hello,
      fc.array(damage, { maxLength: 3 }),
      fc.array(damage, { maxLength: 2 }),
      fc.integer({ min: 1, max: 500 }),
    )
    .map(([parts, inBody, inRecords, recordSize]) =>
      inRecords.reduce(applyDamage, records(message(inBody.reduce(applyDamage, helloBody(parts))), recordSize)),
    ),
);

test(`parses ${inputs} beginnings of connections without an exception and without delay, with seed ${seed}`, () => {
  const outcomes = new Map<string, number>();
  let slowestMs = 0;
  fc.assert(
    fc.property(beginning, fc.integer({ min: 1, max: 200 }), (bytes, pieceSize) => {
      const reader = createHelloReader(limit);
      let outcome = "incomplete";
      const takenMs = cpuTimeOf(() => {
        for (let at = 0; at < bytes.length && outcome === "incomplete"; at += pieceSize) {
          const reading = reader.push(bytes.subarray(at, at + pieceSize));
          if (reading !== undefined) outcome = "hello" in reading ? "hello" : reading.reason;
        }
      });
      slowestMs = Math.max(slowestMs, takenMs);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }),
    { numRuns: inputs, seed },
  );
  console.log(`seed ${seed}, slowest ${slowestMs.toFixed(1)} ms, ${JSON.stringify(Object.fromEntries(outcomes))}`);

  // The inputs must produce every kind of outcome; otherwise the test would not cover all of them.
  const kinds = ["hello", "incomplete", "not-tls", "not-a-client-hello", "record-too-long", "record-empty"];
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([...kinds, "hello-malformed", "hello-too-long", "extension-repeated"]),
  );
  expect(slowestMs).toBeLessThan(1_000);
}, 300_000);

test("parses the longest hello in the shortest records without delay", () => {
  const reader = createHelloReader(limit);
  const long = records(message(Buffer.alloc(limit)), 1);

  let reading: unknown;
  const takenMs = cpuTimeOf(() => {
    for (let at = 0; at < long.length && reading === undefined; at += 1) {
      reading = reader.push(long.subarray(at, at + 1));
    }
  });

  expect(reading).toEqual({ alert: "decode_error", reason: "hello-malformed" });
  expect(takenMs).toBeLessThan(3_000);
});

test(`${onTheWire} malformed connections leave the listener unaffected, with seed ${seed}`, async () => {
  const certificates = await makeCertificates();
  await using listener = await startListener(certificates, [certificates.ecdsa], {
    primary: { certificates: [certificates.primary, certificates.rsa] },
    limits: { handshakeMs: 300 },
  });
  const all = fc.sample(beginning, { numRuns: onTheWire, seed });
  const memory = process.memoryUsage().rss;

  for (let at = 0; at < all.length; at += 200) {
    await Promise.all(all.slice(at, at + 200).map((bytes) => exchange(listener.port, [bytes])));
  }

  const spoken = all.filter(({ length }) => length > 0).length;
  const reports = await listener.reported(spoken);
  expect(reports.filter(({ ok }) => ok)).toEqual([]);
  expect(await listener.client()).toMatchObject({ commonName: hostname });
  expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 2 ** 20);
}, 300_000);
