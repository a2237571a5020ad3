import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testIo } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";

const name = "projects/p/locations/global/certificates/shop";

/** Starts a service with the read methods of Certificate Manager's REST API, over plain HTTP on loopback. */
let server: Server;
let endpoint: string;
let answer: { readonly status: number; readonly body: unknown };
let requests: { readonly httpMethod: string; readonly target: string; readonly authorization: string | undefined }[];
const commands = readOnlyCommands(() => requests);

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    const { method: httpMethod = "", url: target = "", headers } = request;
    requests.push({ httpMethod, target, authorization: headers.authorization });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const managed = (state: string, more: object = {}) => ({ name, managed: { domains: ["example.com"], state, ...more } });

async function run(...words: readonly string[]) {
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: endpoint } });
  const exitCode = await commands.runWith(["wait", ...words], io);
  return { exitCode, out: io.out(), err: io.err() };
}

test("exits with 0 for an active certificate, after one request without credentials", async () => {
  answer = { status: 200, body: managed("ACTIVE") };
  const { exitCode, out } = await run("--certificate", name, "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual({
    schemaVersion: 1,
    verdict: "active",
    resources: [{ name, state: "ACTIVE", findings: [] }],
  });
  expect(requests.map(({ target }) => target.split("?")[0])).toEqual([`/v1/${name}`]);
  expect(requests[0]?.authorization).toBeUndefined();
});

test("treats a self-managed certificate as active when it exists", async () => {
  answer = { status: 200, body: { name, selfManaged: {}, sanDnsnames: ["example.com"] } };
  expect((await run("--certificate", name)).exitCode).toBe(0);
});

test("exits with 4 for a failed certificate, with the reasons", async () => {
  const attempts = [{ domain: "example.com", state: "FAILED", failureReason: "CONFIG", details: "no CNAME\u001b[2J" }];
  answer = { status: 200, body: managed("FAILED", { authorizationAttemptInfo: attempts }) };
  const { exitCode, err } = await run("--certificate", name);
  expect(exitCode).toBe(4);
  expect(err).toContain(
    `${name}: FAILED\n  example.com: the CNAME of the domain's authorization is missing or wrong (no CNAME`,
  );
  expect(err).toContain(
    "with its trailing dots [domain-config]\n  the certificate has failed, and never recovers on its own - fix",
  );
  expect(err).toContain("1 of 1 certificate failed; nothing was changed");
  expect(err).not.toContain("\u001b");
});

test.each([
  ["--quiet", "--certificate"],
  ["--certificate", "--quiet"],
])("prints only the result with --quiet before or after the command", async (...words) => {
  answer = { status: 200, body: managed("PROVISIONING") };
  const own = words.flatMap((word) => (word === "--certificate" ? [word, name] : [word]));
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: endpoint } });
  const before = own[0] === "--quiet" ? ["--quiet", "wait", ...own.slice(1)] : ["wait", ...own];
  expect(await commands.runWith([...before, "--timeout", "100ms"], io)).toBe(5);
  expect(io.err().split("\n")).toEqual([
    expect.stringMatching(/^projects\/p\/\S+: PROVISIONING - the certificate is being issued or renewed/),
    "1 of 1 certificate not active in time; nothing was changed, what served before still serves",
    "",
  ]);
});

test("moves a line on a terminal, and erases it at the end", async () => {
  answer = { status: 200, body: managed("PROVISIONING") };
  const written: string[] = [];
  const stderr = { write: (text: string) => written.push(text), isTTY: true, columns: 100 };
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: endpoint }, stderr });
  expect(await commands.runWith(["wait", "--certificate", name, "--timeout", "1s"], io)).toBe(5);
  // The display may draw the same line again.
  const drawn = written.filter((text, index) => text !== written[index - 1]);
  expect(drawn).toEqual([
    "\r[                        ] 0 of 1 certificate  0 s of 1 s\u001b[K",
    "\r\u001b[K",
    expect.stringMatching(/^projects\/p\/\S+: PROVISIONING - /),
    "\r[                        ] 0 of 1 certificate  0 s of 1 s\u001b[K",
    "\r\u001b[K",
    "\u001b[1m\u001b[33m~ 1 of 1 certificate not active in time\u001b[0m\u001b[0m; nothing was changed, what served before still serves\n",
  ]);
});

test("waits for a missing certificate until the time is over: exit code 5", async () => {
  answer = { status: 404, body: { error: { code: 404, status: "NOT_FOUND", message: "not found" } } };
  const { exitCode, err } = await run("--certificate", name, "--timeout", "100ms");
  expect(exitCode).toBe(5);
  expect(err).toContain(`${name}: MISSING - the certificate does not exist, or not yet`);
});

test("exits with 3 for a refusal, with the role to grant", async () => {
  answer = { status: 403, body: { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } } };
  const { exitCode, err } = await run("--certificate", name);
  expect(exitCode).toBe(3);
  expect(err).toContain("roles/certificatemanager.viewer");
});

test.each([
  [429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "too many" } }],
  [500, "a page of a proxy"],
  [200, undefined],
])("exits with 3 if every answer is HTTP %i, without a statement about what is served", async (status, body) => {
  answer = { status, body };
  const { exitCode, out, err } = await run("--certificate", name, "--timeout", "100ms", "--json");
  expect(exitCode).toBe(3);
  expect(out).toBe("");
  expect(err).toMatch(/^error: .*; the same command may succeed later \[service-\w+\]$/m);
  expect(err).not.toContain("still serves");
});

const map = "projects/p/locations/global/certificateMaps/main";
const entry = `${map}/certificateMapEntries/root`;

test("--for entries waits for map entries, with one list request for each map", async () => {
  const made = { name: entry, hostname: "example.com", state: "ACTIVE", certificates: [name] };
  answer = { status: 200, body: { certificateMapEntries: [made, { ...made, name: `${entry}-2` }] } };
  const { exitCode, out } = await run("--for", "entries", "--entry", entry, "--entry", `${entry}-2`, "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out).resources.map(({ state }: { readonly state: string }) => state)).toEqual(["ACTIVE", "ACTIVE"]);
  expect(requests.map(({ target }) => target.split("?")[0])).toEqual([`/v1/${map}/certificateMapEntries`]);
});

test.each([
  ["PENDING", { certificateMapEntries: [{ name: entry, hostname: "example.com", state: "PENDING" }] }],
  ["MISSING", {}],
])("exits with 5 for an entry that stays %s", async (state, body) => {
  answer = { status: 200, body };
  const { exitCode, err } = await run("--for", "entries", "--entry", entry, "--timeout", "100ms");
  expect(exitCode).toBe(5);
  expect(err).toContain(`${entry}: ${state} - `);
  expect(err).toContain("1 of 1 entry not active in time; nothing was changed");
});

test("waits for the resources of a migration without a list of their names", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cert-migration-wait-"));
  try {
    const spec = join(folder, "migration.yaml");
    writeFileSync(spec, shopSpec);
    answer = { status: 200, body: {} };
    const source = ["--spec", spec, "--timeout", "100ms"];
    const certificates = await run(...source, "--project", "shop-1");
    expect(certificates.err).toContain("2 of 2 certificates not active in time");
    const entries = await run(...source, "--project", "shop-1", "--for", "entries");
    expect(entries.err).toContain("3 of 3 entries not active in time");
    expect((await run(...source)).err).toContain("[project-unknown]");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("reads several certificates of a location with one list request", async () => {
  answer = { status: 200, body: { certificates: [managed("ACTIVE"), { ...managed("ACTIVE"), name: `${name}-2` }] } };
  expect((await run("--certificate", name, "--certificate", `${name}-2`)).exitCode).toBe(0);
  expect(requests.map(({ target }) => target.split("?")[0])).toEqual(["/v1/projects/p/locations/global/certificates"]);
});

test.each([
  [[], "certificate-missing"],
  [["--for", "entries"], "entry-missing"],
  [["--for", "entries", "--entry", name], "entry-name-malformed"],
  [["--certificate", "shop"], "certificate-name-malformed"],
  [
    ["--certificate", name, "--entry", "projects/p/locations/global/certificateMaps/m/certificateMapEntries/e"],
    "kind-mismatch",
  ],
  [["--for", "entries", "--certificate", name], "kind-mismatch"],
  [["--certificate", name, "--timeout", "soon"], "duration-malformed"],
  [["--certificate", name, "--endpoint", "http://127.0.0.1:1/path"], "endpoint-malformed"],
])("refuses %j with exit code 2 and %s", async (words, code) => {
  const { exitCode, err } = await run(...words);
  expect(exitCode).toBe(2);
  expect(err).toContain(`[${code}]`);
});
