import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NameServer, startNameServer } from "../../lib/cloud/name-server";
import { parseMigrationDocument, planMigration } from "../../lib/plan";
import { recordSet } from "../cloud/name-server/example-zones";
import { runCli, runWith, slowClock, testIo } from "../support/io";
import { makeChainCertificate } from "../support/made-chain";
import { type Servers, startServers } from "../support/servers";
import { createZone, createZoneSource } from "../support/zones";

const certificates = join(__dirname, "..", "..", "examples", "from-certificates", "certificates");
const files = join(__dirname, "..", "fixtures", "inventory", "files");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inventory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...words: readonly string[]) {
  const io = testIo({ now: () => new Date("2027-01-01T00:00:00Z") });
  const exitCode = await runWith(["inventory", ...words], io);
  return { exitCode, out: io.out(), err: io.err() };
}

test("lists names, expiry, key and file for people", async () => {
  const { exitCode, out } = await run(join(certificates, "shop.pem"));
  expect(exitCode).toBe(0);
  expect(out).toMatch(
    /^names\s+expires\s+key\s+file\n\*\.example\.com, example\.com\s+2066-\d\d-\d\d\s+rsa-2048\s+\S+shop\.pem\n$/,
  );
});

test("succeeds for a folder with other files beside the certificates, and lists them as skipped", async () => {
  const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
  const { pem, keyPem } = makeChainCertificate({ commonName: "a", names: ["a.example.com"], issuer: root });
  writeFileSync(join(folder, "fullchain.pem"), pem + root.pem);
  writeFileSync(join(folder, "privkey.pem"), keyPem);
  writeFileSync(join(folder, "README"), "notes");
  const io = testIo({ now: () => new Date() });
  expect(await runWith(["inventory", folder], io)).toBe(0);
  expect(io.err()).toContain("README: skipped: it is not a certificate file [certificate-file-unknown]");
  expect(io.err()).toContain("privkey.pem: skipped: the file has no leaf certificate; it contains no certificate");
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

test("writes a migration that can be read back, completely and without overwriting a file", async () => {
  const out = join(folder, "migration.yaml");
  expect((await run(certificates, "--out", out, "--name", "shop")).exitCode).toBe(0);
  const read = parseMigrationDocument(readFileSync(out, "utf8"), { source: out });
  expect("spec" in read && read.spec.certificates).toHaveLength(6);
  const second = await run(certificates, "--out", out);
  expect(second.exitCode).toBe(2);
  expect(second.err).toContain("[file-exists]");
  // The command checks the output file before it would connect to live servers.
  expect(second.out).toBe("");
  expect((await run(certificates, "--out", out, "--force")).exitCode).toBe(0);
  expect(readdirSync(folder)).toEqual(["migration.yaml"]);
});

test("exits with 4 for an unreadable file, and reports the others", async () => {
  const { exitCode, out, err } = await run(join(files, "plain.pem"), join(files, "notes.txt"));
  expect(exitCode).toBe(4);
  expect(out).toContain("rsa.example.com");
  expect(err).toContain("notes.txt: it is neither PEM");
});

test("writes no file if there is nothing to migrate", async () => {
  const out = join(folder, "migration.yaml");
  expect((await run(join(files, "notes.txt"), "--out", out)).err).toContain("is not written");
  expect(existsSync(out)).toBe(false);
});

test.each([[[]], [["--json"]]])(
  "reports a folder without files with %j, because exit code 4 alone is ambiguous",
  async (words) => {
    const { exitCode, err } = await run(folder, ...words);
    const wanted = "use certificate files (PEM, DER, PKCS#7, PKCS#12), or folders with some in or below them";
    expect(exitCode).toBe(4);
    expect(err).toBe(
      `no certificate was found in '${folder}': the folder has no readable files; ${wanted} [certificates-not-found]\n`,
    );
  },
);

test("prints only the migration with --out -, and the findings to stderr", async () => {
  const printed = await run(join(certificates, "shop.pem"), "--out", "-");
  const file = join(folder, "migration.yaml");
  const written = await run(join(certificates, "shop.pem"), "--out", file);
  expect(printed.exitCode).toBe(0);
  expect(printed.out).toBe(readFileSync(file, "utf8"));
  expect(printed.err).toBe(`${written.out}${written.err.replace(file, "standard output")}`);
  expect(await run(certificates, "--out", "-", "--json")).toEqual({
    exitCode: 2,
    out: "",
    err: "error: --out - and --json or --format both print to standard output; give --out a file [stdout-twice]\n",
  });
});

test.each([
  [["--timeout", "5"], "duration-malformed"],
  [["--within", "5"], "duration-malformed"],
  [["--concurrency", "0"], "number-malformed"],
  [["--connect", "shop.example.com"], "connect-malformed"],
])("refuses %j also if only files are read", async (words, code) => {
  const { exitCode, out, err } = await run(certificates, ...words);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
  expect(err).toContain(`[${code}]`);
});

test("reads passwords from a file, never from the command line", async () => {
  const passwords = join(folder, "passwords");
  writeFileSync(passwords, "wrong\nsesame\n");
  expect((await run(join(files, "modern.p12"), "--password-file", passwords)).exitCode).toBe(0);
  expect((await run(join(files, "modern.p12"), "--password-file", join(folder, "none"))).err).toContain(
    "[file-unreadable]",
  );
});

test("suggests a correction for a mistyped command and a mistyped option", async () => {
  const io = testIo();
  expect(await runWith(["inventary"], io)).toBe(2);
  expect(await runWith(["inventory", ".", "--jsn"], io)).toBe(2);
  expect(io.err()).toContain("did you mean 'inventory'?");
  expect(io.err()).toContain("did you mean --json?");
});

describe("for live servers", () => {
  const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
  const wildcard = makeChainCertificate({ commonName: "shop", names: ["example.com", "*.example.com"], issuer: root });
  const dnsLines = [
    "@ 300 SOA ns1.example.com. h.example.com. 1 2 3 4 5",
    "@ 3600 A 127.0.0.1",
    "@ 3600 AAAA ::1",
    "shop 60 A 127.0.0.1",
    "www 600 CNAME shop.example.com.",
    "fails 60 A 127.0.0.1",
  ];
  let servers: Servers;
  let names: NameServer;
  let port: number;
  let ca: string;

  beforeAll(async () => {
    const zone = createZone(
      "example.com.",
      dnsLines.map((line) => recordSet("example.com.", line)),
    );
    const fault = ({ name }: { readonly name: string }) =>
      name === "fails.example.com." ? ({ rcode: "SERVFAIL" } as const) : {};
    names = await startNameServer({ zones: createZoneSource([zone]), fault });
    servers = startServers();
    port = await servers.tls([wildcard]);
    await servers.tls([wildcard], { address: "::1", port });
  });
  afterAll(async () => {
    await names.close();
    await servers[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    ca = join(folder, "ca.pem");
    writeFileSync(ca, root.pem);
  });

  const live = (words: readonly string[], stdin = "") =>
    runCli(["inventory", ...words, "--dns-server", `127.0.0.1:${names.port}`, "--ca", ca], {
      now: () => new Date(),
      stdin,
    });

  test("prints certificates, servers, names and findings for people", async () => {
    const { exitCode, stdout } = await live([`example.com:${port}`, `www.example.com:${port}`]);
    const until = wildcardUntil();
    const output = stdout.replaceAll(String(port), "PORT").replaceAll(until, "UNTIL");
    expect(output).toBe(`names                       expires     key         found at
*.example.com, example.com  UNTIL  ecdsa-p256  example.com:PORT and 1 more

host                   address    served                                for it    chain
example.com:PORT      127.0.0.1  ecdsa-p256 until UNTIL, TLSv1.3  exact     trusted
example.com:PORT      ::1        ecdsa-p256 until UNTIL, TLSv1.3  exact     trusted
www.example.com:PORT  127.0.0.1  ecdsa-p256 until UNTIL, TLSv1.3  wildcard  trusted

name             in DNS                      kept for
example.com      127.0.0.1, ::1              3600 s
www.example.com  alias of shop.example.com.  600 s

www.example.com:PORT
  - info: it is served by the wildcard *.example.com [wildcard-coverage]

127.0.0.1:PORT
  - info: clients that name no host get the certificate for *.example.com, example.com (and at 1 other address), which is for example.com, www.example.com [no-sni-served]

example.com
  - warning: its records may be kept for 3600 seconds [ttl-long]

www.example.com
  - info: it is an alias of shop.example.com. [name-is-alias]
  - warning: its records may be kept for 600 seconds [ttl-long]

what to do
  wildcard-coverage: the migration serves the host with the wildcard too; no action is needed
  no-sni-served: a certificate map serves them only with a PRIMARY entry: set 'primary: true' on the certificate if you have clients without SNI
  ttl-long: lower the TTL to 60 seconds, and wait for the previous TTL before traffic moves
  name-is-alias: when traffic moves, the target of the CNAME changes, not its type; the CNAME must be in a zone that you can change
`);
    expect(exitCode).toBe(0);
  });

  function wildcardUntil(): string {
    return new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
  }

  test("reads hosts from arguments, options, a file and standard input, each host once", async () => {
    const list = join(folder, "hosts.txt");
    writeFileSync(list, `# ours\nexample.com:${port} # root\n\nshop.example.com:${port}\n`);
    const given = [`example.com:${port}`, "--host", `example.com:${port}`, "--json"];
    const hostsOf = async (run: ReturnType<typeof live>) => {
      const { hosts } = JSON.parse((await run).stdout) as { readonly hosts: readonly { readonly host: string }[] };
      return hosts.map(({ host }) => host);
    };
    expect(await hostsOf(live([...given, "--hosts", list]))).toEqual(["example.com", "shop.example.com"]);
    expect(await hostsOf(live([...given, "--hosts", "-"], `www.example.com:${port}`))).toEqual([
      "example.com",
      "www.example.com",
    ]);
  });

  test("reports all mistakes of arguments and lists at once, and sends no request", async () => {
    const { exitCode, stdout, stderr } = await live(
      ["*.example.com", "--hosts", "-"],
      "ok.example.com\nhttps://x\na.example.com:0",
    );
    expect(stdout).toBe("");
    expect(exitCode).toBe(2);
    expect([...stderr.matchAll(/\[([a-z-]+)\]$/gm)].map(([, code]) => code)).toEqual([
      "host-is-wildcard",
      "hostname-has-scheme",
      "host-port-malformed",
    ]);
  });

  test.each([
    [["missing.pem"], 4, /missing\.pem: the file or folder does not exist/],
    [["no/such/folder"], 4, /no\/such\/folder: the file or folder does not exist/],
    [[], 2, /there is nothing to look at.*\[source-missing\]/],
    [["example.com", "--connect", "localhost"], 2, /--connect 'localhost' is not an IP address.*\[connect-malformed\]/],
    [["example.com", "--timeout", "soon"], 2, /\[duration-malformed\]/],
    [["example.com", "--concurrency", "0"], 2, /\[number-malformed\]/],
    [["example.com", "--dns-server", "nowhere"], 2, /\[dns-server-malformed\]/],
    [["--hosts", "/nowhere/hosts.txt"], 2, /--hosts: '\/nowhere\/hosts\.txt' can't be read.*\[file-unreadable\]/],
  ])("%j exits with %i", async (words, exitCode, message) => {
    const ended = await runCli(["inventory", ...words]);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).toMatch(message);
  });

  test("connects to another server with --connect, and still queries DNS", async () => {
    const other = await servers.tls([makeChainCertificate({ commonName: "new", names: ["shop.example.com"] })], {
      address: "127.0.0.2",
    });
    const { exitCode, stdout } = await live([`shop.example.com:${other}`, "--connect", "127.0.0.2", "--json"]);
    const { hosts, names: compared } = JSON.parse(stdout);
    expect(hosts[0].endpoints.map(({ address }: { readonly address: string }) => address)).toEqual(["127.0.0.2"]);
    expect(compared).toMatchObject([{ name: "shop.example.com", records: { a: { addresses: ["127.0.0.1"] } } }]);
    expect(exitCode).toBe(0);
  });

  test("exits with 4 for a finding of severity error, and prints what to do", async () => {
    const { exitCode, stdout } = await live(["shop.example.com:1", `example.com:${port}`]);
    expect(exitCode).toBe(4);
    expect(stdout).toContain("  - error: 127.0.0.1 refuses connections (ECONNREFUSED) [connection-refused]\n");
    expect(stdout).toContain("\nwhat to do\n");
    expect(stdout).toMatch(/^ {2}connection-refused: remove an unused address from DNS/m);
  });

  test("escapes server text for the terminal", async () => {
    const nasty = makeChainCertificate({
      commonName: "\u001b[2J",
      names: ["shop.example.com", "x\u001b[31m.example.com"],
    });
    const { stdout, stderr } = await live([`shop.example.com:${await servers.tls([nasty])}`]);
    expect(stdout + stderr).not.toContain("\u001b");
    expect(stdout).toContain("x\\u{1b}[31m.example.com");
  });

  test("writes the current records into the migration, which can be planned without a finding", async () => {
    const out = join(folder, "migration.yaml");
    const hosts = ["example.com", "www.example.com", "gone.example.com"].map((host) => `${host}:${port}`);
    const { stderr } = await live([...hosts, "--out", out, "--name", "shop"]);
    const read = parseMigrationDocument(readFileSync(out, "utf8"), { source: out });
    const spec = "spec" in read ? read.spec : undefined;
    expect(spec).toEqual({
      name: "shop",
      certificates: [{ kind: "managed", name: "example.com", domains: ["*.example.com", "example.com"] }],
      dns: { kind: "external" },
      traffic: {
        to: "previous",
        hostnames: ["example.com", "www.example.com"],
        previous: {
          "example.com": { a: ["127.0.0.1"], aaaa: ["::1"] },
          "www.example.com": { cname: "shop.example.com." },
        },
      },
      mustServe: ["*.example.com", "example.com", "gone.example.com", "www.example.com"],
    });
    expect(planMigration(spec as NonNullable<typeof spec>).findings).toEqual([]);
    expect(stderr).toContain("traffic: records are kept for up to 3600 seconds (example.com)");
  });

  test("leaves a name without DNS records out of traffic, and reports it", async () => {
    const out = join(folder, "migration.yaml");
    const hosts = ["example.com", "fails.example.com"].map((host) => `${host}:${port}`);
    const { exitCode, stderr } = await live([...hosts, "--out", out]);
    const read = parseMigrationDocument(readFileSync(out, "utf8"), { source: out });
    expect("spec" in read && read.spec.traffic?.hostnames).toEqual(["example.com"]);
    expect(stderr).toContain(
      "traffic: the DNS look-up of fails.example.com failed; add the records to traffic.previous",
    );
    expect(exitCode).toBe(4);
  });

  test("checks certificates in files against DNS too with --dns", async () => {
    const file = join(folder, "shop.pem");
    const out = join(folder, "migration.yaml");
    writeFileSync(file, makeChainCertificate({ commonName: "shop", names: ["www.example.com"], issuer: root }).pem);
    const { exitCode } = await live([file, "--dns", "--out", out]);
    const read = parseMigrationDocument(readFileSync(out, "utf8"), { source: out });
    expect("spec" in read && read.spec.traffic).toEqual({
      to: "previous",
      previous: { "www.example.com": { cname: "shop.example.com." } },
    });
    expect(exitCode).toBe(0);
  });
});

test("reports how much was done when it is stopped, and does not report the stop as an error of the site", async () => {
  const io = testIo({ signal: AbortSignal.abort() });
  expect(await runWith(["inventory", "127.0.0.1:1", "127.0.0.2:1", "--no-dns"], io)).toBe(4);
  expect(io.err()).toContain(
    "stopped before the end: 0 of 2 addresses checked; the state of the others is unknown; run the command again [stopped]\n",
  );
});

describe("the progress of an inventory", () => {
  test("prints a line on stderr from time to time while files are read", async () => {
    const { stderr } = await runCli(["inventory", certificates], { now: slowClock() });
    expect(stderr).toMatch(/^1 file, \d+ s$/m);
    expect(stderr).toMatch(/^[2-9] files, \d+ s$/m);
  });

  test.each(["--json", "--quiet"])("does not appear with %s", async (flag) => {
    const { stderr } = await runCli(["inventory", certificates, flag], { now: slowClock() });
    expect(stderr).not.toMatch(/^\d+ files?,/m);
  });
});
