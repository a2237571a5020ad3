import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { TerraformVariable, Token } from "cdktf";
import {
  Certificate,
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  WildcardCertWithAuth,
  type WildcardCertWithAuthProps,
} from "../../lib";
import type { MigrationSpec } from "../../lib/plan";
import { specsWithEveryField } from "../support/every-field";
import { refusal } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
const valid = { certificates: [Certificate.managed({ domains: ["www.example.com"] })], dns };

/** Creates a migration from values that no compiler checked, as from `JSON.parse` or the app's context. */
const create = (props: unknown) => new ManagedCertMigration(newStack(), "shop", props as ManagedCertMigrationProps);

function messagesOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code, message }) => `${message} [${code}]`);
    throw error;
  }
  return [];
}

const previous = { "www.example.com": { a: ["198.51.100.1"] } };

test.each<[string, unknown, string]>([
  [
    "a target of traffic with a wrong capital",
    { ...valid, traffic: { to: "Previous", previous } },
    "value-not-allowed",
  ],
  ["a gate with a wrong capital", { ...valid, gate: "Wait" }, "value-not-allowed"],
  ["an empty phase", { ...valid, phase: "" }, "value-not-allowed"],
  ["a phase with a wrong capital", { ...valid, phase: "Serve" }, "value-not-allowed"],
  ["an unknown authorization type", { ...valid, authorizationType: "PER_PROJECT" }, "value-not-allowed"],
  ["a boolean as text", { ...valid, enableApis: "true" }, "value-wrong-type"],
  ["an unknown property", { ...valid, dependsOn: [newStack()] }, "property-unknown"],
  [
    "domains as text",
    { ...valid, certificates: [Certificate.managed({ domains: "a.example.com" as never })] },
    "value-wrong-type",
  ],
  ["no certificates", { dns }, "property-missing"],
  ["no props", undefined, "property-missing"],
  ["null", null, "property-missing"],
  ["a load balancer as data", { ...valid, loadBalancer: { kind: "globalExternal" } }, "value-wrong-type"],
  ["null as the load balancer", { ...valid, loadBalancer: null }, "value-wrong-type"],
  ["DNS as data", { ...valid, dns: { kind: "external" } }, "value-wrong-type"],
  ["no DNS", { certificates: valid.certificates }, "property-missing"],
  ["a map of another type", { ...valid, existingCertificateMap: 7 }, "value-wrong-type"],
  ["null as a map", { ...valid, existingCertificateMap: null }, "value-wrong-type"],
  ["a construct as a map that is not a resource", { ...valid, existingCertificateMap: newStack() }, "value-wrong-type"],
])("refuses props that the compiler did not check: %s", (_, props, code) => {
  expect(refusal(() => create(props))).toContain(code);
});

test.each<[string, () => unknown, string]>([
  [
    "undefined as a target proxy",
    () => LoadBalancer.globalExternal({ targetHttpsProxies: [undefined as never] }),
    "target-proxy-invalid",
  ],
  [
    "proxies that are not a list",
    () => LoadBalancer.globalExternal({ targetHttpsProxies: "web" as never }),
    "target-proxy-invalid",
  ],
  [
    "null in place of target proxies",
    () => LoadBalancer.globalExternal({ targetSslProxies: null as never }),
    "target-proxy-invalid",
  ],
  [
    "the name of a proxy as a target proxy",
    () => LoadBalancer.regionalExternal({ region: "europe-west1", targetHttpsProxies: ["web" as never] }),
    "target-proxy-invalid",
  ],
  [
    "a protocol that does not exist",
    () => LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web", quicOverride: "ENABLED" as never } }),
    "value-not-allowed",
  ],
  ["an unknown option", () => LoadBalancer.globalExternal({ targetHttpProxies: [] } as never), "property-unknown"],
  [
    "target SSL proxies of a regional load balancer",
    () => LoadBalancer.regionalExternal({ region: "europe-west1", targetSslProxies: [] } as never),
    "property-unknown",
  ],
  ["null in place of the options", () => LoadBalancer.globalExternal(null as never), "value-wrong-type"],
  ["data without a load balancer", () => LoadBalancer.fromSpec(undefined as never), "value-wrong-type"],
  [
    "a kind beside the kind of the factory",
    () => LoadBalancer.globalExternal({ kind: "regionalExternal" } as never),
    "property-unknown",
  ],
  [
    "no options of a regional load balancer",
    () => LoadBalancer.regionalExternal(undefined as never),
    "value-wrong-type",
  ],
])("refuses props that the compiler did not check: %s", (_, make, code) => {
  expect(refusal(() => create({ ...valid, loadBalancer: make() }))).toEqual([code]);
});

test.each<[string, unknown, string]>([
  [
    "a zone that an environment variable should name",
    { zones: { "example.com": process.env.NO_SUCH_ZONE } },
    "value-wrong-type",
  ],
  ["no zones", {}, "property-missing"],
  ["no options", undefined, "property-missing"],
  ["zones as a list", { zones: ["example-com"] }, "value-wrong-type"],
  ["an unknown option", { zones: { "example.com": "example-com" }, ttl: 60 }, "property-unknown"],
  ["null as a zone", { zones: { "example.com": null } }, "value-wrong-type"],
  ["a Map of zones", { zones: new Map([["example.com", "example-com"]]) }, "value-wrong-type"],
])("refuses props that the compiler did not check: %s", (_, options, code) => {
  expect(refusal(() => create({ ...valid, dns: DnsPublication.cloudDns(options as never) }))).toEqual([code]);
});

// As mappings, they have no properties: labels and authorizations would be missing without an error.
test.each<[string, unknown, string]>([
  ["labels", { labels: new Map([["team", "web"]]) }, "Map"],
  ["a date as labels", { labels: new Date(0) }, "Date"],
  [
    "existing authorizations",
    {
      existingAuthorizations: new Map([["example.com", "projects/my-project/locations/global/dnsAuthorizations/a"]]),
    },
    "Map",
  ],
  ["previous records", { traffic: { to: "previous", previous: new Map(Object.entries(previous)) } }, "Map"],
])("refuses props that the compiler did not check: an object of a class of the language as %s", (_, props, kind) => {
  const messages = messagesOf(() => create({ ...valid, ...(props as object) }));
  expect(messages).toEqual([expect.stringContaining(`is an object of the class ${kind}: write a mapping`)]);
});

test.each(["__proto__", "constructor", "toString"])(
  "refuses props that the compiler did not check: a zone of '%s', without a TypeError",
  (key) => {
    const zones = JSON.parse(`{"example.com": "example-com", "${key}": "x"}`);
    const codes = refusal(() => create({ ...valid, dns: DnsPublication.cloudDns({ zones }) }));
    expect(codes).toEqual([expect.stringMatching(/^(hostname|zone)-/)]);
  },
);

test("refuses props that the compiler did not check: every zone of the app that is not authoritative, at once", () => {
  const stack = newStack();
  const zoneOf = (id: string) => new DnsManagedZone(stack, id, { name: id, dnsName: `${id}.example.` });
  const act = () => DnsPublication.cloudDns({ zones: { "example.com": zoneOf("a"), "example.net": zoneOf("b") } });
  expect(refusal(act)).toEqual(["zone-domain-mismatch", "zone-domain-mismatch"]);
});

test.each<[string, unknown, string]>([
  ["a construct of another type as a map", new TerraformVariable(newStack(), "v", {}), "value-wrong-type"],
  [
    "a target proxy as a map",
    new ComputeTargetHttpsProxy(newStack(), "p", { name: "p", urlMap: "u" }),
    "value-wrong-type",
  ],
])("refuses props that the compiler did not check: %s", (_, existingCertificateMap, code) => {
  expect(refusal(() => create({ ...valid, existingCertificateMap }))).toEqual([code]);
});

test.each<[string, () => unknown]>([
  [
    "values that contain themselves",
    () => {
      const labels: Record<string, unknown> = {};
      labels.a = labels;
      return labels;
    },
  ],
  ["values of many levels", () => JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)],
  ["an object without a prototype", () => Object.assign(Object.create(null), { toString: null })],
  ["text in the form of a token that the app does not have", () => ({ team: "${TfToken[TOKEN.99999]}", b: 1 })],
])("refuses props that the compiler did not check: %s", (_, labels) => {
  expect(refusal(() => create({ ...valid, labels: labels() }))).toContain("value-wrong-type");
  expect(
    refusal(() =>
      ManagedCertMigration.fromSpec(newStack(), "shop", {
        ...valid,
        dns: { kind: "external" },
        labels: labels(),
      } as never),
    ),
  ).not.toEqual([]);
});

test("reads the accessors of classes in props, which a copy would lose", () => {
  class Props {
    readonly certificates = valid.certificates;
    readonly dns = dns;
    get gate() {
      return "none" as const;
    }
  }
  expect(create(new Props()).plan.gate).toBe("none");
});

test("refuses all mistakes of props at once, with the mistakes of the plan", () => {
  const act = () =>
    create({ ...valid, gate: "Wait", labels: { Team: "web" }, loadBalancer: null, dns: undefined, colour: "red" });

  expect(messagesOf(act)).toEqual([
    "prod/shop: the migration lacks 'dns'; use DnsPublication.cloudDns, DnsPublication.custom or DnsPublication.external [property-missing]",
    "prod/shop: 'loadBalancer' is not a LoadBalancer; use LoadBalancer.globalExternal or another factory, or omit 'loadBalancer' for a map without attachment [value-wrong-type]",
    "prod/shop: 'Team' can't be the key of a label; use 1 to 63 lowercase letters, digits, '_' and '-', with a letter first [label-key-invalid]",
    "prod/shop: unknown property 'colour' of the migration: allowed here: 'name', 'certificates', 'dns', 'loadBalancer', 'existingCertificateMap', 'existingAuthorizations', 'phase', 'gate', 'gateCommand', 'gateTimeoutMinutes', 'project', 'namePrefix', 'labels', 'description', 'authorizationType', 'maxDomainsPerCertificate', 'enableApis', 'alerts', 'operationTimeoutMinutes', 'traffic', 'mustServe' [property-unknown]",
    "prod/shop: 'gate' is the text 'Wait': use 'wait' or 'precondition' or 'check' or 'none'; did you mean 'wait'? [value-not-allowed]",
  ]);
});

test("refuses props that the compiler did not check: a construct id that Terraform would evaluate in the output, with all other mistakes", () => {
  const act = () => new ManagedCertMigration(newStack(), '${file("secret")}', { ...valid, labels: { Team: "web" } });
  expect(refusal(act)).toEqual(["construct-path-invalid", "expression-not-allowed", "label-key-invalid"]);
});

describe("refuses props of WildcardCertWithAuth that the compiler did not check", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["no domain", { dns }, ["property-missing"]],
    ["a number as domain", { dns, domain: 7 }, ["value-wrong-type"]],
    ["no props", undefined, ["property-missing", "property-missing"]],
    ["a phase with a wrong capital and no map", { dns, domain: "example.com", phase: "Serve" }, ["value-not-allowed"]],
    ["phase serve without a map", { dns, domain: "example.com", phase: "serve" }, ["map-missing"]],
    ["a gate with a wrong capital", { dns, domain: "example.com", gate: "Wait" }, ["value-not-allowed"]],
    ["null as the phase", { dns, domain: "example.com", phase: null }, ["value-not-allowed"]],
    ["null as a map", { dns, domain: "example.com", certificateMap: null }, ["value-wrong-type"]],
    [
      "its own props together with all others",
      { domain: 7, dns: {}, certificateMap: 7, gate: "Wait", labels: { Team: "web" }, generation: -1 },
      [
        "value-wrong-type",
        "value-wrong-type",
        "value-wrong-type",
        "label-key-invalid",
        "value-not-allowed",
        "value-out-of-range",
      ],
    ],
    [
      "props of the migration that the construct sets itself",
      {
        dns,
        domain: "example.com",
        certificates: [],
        loadBalancer: null,
        traffic: {},
        mustServe: [],
        existingCertificateMap: "m",
      },
      ["property-unknown", "property-unknown", "property-unknown", "property-unknown", "property-unknown"],
    ],
  ])("%s", (_, props, codes) => {
    const act = () => new WildcardCertWithAuth(newStack(), "wild", props as WildcardCertWithAuthProps);
    expect(refusal(act)).toEqual(codes);
  });
});

const stackWithVariable = () => {
  const stack = newStack();
  return { stack, zone: new TerraformVariable(stack, "zone", { type: "string" }) };
};

test.each<[string, (zone: TerraformVariable) => unknown, string]>([
  [
    "a hostname",
    (zone) => ({ ...valid, certificates: [Certificate.managed({ domains: [zone.stringValue] })] }),
    "prod/shop: 'certificates[0].domains[0]' is the reference 'var.zone': the value must be known before Terraform runs [reference-not-allowed]",
  ],
  [
    "a gate",
    (zone) => ({ ...valid, gate: zone.stringValue }),
    "prod/shop: 'gate' is the reference 'var.zone': use 'wait' or 'precondition' or 'check' or 'none' [reference-not-allowed]",
  ],
  [
    "a number",
    (zone) => ({ ...valid, gateTimeoutMinutes: zone.numberValue }),
    "prod/shop: 'gateTimeoutMinutes' is the reference 'var.zone': the value must be known before Terraform runs [reference-not-allowed]",
  ],
  [
    "a switch",
    (zone) => ({ ...valid, enableApis: zone.booleanValue }),
    "prod/shop: 'enableApis' is the reference 'var.zone': the value must be known before Terraform runs [reference-not-allowed]",
  ],
  [
    "a list",
    (zone) => ({ ...valid, mustServe: Token.asList(zone.value) }),
    "prod/shop: 'mustServe[0]' is the reference 'var.zone': the value must be known before Terraform runs [reference-not-allowed]",
  ],
  [
    "the whole of a mapping",
    (zone) => ({ ...valid, traffic: zone.value }),
    "prod/shop: 'traffic' is the reference 'var.zone': the value must be known before Terraform runs [reference-not-allowed]",
  ],
])("refuses a token where the value must be known, by its name: %s", (_, propsWith, message) => {
  const { stack, zone } = stackWithVariable();
  const act = () => new ManagedCertMigration(stack, "shop", propsWith(zone) as ManagedCertMigrationProps);
  expect(messagesOf(act)).toEqual([message]);
});

test("accepts tokens where references are allowed, beside text too", () => {
  const { stack, zone } = stackWithVariable();
  const proxy = new ComputeTargetHttpsProxy(stack, "web", { name: "web", urlMap: "web" });
  new ManagedCertMigration(stack, "tokens", {
    ...valid,
    project: zone.stringValue,
    labels: { team: `team-${zone.stringValue}` },
    dns: DnsPublication.cloudDns({ zones: { "example.com": `zone-${zone.stringValue}` } }),
    loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy], addresses: Token.asList(zone.value) }),
  });
  expect(JSON.stringify(synthesize(stack))).toContain("team-${var.zone}");
});

test("refuses text in the form of a token in data", () => {
  const spec = { ...specsWithEveryField().at(-1), project: "${TfToken[TOKEN.1]}" } as MigrationSpec;
  expect(messagesOf(() => ManagedCertMigration.fromSpec(newStack(), "shop", spec))).toEqual([
    "shop: '/project' contains a token of the kit, and data has none: pass the props to the constructor [reference-not-allowed]",
  ]);
});
