import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { TerraformResource, type TerraformStack } from "cdktf";
import { Certificate, LoadBalancer, type ManagedCertMigrationProps } from "../../lib";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, synthesize } from "../support/synth";

type Config = ConstructorParameters<typeof CertificateManagerCertificate>[2];

const awaiting: Config = { name: "raw", managed: { domains: ["example.com"] } };
const raw = (stack: TerraformStack, config: Config = awaiting) =>
  new CertificateManagerCertificate(stack, "raw", config);
const using = (stack: TerraformStack, id: string, change: Partial<ManagedCertMigrationProps> = {}) =>
  migrate(stack, {
    certificates: [Certificate.existing(id, { domains: ["example.com"] })],
    ...change,
  });
const literal = "projects/my-project/locations/global/certificates/raw";

test("an existing certificate of the app without DNS authorizations is refused, because it becomes ACTIVE only after traffic has moved", () => {
  const stack = newStack();
  using(stack, raw(stack).id);
  expect(refusal(() => synthesize(stack))).toEqual(["certificate-awaits-traffic"]);
  expect(() => synthesize(stack)).toThrow(
    "prod/shop: certificate 'prod/raw' is managed and has no 'dnsAuthorizations'; add 'dnsAuthorizations' to the certificate; or use a managed certificate of the migration in its place",
  );
});

test.each<[string, (resource: CertificateManagerCertificate) => string]>([
  [
    "a reference as text",
    ({ friendlyUniqueId }) => `\${google_certificate_manager_certificate.${friendlyUniqueId}.id}`,
  ],
  ["its name in an id", ({ name }) => `projects/my-project/locations/global/certificates/${name}`],
  ["a literal id", () => literal],
])("an existing certificate of the app without DNS authorizations is refused by %s", (_, idOf) => {
  const stack = newStack();
  using(stack, idOf(raw(stack, { ...awaiting, project: "my-project" })));
  expect(refusal(() => synthesize(stack))).toEqual(["certificate-awaits-traffic"]);
});

test("an existing certificate of the app without DNS authorizations is refused in another stack of the app", () => {
  const app = newApp();
  const stack = newStack(app);
  using(stack, raw(newStack(app, "other")).id);
  expect(refusal(() => synthesize(stack))).toEqual(["certificate-awaits-traffic"]);
});

test("an existing certificate of the app without DNS authorizations is refused as a plain resource, until an override adds an authorization", () => {
  const stack = newStack();
  const { tfResourceType: terraformResourceType } = CertificateManagerCertificate;
  const plain = new TerraformResource(stack, "raw", { terraformResourceType });
  plain.addOverride("managed", { domains: ["example.com"] });
  using(stack, `\${google_certificate_manager_certificate.${plain.friendlyUniqueId}.id}`);
  expect(refusal(() => synthesize(stack))).toEqual(["certificate-awaits-traffic"]);
  plain.addOverride("managed.dns_authorizations", ["projects/p/locations/global/dnsAuthorizations/a"]);
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

test.each<[string, Config]>([
  ["DNS authorizations", { name: "raw", managed: { domains: ["example.com"], dnsAuthorizations: ["a"] } }],
  ["an issuance config", { name: "raw", managed: { domains: ["example.com"], issuanceConfig: "c" } }],
  ["an upload", { name: "raw", selfManaged: { pemCertificate: "c", pemPrivateKey: "k" } }],
])("an existing certificate of the app without DNS authorizations is accepted with %s", (_, config) => {
  const stack = newStack();
  using(stack, raw(stack, config).id);
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

test.each([
  ["another name", literal.replace("raw", "other")],
  ["another location", literal.replace("global", "europe-west1")],
  ["another project", literal.replace("my-project", "other-project")],
])(
  "an existing certificate of the app without DNS authorizations is accepted if the migration names a certificate with %s",
  (_, id) => {
    const stack = newStack();
    raw(stack, { ...awaiting, project: "my-project" });
    expect(refusal(() => [using(stack, id), synthesize(stack)])).toEqual(
      id.includes("europe") ? ["certificate-location-mismatch"] : [],
    );
  },
);

test("an existing certificate of the app without DNS authorizations is accepted if the resource with its name and project is not a certificate of Certificate Manager", () => {
  const stack = newStack();
  const terraformResourceType = "google_compute_managed_ssl_certificate";
  const other = new TerraformResource(stack, "raw", { terraformResourceType });
  for (const [name, value] of Object.entries({ ...awaiting, project: "my-project" })) other.addOverride(name, value);
  using(stack, literal);
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

test("an existing certificate of the app without DNS authorizations is accepted if no migration names it", () => {
  const stack = newStack();
  raw(stack);
  migrate(stack);
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

describe("an existing certificate of the app that the load balancer can't use", () => {
  const uploaded = (change: Partial<Config>): Config => ({
    name: "raw",
    selfManaged: { pemCertificate: "c", pemPrivateKey: "k" },
    ...change,
  });

  test.each(["EDGE_CACHE", "CLIENT_AUTH", "ALL_REGIONS"])("is refused in a map entry with the scope %s", (scope) => {
    const stack = newStack();
    using(stack, raw(stack, uploaded({ scope })).id);
    expect(refusal(() => synthesize(stack))).toEqual(["certificate-scope-mismatch"]);
    expect(() => synthesize(stack)).toThrow(
      `certificate 'prod/raw' has scope '${scope}' and a globalExternal load balancer needs 'DEFAULT'`,
    );
  });

  test("is refused as an alternative of an entry", () => {
    const stack = newStack();
    const alternatives = [raw(stack, uploaded({ scope: "CLIENT_AUTH" })).id];
    migrate(stack, { certificates: [Certificate.managed({ domains: ["example.com"], alternatives })] });
    expect(refusal(() => synthesize(stack))).toEqual(["certificate-scope-mismatch"]);
  });

  test("is refused in another location", () => {
    const stack = newStack();
    using(stack, raw(stack, uploaded({ location: "europe-west1" })).id);
    expect(refusal(() => synthesize(stack))).toEqual(["certificate-location-mismatch"]);
  });

  test.each([
    ["ALL_REGIONS", []],
    ["DEFAULT", ["certificate-scope-mismatch"]],
  ])("on a cross-region internal proxy, with the scope %s, reports %j", (scope, codes) => {
    const stack = newStack();
    const loadBalancer = LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "shop" } });
    using(stack, raw(stack, uploaded({ scope })).id, { loadBalancer });
    expect(refusal(() => synthesize(stack))).toEqual(codes);
  });
});
