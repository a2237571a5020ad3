import fc from "fast-check";
import {
  type ExistingCertificateSpec,
  type FormerCertificateSpec,
  type IssuedBySpec,
  type ManagedCertificateSpec,
  type MigrationSpec,
  type PrivateCaCertificateSpec,
  parseMigrationDocument,
  planMigration,
  type SelfManagedCertificateSpec,
  type SelfManagedSpec,
  writeMigrationDocument,
} from "../../../lib/plan";
import { anyText } from "../../support/any-text";

function parsed(text: string): unknown {
  const result = parseMigrationDocument(text, { source: "m.yaml" });
  return "spec" in result ? result.spec : result.problems;
}

const certificatePem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

const SPEC: MigrationSpec = {
  dns: { zones: { "example.net": { project: "dns", name: "net" }, "example.com": "example-com" }, kind: "cloudDns" },
  certificates: [
    { domains: ["example.com", "*.example.com"] },
    { kind: "selfManaged", primary: true, name: "legacy", privateKeyVariable: "legacy_key", certificatePem },
  ],
  traffic: {
    previous: { "www.example.com": { cname: "old.example.org." }, "example.com": { aaaa: [], a: ["198.51.100.1"] } },
    to: "previous",
    hostnames: "all",
  },
  labels: { version: "1.10", enabled: "yes", at: "1:30", team: "web" },
  name: "shop",
};

test("writes a document in the order of the schema, with sorted names and a header with the schema's address", () => {
  expect(writeMigrationDocument(SPEC)).toBe(`\
# yaml-language-server: $schema=./node_modules/cdktf-google-cert-migration/dist/plan/migration.schema.json
# What is migrated to Google Cloud, and how. Names that begin with '*' need quotes.
# The schema lists the allowed members.

name: shop
certificates:
  - domains:
      - example.com
      - "*.example.com"
  - kind: selfManaged
    name: legacy
    primary: true
    certificatePem: |
      -----BEGIN CERTIFICATE-----
      MIIB
      -----END CERTIFICATE-----
    privateKeyVariable: legacy_key
dns:
  kind: cloudDns
  zones:
    example.com: example-com
    example.net:
      name: net
      project: dns
labels:
  at: "1:30"
  enabled: "yes"
  team: web
  version: "1.10"
traffic:
  hostnames: all
  to: previous
  previous:
    example.com:
      a:
        - 198.51.100.1
      aaaa: []
    www.example.com:
      cname: old.example.org.
`);
});

test("writes a text that is read as the same spec with the same plan", () => {
  const read = parsed(writeMigrationDocument(SPEC)) as MigrationSpec;

  expect(read).toEqual(SPEC);
  expect(planMigration(read)).toEqual(planMigration(SPEC));
});

test("writes another schema and text into the header, in comments that remain comments", () => {
  const text = writeMigrationDocument(
    { name: "shop", certificates: [{ domains: ["example.com"] }], dns: { kind: "external" } },
    { schema: "../schema.json", comment: ["found in certs/\nname: evil", ""] },
  );

  expect(text).toBe(`\
# yaml-language-server: $schema=../schema.json
# found in certs/\\u{a}name: evil
#

name: shop
certificates:
  - domains:
      - example.com
dns:
  kind: external
`);
});

/** A text that no field of a spec takes for a reference or an expression. */
const text = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    anyText({ maxLength: 12 }),
    fc.constantFrom(
      ..."~|null|true|yes|NO|1|1.0|0x1f|1e3|.inf|-|? a|*.example.com|&a|!t|# c|a: b|a #b|'|\"|[|{}|@|%|`| a |\ta|---|...|<<|=".split(
        "|",
      ),
      "",
      "a\n",
      "a\n\n",
      "\na",
      " a\n b\n",
      "a\r\nb",
      "a\rb",
      "\u2028\u0085\ufeff",
      "x".repeat(2000),
      certificatePem,
      certificatePem.replace(/\n/g, "\r\n"),
    ),
  )
  .map((value) => value.replace(/[$%]+(?=\{)/g, ""));
const texts = fc.array(text, { maxLength: 3 });
const record = <T>(value: fc.Arbitrary<T>) => fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });
const optional = <T extends object>(
  required: (keyof T)[],
  model: { [K in keyof T]-?: fc.Arbitrary<Exclude<T[K], undefined>> },
) => fc.record(model, { requiredKeys: required, noNullPrototype: true }) as unknown as fc.Arbitrary<T>;

type Part<K extends keyof MigrationSpec> = NonNullable<MigrationSpec[K]>;
type LoadBalancer = Part<"loadBalancer">;
type Traffic = Part<"traffic">;

const clientAuthentication = optional<
  NonNullable<NonNullable<LoadBalancer["newTargetHttpsProxy"]>["clientAuthentication"]>
>(["mode"], {
  mode: fc.constantFrom("ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"),
  trustAnchors: texts,
  intermediates: texts,
  allowlisted: texts,
});
const forwardingRules = optional<NonNullable<NonNullable<LoadBalancer["newTargetSslProxy"]>["forwardingRules"]>>([], {
  ipv4Address: text,
  ipv6Address: text,
  loadBalancingScheme: fc.constantFrom("EXTERNAL", "EXTERNAL_MANAGED"),
  network: text,
  subnetwork: text,
});

const served = { name: text, hostnames: texts, alternatives: texts, primary: fc.boolean() };
const created = {
  generation: fc.nat(1_000_000),
  project: text,
  scope: fc.constantFrom("DEFAULT", "ALL_REGIONS"),
  location: text,
  labels: record(text),
  description: text,
} as const;
const upload = {
  certificatePem: text,
  privateKeyPem: text,
  privateKeyVariable: text,
  privateKeyStorage: fc.constantFrom("state", "writeOnly"),
} as const;
const issuer = {
  caPool: text,
  existingIssuanceConfig: text,
  lifetime: text,
  rotationWindowPercentage: fc.integer({ min: 1, max: 99 }),
  keyAlgorithm: fc.constantFrom("RSA_2048", "ECDSA_P256"),
} as const;

const spec: fc.Arbitrary<MigrationSpec> = optional<MigrationSpec>(["name", "certificates", "dns"], {
  name: text,
  certificates: fc.array(
    fc.oneof(
      optional<ManagedCertificateSpec>(["domains"], {
        kind: fc.constant("managed"),
        domains: texts,
        ...served,
        ...created,
      }),
      optional<SelfManagedCertificateSpec>(["kind", "certificatePem"], {
        kind: fc.constant("selfManaged"),
        domains: texts,
        ...upload,
        ...served,
        ...created,
      }),
      optional<PrivateCaCertificateSpec>(["kind", "domains"], {
        kind: fc.constant("privateCa"),
        domains: texts,
        ...issuer,
        ...served,
        ...created,
      }),
      optional<ExistingCertificateSpec>(["kind", "id"], {
        kind: fc.constant("existing"),
        id: text,
        domains: texts,
        ...served,
      }),
      optional<FormerCertificateSpec>([], {
        domains: texts,
        selfManaged: optional<SelfManagedSpec>(["certificatePem"], upload),
        issuedBy: optional<IssuedBySpec>([], issuer),
        existingCertificateId: text,
        ...served,
        ...created,
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  dns: fc.oneof(
    fc.constant({ kind: "external" } as const),
    fc.record(
      {
        kind: fc.constant("cloudDns" as const),
        zones: record(
          fc.oneof(text, fc.record({ name: text, project: text }, { requiredKeys: ["name"], noNullPrototype: true })),
        ),
        project: text,
        ttlSeconds: fc.integer({ min: 1, max: 86_400 }),
      },
      { requiredKeys: ["kind", "zones"], noNullPrototype: true },
    ),
  ),
  loadBalancer: optional<LoadBalancer>(["kind"], {
    kind: fc.constantFrom("globalExternal", "regionalExternal", "regionalInternal", "crossRegionInternal"),
    region: text,
    project: text,
    newTargetHttpsProxy: optional<NonNullable<LoadBalancer["newTargetHttpsProxy"]>>(["urlMap"], {
      urlMap: text,
      name: text,
      sslPolicy: text,
      quicOverride: fc.constantFrom("NONE", "ENABLE", "DISABLE"),
      clientAuthentication,
      serverTlsPolicy: text,
      forwardingRules,
    }),
    newTargetSslProxy: optional<NonNullable<LoadBalancer["newTargetSslProxy"]>>(["backendService"], {
      backendService: text,
      name: text,
      sslPolicy: text,
      proxyHeader: fc.constantFrom("NONE", "PROXY_V1"),
      forwardingRules,
    }),
    adoptTargetHttpsProxies: fc.array(
      optional<NonNullable<LoadBalancer["adoptTargetHttpsProxies"]>[number]>(
        [
          "name",
          "urlMap",
          "sslCertificates",
          "sslPolicy",
          "httpKeepAliveTimeoutSeconds",
          "serverTlsPolicy",
          "description",
        ],
        {
          name: text,
          project: text,
          urlMap: text,
          sslCertificates: texts,
          attachMap: fc.boolean(),
          sslPolicy: fc.oneof(text, fc.constant("")),
          quicOverride: fc.constantFrom("NONE", "ENABLE", "DISABLE", "UNSET"),
          tlsEarlyData: fc.constantFrom("STRICT", "PERMISSIVE", "UNRESTRICTED", "DISABLED", "UNSET"),
          httpKeepAliveTimeoutSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 1200 })),
          serverTlsPolicy: fc.oneof(text, fc.constant("")),
          clientAuthentication,
          description: fc.oneof(text, fc.constant("")),
        },
      ),
      { maxLength: 2 },
    ),
    adoptTargetSslProxies: fc.array(
      optional<NonNullable<LoadBalancer["adoptTargetSslProxies"]>[number]>(
        ["name", "backendService", "sslCertificates", "sslPolicy", "proxyHeader", "description"],
        {
          name: text,
          project: text,
          backendService: text,
          sslCertificates: texts,
          attachMap: fc.boolean(),
          sslPolicy: fc.oneof(text, fc.constant("")),
          proxyHeader: fc.constantFrom("NONE", "PROXY_V1", "UNSET"),
          description: fc.oneof(text, fc.constant("")),
        },
      ),
      { maxLength: 2 },
    ),
    servingProxies: fc.array(
      optional<NonNullable<LoadBalancer["servingProxies"]>[number]>(["proxy", "addresses"], {
        proxy: text,
        addresses: texts,
        certificates: fc.array(fc.record({ id: text, domains: texts }, { noNullPrototype: true }), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
    addresses: fc.oneof(texts, fc.record({ ipv4: texts, ipv6: texts }, { requiredKeys: [], noNullPrototype: true })),
  }),
  phase: fc.constantFrom("issue", "serve"),
  gate: fc.constantFrom("wait", "precondition", "check", "none"),
  gateCommand: text,
  gateTimeoutMinutes: fc.integer({ min: 1, max: 1440 }),
  traffic: optional<Traffic>(["to", "previous"], {
    hostnames: fc.oneof(fc.constant("all" as const), texts),
    to: fc.constantFrom("previous", "loadBalancer"),
    previous: record(
      fc.oneof(
        fc.record({ a: texts, aaaa: texts }, { requiredKeys: [], noNullPrototype: true }),
        fc.record({ cname: text }, { noNullPrototype: true }),
      ),
    ),
    ttlSeconds: fc.integer({ min: 1, max: 86_400 }),
    ingressLabel: text,
  }),
  mustServe: texts,
  project: text,
  namePrefix: text,
  labels: record(text),
  description: text,
  authorizationType: fc.constantFrom("FIXED_RECORD", "PER_PROJECT_RECORD"),
  existingAuthorizations: record(text),
  existingCertificateMap: text,
  maxDomainsPerCertificate: fc.integer({ min: 1, max: 10_000 }),
  enableApis: fc.boolean(),
  operationTimeoutMinutes: fc.integer({ min: 1, max: 1440 }),
  alerts: optional<NonNullable<MigrationSpec["alerts"]>>([], {
    notificationChannels: texts,
    uptimeChecks: fc.constantFrom("all", "onePerCertificate", "none"),
    hostnames: texts,
    wildcardProbes: record(text),
    checkIntervalSeconds: fc.constantFrom(60, 300, 600, 900),
    daysBeforeExpiry: fc.integer({ min: 1, max: 60 }),
    dashboard: fc.boolean(),
  }),
});

/** The same data with the keys of every mapping the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

test("reads back any spec from its written text", () => {
  fc.assert(
    fc.property(spec, (value) => {
      expect(parsed(writeMigrationDocument(value))).toStrictEqual(value);
    }),
    { numRuns: 100 },
  );
});

test("writes the same bytes for any order of keys", () => {
  fc.assert(
    fc.property(spec, (value) => {
      expect(writeMigrationDocument(reversed(value) as MigrationSpec)).toBe(writeMigrationDocument(value));
    }),
    { numRuns: 50 },
  );
});
