import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import {
  type SourceIssuer,
  type SourceMigration,
  sourceFromOutputs,
  sourceFromSpec,
  sourceFromStack,
} from "../../lib/source";

const caPool = "projects/corp-1/locations/europe-west6/caPools/internal";
const existingIssuanceConfig = "projects/corp-1/locations/global/certificateIssuanceConfigs/corp";
const spec = `name: shop
certificates:
  - domains: [a.corp.internal]
    issuedBy: { caPool: ${caPool}, lifetime: 21d, rotationWindowPercentage: 50, keyAlgorithm: ECDSA_P256 }
  - domains: [b.corp.internal]
    issuedBy: { existingIssuanceConfig: ${existingIssuanceConfig} }
  - domains: [c.corp.internal]
    issuedBy: { caPool: "\${google_privateca_ca_pool.corp.id}" }
  - domains: [www.example.com]
dns: { kind: external }
loadBalancer: { kind: globalExternal, newTargetHttpsProxy: { urlMap: global/urlMaps/web } }
`;

const issuersOf = ({ certificates }: SourceMigration): readonly (SourceIssuer | undefined)[] =>
  [...certificates].sort((a, b) => (a.domains[0] ?? "").localeCompare(b.domains[0] ?? "")).map((one) => one.issuedBy);
const first = ({ migrations }: { readonly migrations: readonly SourceMigration[] }) => migrations[0] as SourceMigration;

const settings = { lifetimeSeconds: 21 * 86_400, keyAlgorithm: "ECDSA_P256" };
const defaults = { lifetimeSeconds: 30 * 86_400, keyAlgorithm: "RSA_2048" };

function synthesized() {
  const read = parseMigrationDocument(spec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return synthesizeSpec(read.spec, "my-project") as unknown as Record<string, Record<string, Record<string, unknown>>>;
}

test("a spec names the issuers, except what only Terraform knows", () => {
  const source = sourceFromSpec(spec, { source: "migration.yaml", project: "my-project" });
  expect(issuersOf(first(source))).toEqual([{ caPool, ...settings }, { existingIssuanceConfig }, defaults, undefined]);
});

test("a stack names the issuers, also a CA pool that the stack creates", () => {
  const stack = synthesized();
  const pool = { name: "corp", location: "europe-west1", project: "corp-1" };
  const text = JSON.stringify({ ...stack, resource: { ...stack.resource, google_privateca_ca_pool: { corp: pool } } });
  expect(issuersOf(first(sourceFromStack(text, "cdk.tf.json", "my-project")))).toEqual([
    { caPool, ...settings },
    { existingIssuanceConfig },
    { caPool: "projects/corp-1/locations/europe-west1/caPools/corp", ...defaults },
    undefined,
  ]);
});

test("outputs name the issuers, where Terraform writes null for attributes that a certificate lacks", () => {
  const value = synthesized().output?.cert_migration?.value;
  const text = JSON.stringify(value, (_key, own) =>
    typeof own === "string" && own.includes("dns_authorization.")
      ? "resolved.example.com."
      : own !== null && typeof own === "object" && "existingIssuanceConfig" in own
        ? { caPool: null, keyAlgorithm: null, lifetimeSeconds: null, ...own }
        : own,
  );
  expect(issuersOf(first(sourceFromOutputs(text, "outputs.json")))).toMatchObject([
    { caPool, ...settings },
    { existingIssuanceConfig },
    defaults,
    undefined,
  ]);
});
