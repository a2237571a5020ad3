import { synthesizeSpec } from "../../lib/cli/synthesize";
import { InputError } from "../../lib/errors";
import { parseMigrationDocument } from "../../lib/plan";
import { sourceFromOutputs, sourceFromSpec, sourceFromStack } from "../../lib/source";
import { makeCertificate } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";

const fromSpec = () => sourceFromSpec(shopSpec, { source: "migration.yaml", project: "my-project" });

function synthesized(): string {
  const read = parseMigrationDocument(shopSpec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return JSON.stringify(synthesizeSpec(read.spec, "my-project"));
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code, message }) => `${code} ${message}`);
    throw error;
  }
  return [];
}

const byName = (a: { readonly id?: string }, b: { readonly id?: string }) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1);

test("describes every resource equally for a spec and its stack", () => {
  const [spec] = fromSpec().migrations;
  const [stack] = sourceFromStack(synthesized(), "cdk.tf.json").migrations;
  expect(stack?.path).toBe("rehearsal/shop");
  const common = ({
    certificates,
    map,
    authorizations,
    proxies,
    addresses,
    phase,
    gate,
    traffic,
  }: NonNullable<typeof spec>) => ({
    certificates,
    map,
    authorizations: [...authorizations].sort(byName),
    proxies,
    addresses,
    phase,
    gate,
    before: traffic?.previous,
  });
  expect(common(stack as NonNullable<typeof spec>)).toEqual(common(spec as NonNullable<typeof spec>));
  expect([...(stack?.entries ?? [])].sort(byName)).toEqual([...(spec?.entries ?? [])].sort(byName));
  expect(stack?.records.map(({ domain, name, data }) => ({ domain, name, data }))).toEqual([
    { domain: "example.com", name: "_acme-challenge.example.com.", data: undefined },
    { domain: "pay.example.net", name: "_acme-challenge.pay.example.net.", data: undefined },
  ]);
});

test("spells an address in one way, whatever spelling spec and stack have", () => {
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" as const },
    loadBalancer: { kind: "globalExternal" as const, addresses: ["2001:DB8:0:0::7", "203.0.113.7"] },
  };
  const addresses = { ipv4: ["203.0.113.7"], ipv6: ["2001:db8::7"] };
  const ofSpec = sourceFromSpec(JSON.stringify(spec), { source: "migration.yaml" });
  expect(ofSpec.migrations[0]?.addresses).toEqual(addresses);
  const ofStack = sourceFromStack(JSON.stringify(synthesizeSpec(spec, "my-project")), "cdk.tf.json");
  expect(ofStack.migrations[0]?.addresses).toEqual(addresses);
});

test("reads from a spec and its stack that Terraform enables the required APIs", () => {
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" as const },
    loadBalancer: { kind: "globalExternal" as const },
    phase: "issue" as const,
  };
  const enablesApisOf = (enableApis: boolean) => {
    const stack = JSON.stringify(synthesizeSpec({ ...spec, enableApis }, "my-project"));
    const text = JSON.stringify({ ...spec, enableApis });
    return [sourceFromSpec(text, { source: "s" }), sourceFromStack(stack, "cdk.tf.json")].map(
      ({ migrations }) => migrations[0]?.enablesApis,
    );
  };
  expect([enablesApisOf(true), enablesApisOf(false)]).toEqual([
    [true, true],
    [undefined, undefined],
  ]);
});

test("reads outputs and a stack after the byte order mark of Windows", () => {
  const mark = "\uFEFF";
  expect(sourceFromStack(mark + synthesized(), "cdk.tf.json").migrations).toHaveLength(1);
  expect(sourceFromOutputs(mark + JSON.stringify(outputs), "o.json").kind).toBe("outputs");
});

/** Returns a migration document that uploads a certificate. */
function uploading(certificatePem: string): string {
  return JSON.stringify({
    name: "shop",
    certificates: [{ domains: ["example.com"], selfManaged: { certificatePem, privateKeyVariable: "key" } }],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal" },
    phase: "issue",
  });
}

function uploadedIn(stackText: string): string | undefined {
  return sourceFromStack(stackText, "cdk.tf.json").migrations[0]?.certificates[0]?.uploadedPem;
}

test("refuses a private key after the certificate in a spec, and omits it from a stack that another program wrote", () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
  const both = (pem: string) => pem + privateKeyPem;
  expect(() => sourceFromSpec(uploading(both(certificatePem)), { source: "migration.yaml" })).toThrow(
    "a private key is in the PEM",
  );
  const read = parseMigrationDocument(uploading(certificatePem), { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const stack = JSON.stringify(synthesizeSpec(read.spec, "my-project"));
  const written = certificatePem.replaceAll("\r\n", "\n");
  const other = stack.replace(JSON.stringify(written), JSON.stringify(both(written)));
  expect(other).toContain("PRIVATE KEY");
  expect(uploadedIn(other)).toBe(written);
});

test.each([
  ["", ""],
  [", without remarks before it", "friendlyName: shop\n"],
])("reads the PEM of uploads from a spec and its stack, unless only Terraform knows it%s", (_, before) => {
  const made = makeCertificate(["example.com"]);
  const certificatePem = before + made.certificatePem;
  const text = uploading(certificatePem);
  const read = parseMigrationDocument(text, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const stack = JSON.stringify(synthesizeSpec(read.spec, "my-project"));
  const pem = made.certificatePem.replaceAll("\r\n", "\n");
  expect(sourceFromSpec(text, { source: "migration.yaml" }).migrations[0]?.certificates[0]?.uploadedPem).toBe(pem);
  expect(uploadedIn(stack)).toBe(pem);
  const written = JSON.stringify(`${certificatePem.replaceAll("\r\n", "\n").trim()}\n`);
  expect(uploadedIn(stack.replace(written, JSON.stringify("${var.pem}")))).toBeUndefined();
});

test("completes the IDs of a spec if the project is known, and otherwise has names only", () => {
  expect(fromSpec().migrations[0]?.certificates.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^projects\/my-project\/locations\/global\/certificates\/example-com-[0-9a-f]{12}$/),
    expect.stringMatching(/^projects\/my-project\/locations\/global\/certificates\/pay-[0-9a-f]{12}$/),
  ]);
  const [unknown] = sourceFromSpec(shopSpec, { source: "migration.yaml" }).migrations;
  expect(unknown?.certificates.map((one) => "id" in one)).toEqual([false, false]);
  expect(unknown?.certificates[1]?.resourceName).toMatch(/^pay-/);
});

test("keeps the IDs of an existing certificate and an existing map, to which entries refer", () => {
  const spec = `name: old
certificates: [{ domains: [a.example.com], existingCertificateId: projects/x/locations/global/certificates/old }]
dns: { kind: external }
existingCertificateMap: //certificatemanager.googleapis.com/projects/x/locations/global/certificateMaps/main
`;
  const [migration] = sourceFromSpec(spec, { source: "s" }).migrations;
  expect(migration?.certificates[0]).toMatchObject({
    kind: "existing",
    id: "projects/x/locations/global/certificates/old",
    resourceName: "old",
  });
  expect(migration?.map).toEqual({ resourceName: "main", id: "projects/x/locations/global/certificateMaps/main" });
  expect(migration?.entries[0]?.id).toMatch(
    /^projects\/x\/locations\/global\/certificateMaps\/main\/certificateMapEntries\/a/,
  );
});

const outputs = {
  version: 1,
  migrations: {
    "prod/shop": {
      name: "shop",
      phase: "serve",
      gate: "wait",
      loadBalancer: "globalExternal",
      certificates: [
        {
          name: "shop",
          kind: "managed",
          id: "projects/my-project/locations/global/certificates/shop-1",
          domains: ["example.com"],
          location: "global",
          scope: "DEFAULT",
        },
      ],
      entries: [
        {
          hostname: "example.com",
          id: "projects/my-project/locations/global/certificateMaps/m/certificateMapEntries/e",
          certificates: ["projects/my-project/locations/global/certificates/shop-1"],
        },
      ],
      records: [
        {
          domain: "example.com",
          name: "_acme-challenge.example.com.",
          type: "CNAME",
          data: "x.goog.",
          published: "external",
        },
      ],
      map: "projects/my-project/locations/global/certificateMaps/m",
    },
  },
};

test.each([
  ["all outputs", { cert_migration: { sensitive: false, type: "object", value: outputs }, other: { value: 1 } }],
  ["the one output", outputs],
])("reads %s of Terraform", (_, value) => {
  const [migration] = sourceFromOutputs(JSON.stringify(value), "outputs.json").migrations;
  expect(migration).toMatchObject({ path: "prod/shop", map: { resourceName: "m" } });
  expect(migration?.entries[0]?.certificates).toEqual(["shop"]);
  expect(migration?.records[0]).toEqual({
    domain: "example.com",
    name: "_acme-challenge.example.com.",
    data: "x.goog.",
    published: "external",
  });
});

test("reads hostnames of outputs in small letters, as the service has them, and leaves PRIMARY as it is", () => {
  const entry = { hostname: "PRIMARY", id: "projects/p/locations/global/certificateMaps/m/certificateMapEntries/p" };
  const [shop] = Object.values(outputs.migrations);
  const traffic = { to: "loadBalancer", hostnames: ["example.com"] };
  const served = { ...shop, entries: [...shop!.entries, { ...entry, certificates: [] }], traffic };
  const text = JSON.stringify({ version: 1, migrations: { "prod/shop": served } });
  const inCapitals = text.replaceAll('"example.com"', '"Example.COM"');
  expect(inCapitals.split("Example.COM").length).toBe(5);
  expect(sourceFromOutputs(inCapitals, "o.json")).toEqual(sourceFromOutputs(text, "o.json"));
  expect(sourceFromOutputs(text, "o.json").migrations[0]?.entries.at(-1)?.hostname).toBe("PRIMARY");
});

test("reports all mistakes of outputs at once, each with its place", () => {
  const broken = {
    version: 2,
    migrations: { m: { ...outputs.migrations["prod/shop"], phase: "later", entries: [{ hostname: 1 }], map: {} } },
  };
  expect(problemsOf(() => sourceFromOutputs(JSON.stringify(broken), "o.json"))).toEqual([
    expect.stringContaining("outputs-malformed 'o.json': '/version' is not 1"),
    "outputs-malformed 'o.json': '/migrations/m/phase' is not one of issue, serve",
    "outputs-malformed 'o.json': '/migrations/m/entries/0/id' is not a text",
    "outputs-malformed 'o.json': '/migrations/m/entries/0/hostname' is not a text",
    "outputs-malformed 'o.json': '/migrations/m/map' is not a text",
  ]);
});

const [shop] = Object.values(outputs.migrations);

test.each([
  [
    "a record's name",
    "/records/0/name",
    { records: [{ ...shop!.records[0], name: "a.example.\n$INCLUDE /etc/passwd" }] },
  ],
  ["a record's target", "/records/0/data", { records: [{ ...shop!.records[0], data: "x.goog.\u001b[2J" }] }],
  ["a target of several columns", "/records/0/data", { records: [{ ...shop!.records[0], data: "x.goog.  hand" }] }],
  ["a comment of a zone file", "/records/0/data", { records: [{ ...shop!.records[0], data: "x.goog.;y." }] }],
  ["a name of the migration", "/name", { name: "shop\u202e" }],
  ["a domain", "/certificates/0/domains/0", { certificates: [{ ...shop!.certificates[0], domains: ["a\r\nb"] }] }],
  ["an id", "/map", { map: "projects/my-project/locations/global/certificateMaps/m\n" }],
])("refuses %s that could forge a line when it reads outputs", (_, at, change) => {
  const forged = { version: 1, migrations: { m: { ...shop, ...change } } };
  const [problem, ...further] = problemsOf(() => sourceFromOutputs(JSON.stringify(forged), "o.json"));
  expect(problem).toContain(`outputs-malformed 'o.json': '/migrations/m${at}' is '`);
  expect(problem).toMatch(/^[\x20-\x7e]+$/);
  expect(further).toEqual([]);
});

test("refuses a construct path with control characters", () => {
  const forged = { version: 1, migrations: { "prod/\u001b]0;x\u0007": shop } };
  expect(problemsOf(() => sourceFromOutputs(JSON.stringify(forged), "o.json"))).toEqual([
    "outputs-malformed 'o.json': '/migrations/prod/\\u{1b}]0;x\\u{7}' has characters in its name that can't be seen",
  ]);
});

test.each([
  ["{}", "has no outputs"],
  ['{"zone":{"value":"a"}}', "has no output cert_migration"],
])("advises --stack for the outputs %s of a failed first apply", (text, what) => {
  expect(problemsOf(() => sourceFromOutputs(text, "o.json"))).toEqual([
    `outputs-without-migration 'o.json' ${what}: the first apply has not succeeded yet, the root module doesn't export the migration's output, or the migration has 'outputs: false'; use --stack with the synthesized stack or the module's folder`,
  ]);
});

test.each([
  ["outputs that are not JSON", () => sourceFromOutputs("{", "o"), "outputs-malformed"],
  ["outputs without a migration", () => sourceFromOutputs("{}", "o"), "outputs-without-migration"],
  ["a stack that is not JSON", () => sourceFromStack("", "s"), "stack-malformed"],
  ["a stack without a migration", () => sourceFromStack('{"output":{}}', "s"), "stack-without-migration"],
  ["a spec with a mistake", () => sourceFromSpec("name: 1", { source: "m.yaml" }), "property-missing"],
  [
    "a plan with an error",
    () => sourceFromSpec(shopSpec.replace("pay.example.net", '"*.*.net"'), { source: "m.yaml" }),
    "hostname-",
  ],
])("refuses %s", (_, read, code) => {
  expect(problemsOf(read)[0]).toContain(code);
});

test("reports mistakes of a spec with line and column", () => {
  expect(problemsOf(() => sourceFromSpec(`${shopSpec}phase: later\n`, { source: "m.yaml" }))).toEqual([
    expect.stringContaining(" m.yaml:13:8: "),
  ]);
});

test("reads from outputs where hostnames led before the move, whatever their current records are", () => {
  const previous = {
    "a.example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8::1"], cname: null },
    "b.example.com": { cname: "old-cdn.example.org." },
    "c.example.com": { a: ["${google_compute_address.old.address}"] },
  };
  const traffic = { to: "loadBalancer", hostnames: Object.keys(previous), previous };
  const value = { version: 1, migrations: { m: { ...shop, traffic } } };
  const stack = JSON.stringify({ output: { cert_migration: { value } } });
  expect(sourceFromStack(stack, "s").migrations[0]?.traffic).toEqual({
    to: "loadBalancer",
    hostnames: ["a.example.com", "b.example.com", "c.example.com"],
    records: [],
    previous: { "a.example.com": ["198.51.100.1", "2001:db8::1"] },
    previousAliases: { "b.example.com": "old-cdn.example.org" },
  });
  const wrong = { ...value, migrations: { m: { ...shop, traffic: { ...traffic, previous: { x: { a: [1] } } } } } };
  expect(problemsOf(() => sourceFromOutputs(JSON.stringify(wrong), "o"))).toEqual([
    "outputs-malformed 'o': '/migrations/m/traffic/previous/x/a/0' is not a text",
  ]);
});

test.each(["previous", "loadBalancer"])(
  "reads from a spec where hostnames led before the move, also when traffic is to %s",
  (to) => {
    const [migration] = sourceFromSpec(shopSpec.replace("to: previous", `to: ${to}`), {
      source: "migration.yaml",
    }).migrations;
    // Previous addresses omit aliases, because the alias owner can change the target.
    expect(migration?.traffic?.previous).toEqual({ "example.com": ["198.51.100.1"] });
  },
);

test("leaves out the names and ids that contain a variable of the prefix", () => {
  const spec = `${shopSpec.replace("name: shop", 'name: shop\nproject: my-project\nnamePrefix: "${var.env}"')}`;
  const [migration] = sourceFromSpec(spec, { source: "m.yaml" }).migrations;
  expect(JSON.stringify(migration)).not.toContain("${");
  expect(migration?.certificates.map(({ id }) => id)).toEqual([undefined, undefined]);
  expect(migration?.authorizations.map(({ id }) => id?.startsWith("projects/my-project/"))).toEqual([true, true]);
});
