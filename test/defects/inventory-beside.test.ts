import { sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { makeChainCertificate } from "../support/made-chain";

/** Certificates whose chain, key or issuer in the same folder is wrong, and harmless folders beside them. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "defects-beside-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
const authority = (constraints?: Parameters<typeof makeChainCertificate>[0]["constraints"]) =>
  makeChainCertificate({
    commonName: "CA",
    isAuthority: true,
    issuer: root,
    ...(constraints === undefined ? {} : { constraints }),
  });
const middle = authority();
const make = (issuer = middle, ...names: readonly string[]) =>
  makeChainCertificate({ commonName: "leaf", names: names.length > 0 ? names : ["a.example.com"], issuer });
const leaf = make();
const other = make();
const limited = authority({ permitted: ["example.com"], excluded: ["old.example.com"] });
const chained = (...names: readonly string[]) => make(limited, ...names).pem + limited.pem;

async function take(files: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { stdout, stderr, exitCode } = await runCli(["inventory", folder, "--json"], { now: () => new Date() });
  const secrets = [leaf, other].flatMap(({ keyPem }) =>
    keyPem.split("\n").filter((line) => /^[A-Za-z0-9+/=]{40,}/.test(line)),
  );
  expect(secrets.filter((line) => `${stdout}${stderr}`.includes(line))).toEqual([]);
  const { certificates } = JSON.parse(stdout) as { certificates: { problems: { code: string; message: string }[] }[] };
  return {
    exitCode,
    problems: certificates.flatMap(({ problems }) => problems.map(({ code, message }) => `${code}: ${message}`)),
  };
}

const full = leaf.pem + middle.pem;
const foreign = (where: string) =>
  `key-of-another-certificate: the private key ${where} belongs to another certificate`;
const forbidden = (names: string) => `name-constraints-violated: the name constraints of CN=CA do not allow ${names}`;

test.each<readonly [string, Readonly<Record<string, string>>, number, string]>([
  [
    "a leaf without its intermediate",
    { "a.pem": leaf.pem },
    0,
    "intermediate-missing: its issuer CN=CA is neither in the file nor in its folder",
  ],
  [
    "a leaf with only its root",
    { "a.pem": leaf.pem + root.pem },
    0,
    "intermediate-missing: its issuer CN=CA is neither in the file nor in its folder",
  ],
  ["a key of another certificate in the file", { "a.pem": full + other.keyPem }, 4, foreign("in the same file")],
  ["a key of another certificate beside a file", { "a.pem": full, "a.key": other.keyPem }, 4, foreign("in a.key")],
  [
    "a wrong privkey.pem of certbot",
    { "cert.pem": leaf.pem, "fullchain.pem": full, "privkey.pem": other.keyPem },
    4,
    foreign("in privkey.pem"),
  ],
  [
    "a wrong key of an earlier version of certbot",
    { "fullchain1.pem": full, "privkey1.pem": other.keyPem, "privkey2.pem": leaf.keyPem },
    4,
    foreign("in privkey1.pem"),
  ],
  [
    "a name that an intermediate excludes",
    { "a.pem": chained("x.old.example.com", "a.example.com") },
    4,
    forbidden("x.old.example.com"),
  ],
  [
    "a name that an intermediate does not permit",
    { "a.pem": chained("a.example.net", "*.example.com") },
    4,
    forbidden("a.example.net"),
  ],
])("finds %s", async (_, files, exitCode, expected) => {
  expect(await take(files)).toEqual({ exitCode, problems: [expected] });
});

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ["a leaf with its intermediate", { "a.pem": full }],
  ["a leaf whose intermediate is in another file", { "cert.pem": leaf.pem, "chain.pem": middle.pem }],
  [
    "certbot's folder",
    { "cert.pem": leaf.pem, "chain.pem": middle.pem, "fullchain.pem": full, "privkey.pem": leaf.keyPem },
  ],
  ["a key in the same file", { "a.pem": full + leaf.keyPem }],
  ["a key of a certificate with another name", { "a.pem": full, "b.key": other.keyPem }],
  [
    "a key that can't be read",
    { "a.pem": full, "a.key": "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n" },
  ],
  ["names within the constraints", { "a.pem": chained("example.com", "*.example.com", "bold.example.com") }],
])("accepts %s", async (_, files) => {
  expect(await take(files)).toEqual({ exitCode: 0, problems: [] });
});

test("compares keys of different types without an error in later signatures", async () => {
  const rsa = makeChainCertificate({ commonName: "rsa", names: ["a.example.com"], issuer: middle, keyType: "rsa" });
  const found = await take({ "a.pem": rsa.pem + middle.pem, "a.key": other.keyPem });
  expect(() => sign("sha256", Buffer.from("x"), rsa.keyPem)).not.toThrow();
  expect(found).toEqual({ exitCode: 4, problems: [foreign("in a.key")] });
});
