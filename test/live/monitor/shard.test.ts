import fc from "fast-check";
import { isInShard, migrationsOfShard } from "../../../lib/live/monitor";
import { hostnamesOf } from "../../../lib/live/status";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";

/** Returns a migration with a certificate for each list of hostnames. */
function migrationFor(hostnames: readonly (readonly string[])[]): SourceMigration {
  const spec = {
    name: "shop",
    project: "my-project",
    certificates: hostnames.map((domains) => ({ domains })),
    dns: { kind: "external" },
  };
  return sourceFromSpec(JSON.stringify(spec), { source: "spec", project: "my-project" })
    .migrations[0] as SourceMigration;
}

const namesOf = (migrations: readonly SourceMigration[]) =>
  migrations.flatMap((migration) => hostnamesOf(migration).map(({ hostname }) => hostname));

test("all shards together are the whole, and no hostname is in two of them", () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const hostnames = fc.uniqueArray(label, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(hostnames, fc.integer({ min: 1, max: 12 }), (labels, count) => {
      const migration = migrationFor(labels.map((name) => [`${name}.example.com`]));
      const shards = Array.from({ length: count }, (_, at) => migrationsOfShard([migration], { index: at + 1, count }));
      expect(shards.flatMap(namesOf).sort()).toEqual(namesOf([migration]).sort());
    }),
    { numRuns: 40 },
  );
});

test("keeps the certificate and the record that a hostname needs, and no others", () => {
  const migration = migrationFor([["a.example.com"], ["b.example.com", "*.b.example.com"], ["c.example.com"]]);
  for (let index = 1; index <= 3; index += 1) {
    for (const part of migrationsOfShard([migration], { index, count: 3 })) {
      const names = namesOf([part]);
      const domains = new Set(names.map((name) => name.replace(/^\*\./, "")));
      expect(part.certificates.filter(({ domains: covered }) => !covered.some((name) => names.includes(name)))).toEqual(
        [],
      );
      expect(part.records.map(({ domain }) => domain).sort()).toEqual([...domains].sort());
    }
  }
});

test("leaves a migration out of a shard that has none of its hostnames, also for an entry with a foreign certificate", () => {
  const foreign = { hostname: "a.example.com", certificates: ["projects/p/locations/global/certificates/foreign"] };
  const migration = { ...migrationFor([["a.example.com"]]), entries: [foreign] };
  const shards = [1, 2, 3].map((index) => migrationsOfShard([migration], { index, count: 3 }));
  expect(shards.map(({ length }) => length)).toEqual([0, 0, 1]);
  expect(shards[2]?.[0]?.entries).toEqual([foreign]);
});

test("puts a hostname into the same shard of any migration", () => {
  const [alone, together] = [migrationFor([["a.example.com"]]), migrationFor([["a.example.com"], ["b.example.com"]])];
  for (let index = 1; index <= 5; index += 1) {
    const has = (migration: SourceMigration) =>
      namesOf(migrationsOfShard([migration], { index, count: 5 })).includes("a.example.com");
    expect(has(together)).toBe(has(alone));
  }
});

test("keeps the part of a hostname in every release", () => {
  const names = ["a", "b", "c", "d", "e"].map((label) => `${label}.example.com`);
  const parts = [1, 2, 3].map((index) => names.filter((name) => isInShard(name, { index, count: 3 })));
  expect(parts).toEqual([["b.example.com", "e.example.com"], [], ["a.example.com", "c.example.com", "d.example.com"]]);
});

test("spreads hostnames evenly", () => {
  const migration = migrationFor(Array.from({ length: 400 }, (_, number) => [`host${number}.example.com`]));
  const sizes = Array.from(
    { length: 4 },
    (_, at) => namesOf(migrationsOfShard([migration], { index: at + 1, count: 4 })).length,
  );
  expect(Math.min(...sizes)).toBeGreaterThan(70);
  expect(Math.max(...sizes)).toBeLessThan(130);
});

test("keeps an alternative in the shards of its hostnames only, and the PRIMARY entry in the shard of the first hostname", () => {
  const foreign = "projects/p/locations/global/certificates/foreign";
  const migration = migrationFor([["a.example.com"], ["b.example.com"], ["rsa.example.com"]]);
  const [a = "", b = "", rsa = ""] = migration.certificates.map(({ name }) => name);
  const changed = {
    ...migration,
    entries: [
      { hostname: "a.example.com", certificates: [a] },
      { hostname: "b.example.com", certificates: [b, rsa] },
      { hostname: "PRIMARY", certificates: [a, foreign] },
    ],
  };
  const shards = [1, 2, 3].flatMap((index) => migrationsOfShard([changed], { index, count: 3 }));
  expect(
    shards.map(({ entries, certificates }) => [
      entries.map(({ hostname }) => hostname),
      certificates.map(({ name }) => name),
    ]),
  ).toEqual([
    [["b.example.com"], [b, rsa]],
    [["a.example.com", "PRIMARY"], [a]],
  ]);
});
