import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { Aspects, TerraformProvider, TerraformResource, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration, WildcardCertWithAuth } from "../../lib";
import type { MigrationSpec } from "../../lib/plan";
import { specsWithEveryField } from "../support/every-field";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, onlyResource, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

/** Adds a google provider with an alias. */
function alias(stack: TerraformStack, name: string, project?: string): GoogleProvider {
  return new GoogleProvider(stack, name, { alias: name, ...(project !== undefined && { project }) });
}

/** Returns the providers of resources by their types. */
function providersOf({ resource = {} }: SynthesizedStack): Readonly<Record<string, readonly unknown[]>> {
  const ofTypes = Object.entries(resource).map(([type, blocks]): [string, readonly unknown[]] => [
    type,
    [...new Set(Object.values(blocks).map(({ provider }) => provider))],
  ]);
  return Object.fromEntries(ofTypes);
}

class AwsProvider extends TerraformProvider {}

const authorizations = "google_certificate_manager_dns_authorization";
const records = "google_dns_record_set";

test.each(specsWithEveryField().map((spec): [string, MigrationSpec] => [spec.name, spec]))(
  "the provider of a migration is the provider of all google resources of '%s', and of no other resource",
  (_, spec) => {
    const stack = newStack();
    ManagedCertMigration.fromSpec(stack, "shop", spec, alias(stack, "web"));
    const synthesized = synthesize(stack);
    const expected = Object.keys(synthesized.resource ?? {}).map((type) => [
      type,
      [type.startsWith("google_") ? "google.web" : undefined],
    ]);
    expect(providersOf(synthesized)).toEqual(Object.fromEntries(expected));
    expect(mistakesOf(synthesized)).toEqual([]);
    // Terraform imports a resource with the provider of the resource.
    for (const block of synthesized.import ?? []) expect(Object.keys(block).sort()).toEqual(["id", "to"]);
  },
);

test("the provider of a migration is the provider of the resources of WildcardCertWithAuth", () => {
  const stack = newStack();
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
  new WildcardCertWithAuth(stack, "wild", {
    domain: "example.com",
    dns,
    certificateMap: "projects/my-project/locations/global/certificateMaps/web",
    provider: alias(stack, "web"),
  });
  expect(providersOf(synthesize(stack))).toEqual({
    [authorizations]: ["google.web"],
    [records]: ["google.web"],
    google_certificate_manager_certificate: ["google.web"],
    google_certificate_manager_certificate_map_entry: ["google.web"],
    terraform_data: [undefined],
  });
});

test("the provider of a migration changes nothing if it is the provider without alias", () => {
  const stated = newStack();
  migrate(stated, { provider: stated.node.findChild("google") as TerraformProvider });
  const usual = newStack();
  migrate(usual);
  expect(synthesize(stated)).toEqual(synthesize(usual));
});

test("the provider of a migration changes no address if it has the project of the provider without alias", () => {
  const addresses = (provider?: string) => {
    const stack = newStack();
    const aliased = provider === undefined ? {} : { provider: alias(stack, provider, "my-project") };
    migrate(stack, { enableApis: true, ...aliased });
    return Object.entries(synthesize(stack).resource ?? {}).map(([type, blocks]) => [type, Object.keys(blocks)]);
  };
  expect(addresses("web")).toEqual(addresses());
});

test.each<[string, (stack: TerraformStack) => unknown, string]>([
  ["a text", () => "google.web", "prod/shop: 'provider' is not a provider of the app; use a GoogleProvider"],
  [
    "a provider of another type",
    (stack) => new AwsProvider(stack, "aws", { terraformResourceType: "aws" }),
    "'provider' is 'prod/aws', a provider of type 'aws'",
  ],
  [
    "a provider of another stack",
    (stack) => alias(newStack(newApp(), "other-stack"), `of-${stack.node.id}`),
    "'provider' is 'other-stack/of-prod', a provider of the stack 'other-stack'",
  ],
])("the provider of a migration is refused if it is %s", (_, provider, message) => {
  const stack = newStack();
  const given = provider(stack) as TerraformProvider;
  expect(() => migrate(stack, { provider: given })).toThrow(message);
  expect(refusal(() => migrate(stack, { provider: given }, "again"))).toEqual(["provider-invalid"]);
});

test("the provider of a migration is refused with an invalid project", () => {
  const stack = newStack();
  migrate(stack, { provider: alias(stack, "web", "My Project!") });
  expect(() => synthesize(stack)).toThrow("prod/web: 'project' 'My Project!' is not a project id");
});

test("the provider of a migration is refused with all other mistakes of the props", () => {
  const zones = { "example.com": { name: "example-com", provider: "google.dns" as unknown as TerraformProvider } };
  const stack = newStack();
  const change = {
    provider: "google.web" as unknown as TerraformProvider,
    dns: DnsPublication.cloudDns({ zones, provider: 1 as unknown as TerraformProvider }),
    operationTimeoutMinutes: 0,
  };
  expect(() => migrate(stack, change)).toThrow("'dns.zones.example.com.provider' is not a provider of the app");
  expect([...refusal(() => migrate(stack, change, "again"))].sort()).toEqual([
    "provider-invalid",
    "provider-invalid",
    "provider-invalid",
    "value-out-of-range",
  ]);
});

test("the provider of records is the provider of the zone, of the publication, or of the migration", () => {
  const stack = newStack();
  const dns = DnsPublication.cloudDns({
    zones: {
      "example.com": { name: "example-com", provider: alias(stack, "zone", "zone-project") },
      "example.net": "example-net",
    },
    provider: alias(stack, "dns", "dns-project"),
  });
  migrate(stack, {
    certificates: [Certificate.managed({ domains: ["www.example.com", "example.net"] })],
    dns,
    loadBalancer: LoadBalancer.globalExternal({
      newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
    }),
    traffic: {
      to: "previous",
      hostnames: ["www.example.com"],
      previous: { "www.example.com": { a: ["192.0.2.1"] } },
    },
    project: "my-project",
  });
  const blocks = Object.values(resourcesOf(synthesize(stack), records));
  const places = blocks.map(({ managed_zone, project, provider, type }) => ({
    managed_zone,
    project,
    provider,
    type,
  }));
  expect(places.sort((a, b) => `${a.managed_zone}${a.type}`.localeCompare(`${b.managed_zone}${b.type}`))).toEqual([
    { managed_zone: "example-com", project: "zone-project", provider: "google.zone", type: "A" },
    { managed_zone: "example-com", project: "zone-project", provider: "google.zone", type: "CNAME" },
    { managed_zone: "example-net", project: "dns-project", provider: "google.dns", type: "CNAME" },
  ]);
});

test("the provider of records is the provider that creates a zone of the stack, and of an API that the zone needs", () => {
  const stack = newStack();
  const provider = alias(stack, "dns", "dns-project");
  const zone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com.", provider });
  const dns = DnsPublication.cloudDns({ zones: { "Example.COM.": zone } });
  migrate(stack, { dns, enableApis: true, provider: alias(stack, "web", "web-project") });
  const synthesized = synthesize(stack);
  expect(onlyResource(synthesized, records)).toMatchObject({ provider: "google.dns", project: "dns-project" });
  const apis = Object.values(resourcesOf(synthesized, "google_project_service"));
  expect(Object.fromEntries(apis.map(({ service, provider }) => [service, provider]))).toEqual({
    "dns.googleapis.com": "google.dns",
    "certificatemanager.googleapis.com": "google.web",
  });
});

test("the provider of records is the provider that creates a zone of the stack, before the provider of the publication", () => {
  const stack = newStack();
  const provider = alias(stack, "dns", "dns-project");
  const zone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com.", provider });
  migrate(stack, {
    dns: DnsPublication.cloudDns({
      zones: { "example.com": zone },
      provider: alias(stack, "others", "others-project"),
    }),
  });
  expect(onlyResource(synthesize(stack), records)).toMatchObject({ provider: "google.dns", project: "dns-project" });
});

test("the provider of records is the migration's for a zone of the stack without provider, in the project of the zone", () => {
  const stack = newStack(newApp(), "prod", "zone-project");
  const zone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com." });
  migrate(stack, {
    dns: DnsPublication.cloudDns({ zones: { "example.com": zone } }),
    provider: alias(stack, "web", "web-project"),
  });
  expect(onlyResource(synthesize(stack), records)).toMatchObject({ provider: "google.web", project: "zone-project" });
});

test("the provider of records keeps the project that the zone or the publication states", () => {
  const stack = newStack();
  const provider = alias(stack, "dns", "dns-project");
  const zones = { "example.com": { name: "example-com", project: "zone-project" }, "example.net": "example-net" };
  migrate(stack, {
    certificates: [Certificate.managed({ domains: ["example.com", "example.net"] })],
    dns: DnsPublication.cloudDns({ zones, provider, project: "stated-project" }),
  });
  const projects = Object.values(resourcesOf(synthesize(stack), records)).map(({ project }) => project);
  expect(projects.sort()).toEqual(["stated-project", "zone-project"]);
});

test("two migrations of a stack with different providers are refused if they need the same authorization, with both names and 'existingAuthorizations'", () => {
  const stack = newStack();
  migrate(stack, { provider: alias(stack, "web", "my-project") });
  expect(() => migrate(stack, { provider: alias(stack, "api", "my-project") }, "again")).toThrow(
    `'example.com' is authorized by prod/shop with the provider 'google.web' and by prod/again with 'google.api', in the same project; give both the same 'provider', or pass the id of the first authorization to the second construct as existingAuthorizations: { "example.com": … }`,
  );
  expect(refusal(() => migrate(stack, {}, "third"))).toEqual([
    "authorization-providers-differ",
    "authorization-providers-differ",
  ]);
  const existingAuthorizations = { "example.com": "projects/my-project/locations/global/dnsAuthorizations/a" };
  const second = { provider: alias(stack, "last", "my-project"), existingAuthorizations };
  expect(refusal(() => migrate(stack, { ...second, dns: DnsPublication.external() }, "fourth"))).toEqual([]);
});

test.each([
  ["states no project", undefined, `authorization-example.com-by-other`],
  ["has another project", "other-project", "authorization-example.com-in-other-project"],
])(
  "two migrations of a stack with different providers have an authorization each if the other provider %s",
  (_, project, id) => {
    const stack = newStack();
    const authorizationType = "PER_PROJECT_RECORD";
    migrate(stack, { authorizationType, enableApis: true });
    const provider = alias(stack, "other", project);
    const { authorizations: own } = migrate(stack, { authorizationType, enableApis: true, provider }, "again");
    expect(Object.values(own).map(({ node }) => node.id)).toEqual([id]);
    const synthesized = synthesize(stack);
    expect(mistakesOf(synthesized)).toEqual([]);
    expect(Object.values(resourcesOf(synthesized, authorizations)).map(({ provider }) => provider)).toEqual([
      "google.other",
      undefined,
    ]);
  },
);

test("two migrations of a stack with different providers are refused if the provider without alias is nested in constructs", () => {
  const stack = new TerraformStack(newApp(), "prod");
  new GoogleProvider(new Construct(stack, "base"), "google", { project: "my-project" });
  migrate(stack);
  const provider = alias(stack, "web", "my-project");
  expect(() => migrate(stack, { provider }, "again")).toThrow(
    "'example.com' is authorized by prod/shop with the provider 'google' and by prod/again with 'google.web', in the same project; give both the same 'provider'",
  );
});

test("two migrations of a stack with different providers are refused with one fixed record in two projects", () => {
  const stack = newStack();
  migrate(stack);
  const provider = alias(stack, "other", "other-project");
  expect(refusal(() => migrate(stack, { provider }, "again"))).toEqual(["fixed-record-in-two-projects"]);
});

test("two migrations of a stack with different providers are refused if only the providers of the records differ", () => {
  const stack = newStack();
  const dns = (name: string) =>
    DnsPublication.cloudDns({ zones: { "example.com": "z" }, provider: alias(stack, name, "dns-project") });
  migrate(stack, { dns: dns("one") });
  expect(() => migrate(stack, { dns: dns("two") }, "again")).toThrow(
    "the record of 'example.com' is published with the provider 'google.one' by prod/shop and with 'google.two' by prod/again; give its zone the same provider in both",
  );
});

test("two migrations of a stack with different providers enable an API of a project once, with the same provider in any order", () => {
  const providers = (order: readonly string[]) => {
    const stack = newStack();
    for (const [index, name] of order.entries()) {
      const domain = `${name}.example.com`;
      migrate(
        stack,
        {
          certificates: [Certificate.managed({ domains: [domain] })],
          enableApis: true,
          provider: alias(stack, name, "my-project"),
        },
        `shop-${index}`,
      );
    }
    return providersOf(synthesize(stack)).google_project_service;
  };
  expect(providers(["one", "two"])).toEqual(["google.one"]);
  expect(providers(["two", "one"])).toEqual(["google.one"]);
});

describe("a stack whose google providers all have an alias", () => {
  /** Returns a stack without a provider that has no alias. */
  function aliasOnly(): TerraformStack {
    const stack = new TerraformStack(newApp(), "prod");
    alias(new Construct(stack, "base") as TerraformStack, "web", "web-project");
    return stack;
  }

  test("is refused if a migration has no provider, as Terraform would configure another one", () => {
    const stack = aliasOnly();
    migrate(stack);
    expect(refusal(() => synthesize(stack))).toEqual([
      "provider-without-alias-missing",
      "provider-without-alias-missing",
    ]);
    expect(() => synthesize(stack)).toThrow(
      "prod/shop: all google providers of the stack have an alias ('google.web'), and resources without 'provider' would use a provider that Terraform configures from the environment; pass one of them as 'provider', or add a google provider without alias",
    );
    new GoogleProvider(stack, "google");
    expect(refusal(() => synthesize(stack))).toEqual([]);
  });

  test("is accepted if the props or an aspect name the provider", () => {
    const stated = aliasOnly();
    migrate(stated, { provider: stated.node.findChild("base").node.findChild("web") as TerraformProvider });
    expect(refusal(() => synthesize(stated))).toEqual([]);
    const stack = aliasOnly();
    const provider = stack.node.findChild("base").node.findChild("web") as TerraformProvider;
    migrate(stack);
    Aspects.of(stack).add({
      visit: (node) => {
        if (TerraformResource.isTerraformResource(node)) node.provider = provider;
      },
    });
    expect(refusal(() => synthesize(stack))).toEqual([]);
    expect(providersOf(synthesize(stack)).terraform_data).toEqual([undefined]);
  });
});
