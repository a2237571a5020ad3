import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import { runWith, testIo } from "../support/io";
import { type LoopbackServer, startServer } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";

let folder: string;
let spec: string;
let service: LoopbackServer;
const commands = readOnlyCommands(
  () => service.requests.map(({ method, target }) => ({ httpMethod: method, target })),
  { asksNobody: true },
);

/** Runs a command line with the address of a service that it could query. */
const run: typeof commands.run = (words, change) =>
  commands.run(words, { ...change, env: { CERT_MIGRATION_ENDPOINT: service.url, ...change?.env } });

beforeAll(async () => {
  service = await startServer((_, response) => response.end("{}"));
  folder = mkdtempSync(join(tmpdir(), "cert-migration-plan-"));
  spec = join(folder, "migration.yaml");
  writeFileSync(spec, shopSpec);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service[Symbol.asyncDispose]();
});

test("shows a spec as a table", async () => {
  const { exitCode, stdout } = await run(["plan", "--spec", spec]);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")[0]).toMatch(/^what +name +for$/);
  expect(stdout).toMatch(/^entry +pay-example-net-[0-9a-f]{12} +pay\.example\.net by pay$/m);
});

test("reads a spec, or the spec to compare with, from standard input, and reports mistakes under that name", async () => {
  const { stdout } = await run(["plan", "--spec", spec]);
  expect(await run(["plan", "--spec", "-"], { stdin: shopSpec })).toEqual({ exitCode: 0, stdout, stderr: "" });
  const compared = await run(["plan", "--spec", spec, "--diff", "-"], { stdin: shopSpec });
  expect(compared).toEqual({ exitCode: 0, stdout: "", stderr: "no differences\n" });
  expect((await run(["plan", "--spec", "-", "--diff", "-"], { stdin: shopSpec })).stderr).toContain("[stdin-twice]");
  expect((await run(["plan", "--spec", "-"], { stdin: "name: 1\n" })).stderr).toContain("standard input:1");
});

test("names in each row its migration if there are several", async () => {
  const migration = { name: "shop", phase: "issue", gate: "none", loadBalancer: "globalExternal", certificates: [] };
  const authorizations = [
    { domain: "example.com", id: "projects/p/locations/global/dnsAuthorizations/a", location: "global" },
  ];
  const migrations = { "prod/a": { ...migration, authorizations }, "prod/b": { ...migration, authorizations } };
  const stdin = JSON.stringify({ cert_migration: { value: { version: 1, migrations } } });
  const { stdout } = await run(["plan", "--outputs", "-"], { stdin });
  expect(stdout).toBe(
    [
      "migration  what           name  for",
      "prod/a     authorization  a     for example.com",
      "prod/b     authorization  a     for example.com",
      "",
    ].join("\n"),
  );
});

test("refuses outputs whose record contains a line break, and prints nothing of them", async () => {
  const records = [
    { domain: "example.com", name: "a.example.\nentry  forged", data: "x.goog.", published: "external" },
  ];
  const migration = { name: "shop", phase: "issue", gate: "none", loadBalancer: "globalExternal", certificates: [] };
  const stdin = JSON.stringify({ version: 1, migrations: { shop: { ...migration, records } } });
  const { exitCode, stdout, stderr } = await run(["plan", "--outputs", "-"], { stdin });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toBe(
    "error: 'standard input': '/migrations/shop/records/0/name' is 'a.example.\\u{a}entry  forged', which has characters that can't be seen [outputs-malformed]\n",
  );
});

test("uses color only for differences, and only to repeat a word", async () => {
  const next = join(folder, "coloured.yaml");
  writeFileSync(next, shopSpec.replace("[pay.example.net]", "[pay.example.net, '*.pay.example.net']"));
  const env = { FORCE_COLOR: "1" };
  const { stdout } = await run(["plan", "--spec", spec, "--diff", next], { env });
  expect(stdout).toContain("\u001b[33mreplaced\u001b[0m");
  expect(stdout).toContain("\u001b[32madded\u001b[0m");
  expect((await run(["plan", "--spec", spec, "--diff", next, "--no-color"], { env })).stdout).not.toContain("\u001b");
  expect((await run(["plan", "--spec", spec], { env })).stdout).not.toContain("\u001b");
});

test("shows one certificate at a time with --tree", async () => {
  const { stdout } = await run(["plan", "--spec", spec, "--tree"]);
  expect(stdout).toMatch(/^├─ certificate pay pay-[0-9a-f]{12} \[managed\]$/m);
});

test("prints the migrations with their ids with --json, with the project of the environment", async () => {
  const { stdout } = await run(["plan", "--spec", spec, "--json"], { env: { GOOGLE_CLOUD_PROJECT: "shop-1" } });
  const { schemaVersion, migrations } = JSON.parse(stdout);
  expect(schemaVersion).toBe(1);
  expect(migrations[0].map.id).toMatch(/^projects\/shop-1\/locations\/global\/certificateMaps\/shop-/);
});

test("prints with --json nothing of a file that contains both private key and certificate, in a spec, which is refused, and in a stack", async () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
  writeFileSync(join(folder, "shop.pem"), certificatePem + privateKeyPem);
  const text = JSON.stringify({
    name: "shop",
    certificates: [
      { domains: ["example.com"], selfManaged: { certificatePem: "file:shop.pem", privateKeyVariable: "key" } },
    ],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal" },
    phase: "issue",
  });
  const uploading = join(folder, "uploading.yaml");
  writeFileSync(uploading, text);
  const read = parseMigrationDocument(text, { source: uploading, readFile: () => certificatePem });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const stack = join(folder, "uploading");
  mkdirSync(stack);
  const synthesized = JSON.stringify(synthesizeSpec(read.spec, "shop-1"));
  const written = certificatePem.replaceAll("\r\n", "\n");
  const both = synthesized.replace(JSON.stringify(written), JSON.stringify(written + privateKeyPem));
  expect(both).toContain("PRIVATE KEY");
  writeFileSync(join(stack, "cdk.tf.json"), both);
  const refused = await run(["plan", "--spec", uploading, "--json"]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("[private-key-in-certificate]");
  expect(refused.stdout + refused.stderr).not.toMatch(/BEGIN|PRIVATE/);
  const { exitCode, stdout } = await run(["plan", "--stack", stack, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).migrations[0].certificates[0]).toMatchObject({ kind: "selfManaged", name: "example.com" });
  expect(stdout).not.toMatch(/BEGIN|PRIVATE|uploadedPem/);
});

test("exits with 4 for differences with --diff, and with 0 otherwise", async () => {
  const next = join(folder, "next.yaml");
  writeFileSync(next, shopSpec.replace("[pay.example.net]", "[pay.example.net, '*.pay.example.net']"));
  const { exitCode, stdout, stderr } = await run(["plan", "--spec", spec, "--diff", next]);
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(/^replaced +certificate +pay-[0-9a-f]{12} +managed, .*, was pay-[0-9a-f]{12}$/m);
  expect(stderr).toBe("2 differences\n");
  expect((await run(["plan", "--spec", spec, "--diff", next, "--quiet"])).stderr).toBe("");
  expect((await run(["plan", "--spec", spec, "--diff", spec])).exitCode).toBe(0);
});

test("refuses outputs from standard input that contain control characters", async () => {
  const certificate = { name: "shop", kind: "managed", id: "projects/p/locations/global/certificates/c\u001b[2J" };
  const migration = {
    name: "shop",
    phase: "issue",
    gate: "none",
    loadBalancer: "globalExternal",
    certificates: [{ ...certificate, domains: ["example.com"], location: "global", scope: "DEFAULT" }],
  };
  const stdin = JSON.stringify({ cert_migration: { value: { version: 1, migrations: { "prod/shop": migration } } } });
  const { exitCode, stdout, stderr } = await run(["plan", "--outputs", "-"], { stdin });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("c\\u{1b}[2J");
  expect(stderr).not.toContain("\u001b");
});

test.each([
  ["no source", [], "source-missing"],
  ["two sources", ["--spec", "x", "--stack", "y"], "source-twice"],
  ["a file that is not there", ["--spec", "/nowhere/migration.yaml"], "file-unreadable"],
  ["a folder without a stack", ["--stack", "/nowhere"], "file-unreadable"],
])("refuses %s with exit code 2", async (_, words, code) => {
  const { exitCode, stderr } = await run(["plan", ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});

test("selects one migration of a stack by its path, and the stack by its folder or file", async () => {
  const stack = join(folder, "stack");
  const migration = {
    name: "shop",
    phase: "issue",
    gate: "none",
    loadBalancer: "globalExternal",
    certificates: [
      {
        name: "c",
        kind: "managed",
        id: "projects/p/locations/global/certificates/c",
        location: "global",
        scope: "DEFAULT",
      },
    ],
  };
  mkdirSync(stack, { recursive: true });
  const migrations = { "prod/a": migration, "prod/b": migration };
  writeFileSync(
    join(stack, "cdk.tf.json"),
    JSON.stringify({ output: { cert_migration: { value: { version: 1, migrations } } } }),
  );
  const { stdout } = await run(["plan", "--stack", stack, "--migration", "prod/b", "--json"]);
  expect(JSON.parse(stdout).migrations.map(({ path }: { readonly path: string }) => path)).toEqual(["prod/b"]);
  expect((await run(["plan", "--stack", stack, "--migration", "prod/c"])).stderr).toContain("[migration-unknown]");
  const ofFile = await run(["plan", "--stack", join(stack, "cdk.tf.json"), "--migration", "prod/b", "--json"]);
  expect(ofFile.stdout).toBe(stdout);
});

test.each([
  ["--project 'projects/shop'", ["--project", "projects/shop"], {}],
  ["GOOGLE_CLOUD_PROJECT 'My_Project'", [], { GOOGLE_CLOUD_PROJECT: "My_Project" }],
  ["GOOGLE_PROJECT 'shop-'", [], { GOOGLE_PROJECT: "shop-" }],
])("refuses the project of %s", async (place, words, env) => {
  const { exitCode, stderr } = await run(["plan", "--spec", spec, ...words], { env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`error: ${place} is not a project id; `);
  expect(stderr).toContain("[project-id-malformed]");
});

describe("on a terminal", () => {
  const shownIn = async (columns: number, ...words: readonly string[]) => {
    const shown: string[] = [];
    const stdout = { write: (text: string) => shown.push(text), isTTY: true, columns };
    const given = ["plan", "--spec", "examples/from-spec/migration.yaml", ...words];
    expect(await runWith(given, testIo({ stdout, color: false }))).toBe(0);
    return shown.join("");
  };

  test.each([60, 80, 120, 200])("breaks the table only between words in %i columns", async (columns) => {
    const screen = await shownIn(columns);
    expect(screen.split("\n").filter((line) => line.length > columns)).toEqual([]);
    expect(screen).toMatchSnapshot();
  });

  test("keeps the branches of a tree beside a wrapped line", async () => {
    const screen = await shownIn(60, "--tree");
    expect(screen.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(screen).toMatchSnapshot();
  });
});
