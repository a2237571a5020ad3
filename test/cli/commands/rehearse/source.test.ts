import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readRehearsalSource } from "../../../../lib/cli/commands/rehearse/source";
import { synthesizeSpec } from "../../../../lib/cli/synthesize";
import type { MigrationSpec } from "../../../../lib/plan";
import { testIo } from "../../../support/io";

const folder = mkdtempSync(join(tmpdir(), "rehearsal-source-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const specOf = (dns: MigrationSpec["dns"]): MigrationSpec => ({
  name: "shop",
  certificates: [{ domains: ["example.com"] }],
  dns,
  loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "shop" } },
});
const read = (options: Readonly<Record<string, unknown>>, stdin = "") =>
  readRehearsalSource(
    { ...options, skipUnknown: true } as never,
    { gateCommand: "gate", terraform: "terraform" },
    { path: folder, endSignal: new AbortController().signal } as never,
    testIo({ stdin: Readable.from([Buffer.from(stdin)]) }),
  );

describe("rehearsing records that a person publishes manually", () => {
  test.each<[MigrationSpec["dns"], boolean]>([
    [{ kind: "external" }, true],
    [{ kind: "cloudDns", zones: { "example.com": "example-com" } }, false],
  ])("is reported for a spec with dns %j: %s", async (dns, isSaid) => {
    const file = join(folder, "migration.json");
    writeFileSync(file, JSON.stringify(specOf(dns)));
    const { notes } = await read({ spec: file });
    expect(notes.some((note) => note.includes("in zones of the rehearsal"))).toBe(isSaid);
  });

  test("is not reported for certificates in files without a DNS setting", async () => {
    const { notes } = await read({ certificates: join("examples", "from-certificates", "certificates") });
    expect(notes).toEqual(["11 hostnames, 6 certificates; the rehearsal takes a minute or so"]);
  });

  test.each<[MigrationSpec["dns"], boolean]>([
    [{ kind: "external" }, true],
    [{ kind: "cloudDns", zones: { "example.com": "example-com" } }, false],
  ])("is reported and done for a stack with dns %j: %s", async (dns, publishes) => {
    const stack = join(folder, "stack");
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, "cdk.tf.json"), JSON.stringify(synthesizeSpec(specOf(dns), "shop-1")));
    const { notes, migration } = await read({ stack });
    expect(notes.some((note) => note.includes("are published in the rehearsal"))).toBe(publishes);
    expect(migration.publishes).toBe(publishes);
    expect((await read({ stack: join(stack, "cdk.tf.json") })).notes).toEqual(notes);
  });
});

test("reads a spec from standard input", async () => {
  const { migration } = await read({ spec: "-" }, JSON.stringify(specOf({ kind: "external" })));
  expect(migration.hostnames.all).toContain("example.com");
});
