/** A trial of `npm run conformance -- --trial` in the rehearsal cloud, with real Terraform, DNS and TLS. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { conform } from "../../conformance/conform";

jest.setTimeout(600_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trial-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prefix = "cf000000";
const contentOf = (name: string) => readFileSync(join(folder, `${prefix}-trial`, name), "utf8");
const linesOf = (name: string) =>
  contentOf(name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

async function tryOut(words: readonly string[], { stopAt }: { readonly stopAt?: string } = {}) {
  const stopping = new AbortController();
  let printed = "";
  const out = (text: string) => {
    printed += text;
    if (stopAt !== undefined && text.startsWith(stopAt)) stopping.abort(new Error("stopped"));
  };
  let progress = "";
  const exitCode = await conform(["--trial", ...words], {
    out,
    err: (text) => {
      progress += text;
    },
    input: Readable.from([]),
    now: () => new Date(),
    signal: stopping.signal,
    journals: folder,
  });
  return { exitCode, printed, progress };
}

test("migrates one hostname from a previous provider, rolls back and moves again without a failed handshake", async () => {
  const { exitCode, printed, progress } = await tryOut(["--previous", "198.51.100.10"]);
  expect({ exitCode, progress }).toEqual({ exitCode: 0, progress: expect.stringContaining("good: all traffic") });
  expect(printed.split("\n")).toEqual([
    "deploy: authorization, certificate, map, entry, proxy and forwarding rule",
    "verify before traffic moves",
    "move traffic to the load balancer",
    "roll back",
    "move traffic for good",
    "destroy",
    `report: ${join(folder, `${prefix}-trial`, "report.html")}`,
    "",
  ]);
  for (const log of ["watch-rollback.jsonl", "watch-move.jsonl"]) expect(linesOf(log).length).toBeGreaterThan(3);
  expect(contentOf("report.html")).toContain(`${prefix}-trial.${prefix}.sandbox.example.com`);
  const { hostnames } = JSON.parse(contentOf("status.json")) as {
    readonly hostnames: readonly { readonly steps: readonly { readonly state: string }[] }[];
  };
  const states = hostnames.flatMap(({ steps }) => steps.map(({ state }) => state));
  expect(states).toEqual(Array.from({ length: 8 }, () => "done"));
  // Terraform's state is empty: everything is destroyed.
  expect(JSON.parse(contentOf("terraform.tfstate"))).toMatchObject({ resources: [] });
});

test("moves a new hostname, which has no previous provider to roll back to", async () => {
  const { exitCode, printed } = await tryOut([]);
  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: expect.not.stringContaining("roll back") });
});

test("prints what a trial requests, with placeholders, in a dry run", async () => {
  const { exitCode, printed } = await tryOut([
    "--dry-run",
    "--project",
    "shop-1",
    "--domain",
    "shop.example",
    "--zone",
    "shop-zone",
  ]);
  expect(exitCode).toBe(0);
  expect(printed).toMatch(/^POST \/compute\/v1\/projects\/shop-1\/global\/addresses$/m);
  expect(printed).toMatch(/^POST \/v1\/projects\/shop-1\/locations\/global\/certificateMaps\?certificateMapId=PREFIX/m);
  expect(printed).toMatch(/^DELETE .*certificateMaps/m);
  expect(printed).not.toMatch(/conformance-sandbox|cf000000|sandbox\.example/);
});

test("deletes what an interrupted apply has created", async () => {
  const { exitCode, printed } = await tryOut([], { stopAt: "move traffic" });
  expect(exitCode).toBe(2);
  expect(printed).not.toContain("not deleted");
  expect(existsSync(join(folder, `${prefix}-trial`, "report.html"))).toBe(false);
});
