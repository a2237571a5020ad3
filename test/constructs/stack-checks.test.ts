import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { AnnotationMetadataEntryType, App, TerraformResource, TerraformStack, Testing } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, WildcardCertWithAuth } from "../../lib";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, synthesize } from "../support/synth";

const warningsOf = (stack: TerraformStack) => {
  synthesize(stack);
  const all = stack.node.findAll().flatMap(({ node }) => node.metadata);
  return all.filter(({ type }) => type === AnnotationMetadataEntryType.WARN).map(({ data }) => String(data));
};

describe("zones that constructs share", () => {
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "com", "example.net": "net", "example.org": "org" } });

  test("only a zone that no construct of the stack uses causes a warning, once", () => {
    const stack = newStack();
    migrate(stack, { dns });
    migrate(stack, { dns, certificates: [Certificate.managed({ domains: ["example.net"] })] }, "other");
    expect(warningsOf(stack)).toEqual([
      "zone 'example.org' is used by no domain; remove it, or correct its DNS name [zone-unused]",
    ]);
  });

  test("no zone causes a warning if the constructs use all of them", () => {
    const stack = newStack();
    migrate(stack, { dns, certificates: [Certificate.managed({ domains: ["example.com"] })] });
    migrate(stack, { dns, certificates: [Certificate.managed({ domains: ["example.net", "example.org"] })] }, "other");
    expect(warningsOf(stack)).toEqual([]);
  });
});

interface Change {
  readonly domain?: string;
  readonly location?: string;
  readonly project?: string;
  readonly type?: string;
}
const raw = (stack: TerraformStack, change: Change = {}) =>
  new CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com", ...change });
const terraformResourceType = CertificateManagerDnsAuthorization.tfResourceType;

test.each([
  ["before", (stack: TerraformStack) => [raw(stack, { domain: "Example.com." }), migrate(stack)]],
  ["after", (stack: TerraformStack) => [migrate(stack), raw(stack, { project: "my-project" })]],
])(
  "an authorization that was created without this package is refused for a domain of a migration, created %s it",
  (_, make) => {
    const stack = newStack();
    make(stack);
    expect(refusal(() => synthesize(stack))).toEqual(["authorization-repeated"]);
    expect(() => synthesize(stack)).toThrow(
      "'example.com' is authorized by 'prod/raw' and by prod/shop; pass the id of 'prod/raw' as existingAuthorizations",
    );
  },
);

test("an authorization that was created without this package is refused as a plain resource of its type", () => {
  const stack = newStack();
  const plain = new TerraformResource(stack, "raw", { terraformResourceType });
  plain.addOverride("domain", "example.com");
  migrate(stack);
  expect(refusal(() => synthesize(stack))).toEqual(["authorization-repeated"]);
  plain.addOverride("project", "other-project");
  plain.addOverride("type", "PER_PROJECT_RECORD");
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

test("an authorization that was created without this package is refused from a second copy of the bindings", () => {
  const stack = newStack();
  jest.isolateModules(() => {
    const copy = require("@cdktf/provider-google/lib/certificate-manager-dns-authorization");
    expect(copy.CertificateManagerDnsAuthorization).not.toBe(CertificateManagerDnsAuthorization);
    new copy.CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com" });
  });
  migrate(stack);
  expect(refusal(() => synthesize(stack))).toEqual(["authorization-repeated"]);
});

test("an authorization that was created without this package is refused in another stack of the app, of the same project", () => {
  const app = newApp();
  const stack = newStack(app);
  migrate(stack);
  const other = newStack(app, "other");
  raw(other);
  expect(refusal(() => synthesize(stack))).toEqual(["authorization-in-two-stacks"]);
  expect(() => synthesize(stack)).toThrow(
    "'example.com' is authorized by 'other/raw' and by prod/shop, in two stacks; pass the id of 'other/raw' as existingAuthorizations",
  );
  expect(refusal(() => synthesize(other))).toEqual([]);
});

test("an authorization that was created without this package is found in other stacks although the first stack was synthesized before", () => {
  const app = newApp();
  const [first, second] = [newStack(app, "first"), newStack(app, "second")];
  migrate(first, { certificates: [Certificate.managed({ domains: ["a.example.com"] })] });
  migrate(second, { certificates: [Certificate.managed({ domains: ["b.example.com"] })] });
  expect(refusal(() => [first, second].map(synthesize))).toEqual([]);
  raw(newStack(app, "third"), { domain: "b.example.com" });
  synthesize(first);
  expect(refusal(() => synthesize(second))).toEqual(["authorization-in-two-stacks"]);
});

test.each(["prod", "other"])(
  "an authorization that was created without this package is refused as a second fixed record in another project, in stack '%s'",
  (id) => {
    const app = newApp();
    const stack = newStack(app);
    migrate(stack);
    raw(id === "prod" ? stack : newStack(app, id), { project: "other-project" });
    expect(refusal(() => synthesize(stack))).toEqual(["fixed-record-in-two-projects"]);
    expect(() => synthesize(stack)).toThrow(
      `'example.com' is authorized by '${id}/raw' and by prod/shop, in two projects`,
    );
  },
);

test.each([
  ["another domain", { domain: "example.net" }],
  ["another location", { location: "europe-west1" }],
  ["another project by another record", { project: "other-project", type: "PER_PROJECT_RECORD" }],
])("an authorization that was created without this package is accepted for %s", (_, change) => {
  for (const id of ["prod", "other"]) {
    const app = newApp();
    const stack = newStack(app);
    migrate(stack);
    raw(id === "prod" ? stack : newStack(app, id), change);
    expect(refusal(() => synthesize(stack))).toEqual([]);
  }
});

test("an authorization that was created without this package is accepted in another project if the migration has a record for each project", () => {
  const stack = newStack();
  raw(stack, { project: "other-project" });
  migrate(stack, { authorizationType: "PER_PROJECT_RECORD" });
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

test("an authorization that was created without this package is accepted if the migration uses it", () => {
  const stack = newStack();
  const { id } = raw(stack);
  migrate(stack, { existingAuthorizations: { "example.com": id }, dns: DnsPublication.external() });
  expect(refusal(() => synthesize(stack))).toEqual([]);
});

describe("the project of the provider", () => {
  const withProject = (project: string) => {
    const stack = newStack(undefined, "prod", project);
    migrate(stack);
    return () => synthesize(stack);
  };

  test.each(["My Project!", "my-project-", "projects/my-project", "1shop"])("is refused as '%s'", (project) => {
    expect(refusal(withProject(project))).toEqual(["project-invalid"]);
    expect(withProject(project)).toThrow(`prod/google: 'project' '${project}' is not a project id; use`);
  });

  test.each(["my-project", "example.com:shop", "123456789012", "${var.project}", ""])(
    "is accepted as '%s'",
    (project) => {
      expect(refusal(withProject(project))).toEqual([]);
    },
  );
});

describe("a zone of the app", () => {
  const zone = (dnsName: string) => new DnsManagedZone(newStack(), "zone", { name: "z", dnsName });
  const publish = (domain: string, dnsName: string) => () =>
    DnsPublication.cloudDns({ zones: { [domain]: zone(dnsName) } });

  test.each([
    ["another domain", "example.com", "example.net."],
    ["a subdomain", "example.com", "shop.example.com."],
    ["a domain with the same ending", "example.com", "ample.com."],
    ["another domain with an umlaut", "bücher.example.com", "xn--bcher-kvb.example.com."],
  ])("is refused as the zone of %s", (_, domain, dnsName) => {
    expect(refusal(publish(domain, dnsName))).toEqual(["zone-domain-mismatch"]);
  });

  test.each([
    ["the domain", "Example.com", "example.com."],
    ["a parent domain", "shop.example.com", "example.com."],
    ["the domain in A-labels", "bücher.example.com", "xn--bcher-kva.example.com."],
    ["the domain in Unicode", "xn--bcher-kva.example.com", "Bücher.example.com."],
    ["a parent domain in A-labels", "www.bücher.example.com", "xn--bcher-kva.example.com."],
    ["a parent domain that is not a hostname", "example.com", "com."],
    ["a domain that only Terraform knows", "example.com", "${var.domain}"],
  ])("is accepted as the zone of %s", (_, domain, dnsName) => {
    expect(refusal(publish(domain, dnsName))).toEqual([]);
  });
});

describe("mistakes across the constructs of a stack", () => {
  /** Builds a stack with three mistakes that no constructor sees. */
  function withMistakes(app: App): TerraformStack {
    const stack = new TerraformStack(app, "prod");
    new GoogleProvider(stack, "google", { alias: "web", project: "my-project" });
    const dns = DnsPublication.external();
    const certificates = [Certificate.managed({ domains: ["example.net"] })];
    const [first, second] = [migrate(stack), migrate(stack, { certificates, dns }, "other")];
    first.node.addDependency(second);
    second.node.addDependency(first);
    new CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com", project: "my-project" });
    return stack;
  }
  const codesOf = (act: () => unknown) => [...new Set(refusal(act))];
  const all = ["fixed-record-in-two-projects", "provider-without-alias-missing", "dependency-cycle"];

  test.each<[string, (stack: TerraformStack, app: App) => unknown]>([
    ["Testing.synth", (stack) => Testing.synth(stack)],
    ["Testing.synth with validations", (stack) => Testing.synth(stack, true)],
    ["the synthesis of the app", (_, app) => app.synth()],
  ])("are thrown together by %s", (_, act) => {
    const app = newApp();
    const stack = withMistakes(app);
    expect(codesOf(() => act(stack, app))).toEqual(all);
  });

  test("are not thrown by an app that skips validations", () => {
    const app = new App({ outdir: newApp().outdir, skipValidation: true });
    withMistakes(app);
    expect(codesOf(() => app.synth())).toEqual([]);
  });

  test("leave mistakes of properties to the constructor, also if validations are skipped", () => {
    const stack = newStack(new App({ outdir: newApp().outdir, skipValidation: true }));
    expect(codesOf(() => migrate(stack, { certificates: [] }))).toEqual(["list-empty"]);
  });
});

test("refuses a wildcard as the root domain, and names the domain to use", () => {
  const dns = DnsPublication.external();
  expect(() => new WildcardCertWithAuth(newStack(), "wild", { domain: "*.example.com", dns })).toThrow(
    "prod/wild: 'domain' is '*.example.com'; use 'example.com': the certificate has the wildcard too",
  );
  expect(() => new WildcardCertWithAuth(newStack(), "wild", { domain: "*.*.example.com", dns })).toThrow(
    "prod/wild: 'domain' is '*.*.example.com'; use 'example.com': the certificate has the wildcard too",
  );
});

test("names a proxy with another map by the map's address, not by a token", () => {
  const stack = newStack();
  const map = new CertificateManagerCertificateMap(stack, "map", { name: "m" });
  const certificateMap = `//certificatemanager.googleapis.com/${map.id}`;
  const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "p", urlMap: "um", certificateMap });
  const attach = () => migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
  expect(attach).toThrow(
    "has the certificate map '//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.map.id}'",
  );
});
