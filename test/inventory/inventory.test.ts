import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { type Inventory, inventoryToSpec, takeInventory } from "../../lib/inventory";
import { planMigration } from "../../lib/plan";
import { damagedFile } from "../support/damaged-files";
import { makeCertificate } from "../support/make-certificate";

const fixtures = join(__dirname, "..", "fixtures", "inventory");
const files = join(fixtures, "files");
const now = new Date("2026-11-21T00:00:00Z");
const take = (names: readonly string[], passwords: readonly string[] = []): Inventory =>
  takeInventory(
    names.map((name) => join(files, name)),
    { now, passwords },
  );

/** The output of openssl for the fixtures, recorded when they were created. */
const openssl = new Map(
  readFileSync(join(fixtures, "openssl.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([name, serial, notAfter, fingerprint]) => [name, { serial, notAfter, fingerprint }]),
);

const rsa = ["rsa.example.com", "www.rsa.example.com"];
const ec = ["*.ec.example.com", "ec.example.com"];

test.each([
  ["plain.pem", [rsa], "rsa"],
  ["chain-root-first.pem", [ec], "ec"],
  ["key-and-bag-attributes.pem", [ec], "ec"],
  ["windows.pem", [["cn-only.example.com"]], "cn"],
  ["three-leaves.pem", [rsa, ec, ["ip.example.com"]], "rsa"],
  ["binary.cer", [ec], "ec"],
  ["bundle.p7b", [ec], "ec"],
  ["bundle-der.p7c", [rsa], "rsa"],
  ["no-password.p12", [ec], "ec"],
  ["modern.p12", [rsa], "rsa"],
  ["legacy-rc2.pfx", [ec], "ec"],
  ["legacy-3des.pfx", [ec], "ec"],
  ["folder", [["ip.example.com"], ["self.example.com"]], "ip"],
])("%s: reads each leaf in agreement with openssl", (name, domains, first) => {
  const { certificates, errors } = take([name], ["wrong", "sesame"]);
  expect(errors).toEqual([]);
  expect(certificates.map((certificate) => certificate.domains)).toEqual(domains);
  const expected = openssl.get(first);
  expect(certificates[0]?.serialNumber).toBe(expected?.serial?.toLowerCase().replace(/^0+/, ""));
  expect(certificates[0]?.notAfter).toBe(new Date(expected?.notAfter ?? "").toISOString());
  expect(certificates[0]?.fingerprintSha256).toBe(expected?.fingerprint?.replace(/:/g, "").toLowerCase());
});

test("reports every field of a certificate", () => {
  expect(take(["chain-root-first.pem"]).certificates).toEqual(
    [
      {
        source: join(files, "chain-root-first.pem"),
        index: 1,
        domains: ec,
        commonName: "ec.example.com",
        issuer: "O=Fixture, CN=Fixture Root",
        serialNumber: "b02",
        notBefore: expect.stringMatching(/^2026-.*Z$/),
        notAfter: expect.stringMatching(/^2066-.*Z$/),
        keyType: "ecdsa-p384",
        selfSigned: false,
        problems: [
          expect.objectContaining({ code: "must-staple" }),
          expect.objectContaining({ code: "not-yet-valid" }),
        ],
        wildcards: ["*.ec.example.com"],
        ipAddresses: [],
        mustStaple: true,
        validation: null,
        fingerprintSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        places: [{ kind: "file", path: join(files, "chain-root-first.pem"), index: 1 }],
      },
    ].map((certificate) => ({
      ...certificate,
      problems: expect.arrayContaining([expect.objectContaining({ code: "must-staple" })]),
    })),
  );
});

test.each([
  ["authority-only.pem", /only CA certificates/],
  ["key-only.pem", /it contains no certificate/],
  ["notes.txt", /neither PEM, DER, PKCS#7 nor PKCS#12/],
  ["empty.pem", /neither PEM, DER, PKCS#7 nor PKCS#12/],
  ["cut-off.pem", /BEGIN CERTIFICATE has no END line/],
  ["modern.p12", /none of the passwords fits/],
  ["legacy-rc2.pfx", /none of the passwords fits/],
  ["absurd-iterations.p12", /derived in 50000000 rounds/],
  ["missing.pem", /does not exist/],
])("reports %s as its own error and continues", (name, message) => {
  const { certificates, errors } = take([name, "plain.pem"], ["wrong"]);
  expect(errors).toMatchObject([{ subject: join(files, name), message: expect.stringMatching(message) }]);
  expect(errors[0]?.code).toMatch(/^(certificate-)?file-/);
  expect(certificates.map(({ domains }) => domains)).toEqual([rsa]);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inventory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("does not block on cyclic links, broken links and pipes", () => {
  mkdirSync(join(folder, "a"));
  symlinkSync("..", join(folder, "a", "back"));
  symlinkSync("self", join(folder, "self"));
  symlinkSync("nowhere", join(folder, "lost"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(join(folder, "a", "x.pem"), makeCertificate(["x.example.com"]).certificatePem);
  const { certificates, errors, skipped } = takeInventory([folder, join(folder, "pipe")], { now });
  const shown = (all: typeof errors = []) =>
    all.map(({ subject: source, code, message }) => `${relative(folder, source)}: ${message} [${code}]`);
  expect(certificates.map(({ source }) => relative(folder, source))).toEqual(["a/x.pem"]);
  expect(shown(errors)).toEqual(["pipe: it is neither a file nor a folder [file-not-regular]"]);
  expect(shown(skipped)).toEqual([
    "lost: it is a link that leads nowhere [file-link-broken]",
    "pipe: it is neither a file nor a folder [file-not-regular]",
    "self: it is a link that leads in a circle [file-link-broken]",
  ]);
});

test("lists what is not a certificate as skipped, as in certbot's folder live", () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["x.example.com"]);
  const contents: Readonly<Record<string, string | Buffer>> = {
    README: "This folder contains your keys and certificates.\n",
    "README.md": "# Certificates\n",
    "empty.pem": "",
    "logo.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    "privkey.pem": privateKeyPem,
    "request.csr": "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n",
    "fullchain.pem": certificatePem,
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  const { certificates, errors, skipped = [] } = takeInventory([folder], { now });
  expect([certificates.length, errors]).toEqual([1, []]);
  const none = "the file has no leaf certificate; it contains no certificate";
  expect(skipped.map(({ severity, subject, message }) => [severity, relative(folder, subject), message])).toEqual([
    ["info", "README", "it is not a certificate file"],
    ["info", "README.md", "it is not a certificate file"],
    ["info", "empty.pem", "it is not a certificate file"],
    ["info", "logo.png", "it is not a certificate file"],
    ["info", "privkey.pem", none],
    ["info", "request.csr", none],
  ]);
});

test.each(["damaged.crt", "damaged.p12"])(
  "reports %s in a folder as an error, because it may be a certificate",
  (name) => {
    writeFileSync(join(folder, name), Buffer.from([1, 2, 3]));
    const { errors, skipped } = takeInventory([folder], { now });
    expect([errors.map(({ code }) => code), skipped]).toEqual([["certificate-file-unknown"], undefined]);
  },
);

test("does not read a file that is too big", () => {
  writeFileSync(join(folder, "big.pem"), Buffer.alloc(2_000));
  expect(takeInventory([folder], { now, limits: { maxFileBytes: 1_999 } }).errors).toEqual([
    {
      subject: join(folder, "big.pem"),
      severity: "error",
      code: "file-too-large",
      message: "it has 2000 bytes and at most 1999 are read",
      remedy: "",
    },
  ]);
});

test("stops at the limit of files and does not open the rest", () => {
  for (const name of ["a.pem", "b.pem"]) {
    writeFileSync(join(folder, name), makeCertificate(["x.example.com"]).certificatePem);
  }
  symlinkSync("nowhere", join(folder, "lost"));
  const { certificates, errors } = takeInventory([folder], { now, limits: { maxFiles: 1 } });
  expect(certificates.map(({ source }) => relative(folder, source))).toEqual(["a.pem"]);
  expect(errors).toEqual([
    {
      subject: folder,
      severity: "error",
      code: "files-too-many",
      message: "there are more than 1 files; name fewer folders",
      remedy: "",
    },
  ]);
});

test("terminates without throwing for any bytes", () => {
  const file = join(folder, "fuzz");
  fc.assert(
    fc.property(damagedFile(["binary.cer", "bundle-der.p7c", "no-password.p12", "plain.pem"]), (bytes) => {
      writeFileSync(file, bytes);
      const { certificates, errors } = takeInventory([file], { now, passwords: [] });
      expect(certificates.length + errors.length).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
});

test("reports a certificate in two files once, with both places", () => {
  const { certificates } = take(["plain.pem", "bundle-der.p7c"]);
  expect(certificates.map(({ source, places }) => ({ source, places }))).toEqual([
    {
      source: join(files, "plain.pem"),
      places: [
        { kind: "file", path: join(files, "plain.pem"), index: 0 },
        { kind: "file", path: join(files, "bundle-der.p7c"), index: 0 },
      ],
    },
  ]);
});

test("never prints private keys", () => {
  const text = JSON.stringify(take(["key-and-bag-attributes.pem", "key-only.pem", "no-password.p12"]));
  const keyLine = readFileSync(join(files, "key-only.pem"), "utf8").split("\n")[1] as string;
  expect(text).not.toContain(keyLine);
  expect(text).not.toContain("PRIVATE");
});

test.each([
  ["an IP address", { ipNames: true }, "ip-address"],
  ["a name for which no public CA issues certificates", { names: ["a.internal"] }, "hostname-not-public"],
  ["no name at all", { names: [], commonName: "Jane Doe" }, undefined],
  ["an expired certificate", { names: ["a.example.com"], notAfter: new Date("2026-01-01T00:00:00Z") }, "expired"],
  [
    "one that is not valid yet",
    { names: ["a.example.com"], notBefore: new Date("2027-01-01T00:00:00Z") },
    "not-yet-valid",
  ],
  ["one that signed itself", { names: ["a.example.com"] }, "self-signed"],
  ["a common name apart", { names: ["a.example.com"], commonName: "b.example.com" }, "common-name-apart"],
])(
  "reports %s",
  (_, {
    ipNames,
    names = [],
    ...options
  }: { ipNames?: boolean; names?: string[]; commonName?: string; notAfter?: Date; notBefore?: Date }, code) => {
    const folder = mkdtempSync(join(tmpdir(), "inventory-"));
    try {
      const file = join(folder, "x.pem");
      writeFileSync(file, makeCertificate(names, options).certificatePem);
      const { certificates } = ipNames ? take(["folder/deeper/ip.crt"]) : takeInventory([file], { now });
      const codes = certificates.flatMap(({ problems }) => problems.map((problem) => problem.code));
      if (code === undefined) expect(codes).toContain("no-domains");
      else expect(codes).toContain(code);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test("the migration of an inventory replaces each set of names once and serves every name", () => {
  const made = inventoryToSpec(take(["plain.pem", "bundle-der.p7c", "chain-root-first.pem"]), "shop");
  expect(made?.spec).toEqual({
    name: "shop",
    certificates: [
      { kind: "managed", name: "ec.example.com", domains: ec },
      { kind: "managed", name: "rsa.example.com", domains: rsa },
    ],
    dns: { kind: "external" },
    mustServe: [...ec, ...rsa].sort(),
  });
  expect(planMigration(made?.spec as NonNullable<typeof made>["spec"]).findings).toEqual([]);
});

const certificate = (source: string, domains: readonly string[], notAfter: string) => ({
  ...(take(["plain.pem"]).certificates[0] as Inventory["certificates"][number]),
  source,
  domains,
  notAfter,
});

test("the migration of an inventory has several certificates for more names than a managed certificate accepts", () => {
  const names = Array.from({ length: 150 }, (_, number) => `n${number}.example.com`);
  const certificates = [certificate("many.pem", names, "2027-01-01T00:00:00.000Z")];
  const made = inventoryToSpec({ certificates, errors: [], hosts: [], names: [], findings: [] }, "shop");
  const { spec, notices } = made as NonNullable<typeof made>;
  expect(spec.certificates.map(({ domains }) => domains?.length).sort()).toEqual([100, 50]);
  expect([...(spec.mustServe ?? [])].sort()).toEqual([...names].sort());
  expect(notices).toEqual(["many.pem: its 150 names become 2 certificates of at most 100"]);
  expect(planMigration(spec).findings).toEqual([]);
});

test("the migration of an inventory keeps a name of two certificates in the certificate that expires last, and reports that", () => {
  const made = inventoryToSpec(
    {
      certificates: [
        certificate("old.pem", ["a.example.com", "b.example.com"], "2027-01-01T00:00:00.000Z"),
        certificate("new.pem", ["a.example.com"], "2028-01-01T00:00:00.000Z"),
      ],
      errors: [],
      hosts: [],
      names: [],
      findings: [],
    },
    "shop",
  );
  expect(made?.spec.certificates).toEqual([
    { kind: "managed", name: "a.example.com", domains: ["a.example.com"] },
    { kind: "managed", name: "b.example.com", domains: ["b.example.com"] },
  ]);
  expect(made?.notices).toEqual(["old.pem: a.example.com stays in the certificate of new.pem, which expires later"]);
});

const file = take(["plain.pem"]).certificates[0] as Inventory["certificates"][number];
const servedBy = (host: string, ...domains: readonly string[]) => ({
  ...file,
  source: `${host}:443`,
  domains,
  fingerprintSha256: domains.join(),
  places: [{ kind: "host" as const, host: `${host}:443`, addresses: ["127.0.0.1"] }],
});
const inventoryOf = (
  hosts: readonly string[],
  certificates: Inventory["certificates"],
  names: Inventory["names"] = [],
): Inventory => ({
  certificates,
  errors: [],
  hosts: hosts.map((host) => ({ host, port: 443, endpoints: [] })),
  names,
  findings: [],
});
const none = { addresses: [], ttlSeconds: null };
const addressRecord = (...addresses: readonly string[]) => ({
  cname: null,
  a: { addresses, ttlSeconds: 60 },
  aaaa: none,
});

test("the migration of an inventory of live servers leaves out certificates that do not match their host, and names in foreign domains", () => {
  const made = inventoryToSpec(
    inventoryOf(
      ["a.example.com", "b.example.com"],
      [servedBy("a.example.com", "a.example.com", "x.example.net"), servedBy("b.example.com", "hoster.example.org")],
    ),
    "shop",
  );
  expect(made?.spec.mustServe).toEqual(["a.example.com"]);
  expect(made?.notices).toEqual([
    "a.example.com:443: x.example.net is left out: no host of its domain is listed",
    "b.example.com:443: the certificate that it serves is not for it, and is left out",
    "b.example.com: no certificate of the migration is for it",
  ]);
});

test("the migration of an inventory of live servers reports which certificate clients without SNI get today, and how to keep that", () => {
  const withoutSni = { fingerprintSha256: "00", domains: ["a.example.com"], coverage: "exact" as const };
  const endpoint = { address: "127.0.0.1", served: [], failure: null };
  const inventory = inventoryOf(
    ["a.example.com", "b.example.com"],
    [servedBy("a.example.com", "a.example.com"), servedBy("b.example.com", "b.example.com")],
  );
  const [first, second] = inventory.hosts as [Inventory["hosts"][number], Inventory["hosts"][number]];
  const hosts = [
    { ...first, endpoints: [{ ...endpoint, withoutSni }] },
    { ...second, endpoints: [{ ...endpoint, withoutSni: { ...withoutSni, coverage: "none" as const } }] },
  ];
  expect(inventoryToSpec({ ...inventory, hosts }, "shop")?.notices).toEqual([
    "primary: clients that name no host (without SNI) are served today; mark certificate a.example.com with 'primary: true' to keep that",
  ]);
});

test("the migration of an inventory of live servers includes every name of a certificate that is also in a file", () => {
  const both = servedBy("a.example.com", "a.example.com", "x.example.net");
  const certificate = { ...both, places: [...both.places, ...file.places] };
  expect(inventoryToSpec(inventoryOf(["a.example.com"], [certificate]), "shop")?.spec.mustServe).toEqual([
    "a.example.com",
    "x.example.net",
  ]);
});

test("the migration of an inventory of live servers moves a record for every name of the wildcard, and reports which names may have the record only because of it", () => {
  const made = inventoryToSpec(
    inventoryOf(
      ["a.example.com"],
      [servedBy("a.example.com", "*.example.com")],
      [
        { name: "*.example.com", listed: false, records: addressRecord("192.0.2.1") },
        { name: "a.example.com", listed: true, records: addressRecord("192.0.2.1") },
      ],
    ),
    "shop",
  );
  expect(made?.spec.traffic).toEqual({
    to: "previous",
    previous: {
      "*.example.com": { a: ["192.0.2.1"], aaaa: [] },
      "a.example.com": { a: ["192.0.2.1"], aaaa: [] },
    },
  });
  expect(made?.notices).toContain(
    "traffic: a.example.com has what *.example.com has; take it out of traffic if it has no record of its own",
  );
  const { findings } = planMigration(made?.spec as NonNullable<typeof made>["spec"]);
  expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["warning wildcard-without-parent"]);
});
