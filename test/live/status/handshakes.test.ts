import { setTimeout as pause } from "node:timers/promises";
import { type ObservedMigration, verifyOnce } from "../../../lib/live/status";
import type { Handshake } from "../../../lib/live/verify";
import { sourceFromSpec } from "../../../lib/source";
import { makeCertificate } from "../../support/make-certificate";
import { shopSpec } from "../../support/migration-spec";

const hostnames = Array.from({ length: 2_500 }, (_, index) => `h${index}.example.com`);

function observed(): ObservedMigration {
  const [shop] = sourceFromSpec(shopSpec, { source: "s", project: "p1" }).migrations;
  const entries = hostnames.map((hostname) => ({ hostname, certificates: [] }));
  const migration = { ...shop!, entries, addresses: { ipv4: ["192.0.2.1"], ipv6: ["2001:db8::1"] } } as typeof shop;
  const none = { certificates: [], authorizations: [], entries: [], records: new Map(), addresses: new Map() };
  return [migration!, none];
}

test("returns one result for each of 2,500 hostnames at each address in their order, and only what a status needs", async () => {
  let atTheSameTime = 0;
  let most = 0;
  const refused: Handshake = { ok: false, code: "connection-refused", detail: "ECONNREFUSED" };
  const { results } = await verifyOnce([observed()], {
    shakeHands: async () => {
      atTheSameTime += 1;
      most = Math.max(most, atTheSameTime);
      await Promise.resolve();
      atTheSameTime -= 1;
      return refused;
    },
    concurrency: 8,
    signal: new AbortController().signal,
    now: () => 0,
    sleep: async (milliseconds, signal) => void (await pause(milliseconds, undefined, { signal })),
    random: () => 0,
  });
  expect(results.map(({ hostname, address }) => [hostname, address])).toEqual(
    hostnames.flatMap((hostname) => ["192.0.2.1", "2001:db8::1"].map((address) => [hostname, address])),
  );
  expect(most).toBeLessThanOrEqual(8);
  expect(new Set(results.map((result) => Object.keys(result).join(" ")))).toEqual(
    new Set(["hostname address ok code message remedy"]),
  );
});

test("lets the chain be read only for names whose certificate is not managed, also below a wildcard", async () => {
  const { certificatePem } = makeCertificate(["*.up.example.com"]);
  const spec = {
    name: "shop",
    project: "my-project",
    dns: { kind: "external" },
    certificates: [
      { domains: ["managed.example.com", "*.wild.example.com"] },
      {
        selfManaged: { certificatePem, privateKeyPem: "${var.key}" },
        hostnames: ["*.up.example.com", "one.up.example.com"],
      },
    ],
  };
  const [migration] = sourceFromSpec(JSON.stringify(spec), { source: "s", project: "my-project" }).migrations;
  const [, none] = observed();
  const asked: string[] = [];
  await verifyOnce([[{ ...migration!, addresses: { ipv4: ["192.0.2.1"], ipv6: [] } }, none]], {
    shakeHands: async (_, hostname, _client, chainBy) => {
      asked.push(`${hostname.replace(/^[^.]+(?=\.(?:wild|up)\.)/, "any")} ${chainBy}`);
      return { ok: false, code: "connection-refused", detail: "ECONNREFUSED" };
    },
    concurrency: 1,
    signal: new AbortController().signal,
    now: () => 0,
    sleep: async (milliseconds, signal) => void (await pause(milliseconds, undefined, { signal })),
    random: () => 0,
  });
  expect(asked.sort()).toEqual([
    "any.up.example.com user",
    "any.up.example.com user",
    "any.wild.example.com service",
    "managed.example.com service",
  ]);
});
