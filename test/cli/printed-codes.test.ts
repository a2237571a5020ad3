/** Every error, warning and retry that a command prints ends with a code that `explain` knows. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands } from "../../lib/cli/table";
import { allCodes } from "../../lib/explain/codes";
import { runCli } from "../support/io";
import { type LoopbackServer, startServer } from "../support/loopback";
import { shopSpec } from "../support/migration-spec";

const known = new Set(allCodes().map(({ code }) => code));
let folder: string;
/** A service that refuses every request. */
let refusing: LoopbackServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "printed-codes-"));
  writeFileSync(join(folder, "migration.yaml"), shopSpec);
  refusing = await startServer((_request, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: 403, message: "no", status: "PERMISSION_DENIED" } }));
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await refusing[Symbol.asyncDispose]();
});

/** Returns the lines of stderr that report an error, a warning or a retry. */
const reportsIn = (stderr: string) =>
  stderr.split("\n").filter((line) => /^(?:error|warning|note): |; (?:\w+ )?again\b/.test(line));

async function expectCodes(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { exitCode, stderr } = await runCli(words, { env, now: () => new Date("2026-11-21T12:00:00Z") });
  expect([2, 3, 4, 5]).toContain(exitCode);
  const hasCode = (line: string) => known.has(/ \[([a-z0-9-]+)\]$/.exec(line)?.[1] ?? "");
  expect(reportsIn(stderr).filter((line) => !hasCode(line))).toEqual([]);
  if (exitCode === 2 || exitCode === 3) expect(stderr.split("\n").filter(hasCode)).not.toEqual([]);
}

const names = loadCommands().map(({ name }) => name);

test.each(names)("%s with an unknown option", async (name) => {
  await expectCodes([...name.split(" "), "--no-such-option"]);
});

const spec = ["--spec", "MIGRATION", "--project", "shop-1"];
const withEndpoint: readonly (readonly string[])[] = [
  ["records", ...spec],
  ["doctor", ...spec, "--dns-server", "127.0.0.1:1"],
  ["status", ...spec, "--dns-server", "127.0.0.1:1"],
  ["monitor", ...spec, "--dns-server", "127.0.0.1:1"],
  ["wait", "--certificate", "projects/shop-1/locations/global/certificates/c", "--timeout", "100ms"],
  ["inventory", "--project", "shop-1"],
  ["verify", ...spec, "--exact", "--address", "127.0.0.1", "--within", "100ms"],
  ["audit", "list"],
  ["audit", "tail", "--once", "--since", "2h"],
];
const withRootUrl: readonly (readonly string[])[] = [
  ["api", "list"],
  ["api", "show", "storage:v1"],
  ["api", "methods", "storage:v1"],
  ["api", "request", "storage:v1", "storage.buckets.list"],
  ["api", "validate", "storage:v1", "Bucket", "{}"],
  ["api", "compare", "storage:v1", "dns:v1"],
  ["api", "deprecations", "storage:v1"],
];
const asking = [
  ...withEndpoint.map((words) => [...words, "--endpoint", "SERVICE"]),
  ...withRootUrl.map((words) => [...words, "--root-url", "SERVICE"]),
];

test.each(asking.map((words) => [words.slice(0, 2).join(" "), words] as const))(
  "%s with a service that refuses every request",
  async (_, words) => {
    const places: Readonly<Record<string, string>> = {
      SERVICE: refusing.url,
      MIGRATION: join(folder, "migration.yaml"),
    };
    await expectCodes(
      words.map((word) => places[word] ?? word),
      { CERT_MIGRATION_ACCESS_TOKEN: "token" },
    );
  },
);

test("a request that is sent again", async () => {
  await using server = await startServer((_request, response, count) => {
    response.writeHead(count < 2 ? 503 : 403, { "retry-after": "0" }).end();
  });
  const { stderr } = await runCli(["api", "list", "--root-url", server.url]);
  expect(reportsIn(stderr)).toEqual([
    expect.stringMatching(/; asking again in \d s \[service-refused\]$/),
    expect.stringMatching(/^error: .* \[service-refused\]$/),
  ]);
});
