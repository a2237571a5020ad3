import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../lib/cli/program";
import { parseMigrationDocument } from "../../lib/plan";
import { testIo } from "../support/io";

const certificates = join(__dirname, "..", "..", "examples", "from-certificates", "certificates");
const files = join(__dirname, "..", "fixtures", "inventory", "files");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inventory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...words: readonly string[]) {
  const io = testIo({ now: () => new Date("2027-01-01T00:00:00Z") });
  const exitCode = await runCommandLine(["inventory", ...words], io, "0.0.0");
  return { exitCode, out: io.out(), err: io.err() };
}

test("lists names, expiry, key and file for people", async () => {
  const { exitCode, out } = await run(join(certificates, "shop.pem"));
  expect(exitCode).toBe(0);
  expect(out).toMatch(
    /^names\s+expires\s+key\s+file\n\*\.example\.com, example\.com\s+2066-\d\d-\d\d\s+rsa-2048\s+\S+shop\.pem\n$/,
  );
});

test("prints one JSON document for programs", async () => {
  const { out } = await run(certificates, "--json");
  const { certificates: found, errors } = JSON.parse(out);
  expect(errors).toEqual([]);
  expect(found).toHaveLength(6);
  expect(Object.keys(found[0]).slice(0, 11)).toEqual([
    "source",
    "index",
    "domains",
    "commonName",
    "issuer",
    "serialNumber",
    "notBefore",
    "notAfter",
    "keyType",
    "selfSigned",
    "problems",
  ]);
});

test("writes a migration that is read back, whole and in place of nothing", async () => {
  const out = join(folder, "migration.yaml");
  expect((await run(certificates, "--out", out, "--name", "shop")).exitCode).toBe(0);
  const read = parseMigrationDocument(readFileSync(out, "utf8"), { source: out });
  expect("spec" in read && read.spec.certificates).toHaveLength(6);
  const second = await run(certificates, "--out", out);
  expect(second.exitCode).toBe(2);
  expect(second.err).toContain("[file-exists]");
  expect((await run(certificates, "--out", out, "--force")).exitCode).toBe(0);
  expect(readdirSync(folder)).toEqual(["migration.yaml"]);
});

test("what can't be read is exit code 4, and the rest is reported", async () => {
  const { exitCode, out, err } = await run(join(files, "plain.pem"), join(files, "notes.txt"));
  expect(exitCode).toBe(4);
  expect(out).toContain("rsa.example.com");
  expect(err).toContain("notes.txt: it is neither PEM");
});

test("nothing to migrate leaves no file", async () => {
  const out = join(folder, "migration.yaml");
  expect((await run(join(files, "notes.txt"), "--out", out)).err).toContain("is not written");
  expect(existsSync(out)).toBe(false);
});

test("passwords come from a file, never from the command line", async () => {
  const passwords = join(folder, "passwords");
  writeFileSync(passwords, "wrong\nsesame\n");
  expect((await run(join(files, "modern.p12"), "--password-file", passwords)).exitCode).toBe(0);
  expect((await run(join(files, "modern.p12"), "--password-file", join(folder, "none"))).err).toContain(
    "[file-unreadable]",
  );
});

test("a mistyped command and a mistyped flag are answered with a suggestion", async () => {
  const io = testIo();
  expect(await runCommandLine(["inventary"], io, "0.0.0")).toBe(2);
  expect(await runCommandLine(["inventory", ".", "--jsn"], io, "0.0.0")).toBe(2);
  expect(io.err()).toContain("did you mean 'inventory'?");
  expect(io.err()).toContain("did you mean --json?");
});
