import {
  Certificate,
  CommandGate,
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  WildcardCertWithAuth,
  type WildcardCertWithAuthProps,
} from "../../lib";
import { type MigrationSpec, parseMigrationDocument, planMigration, splitMigration } from "../../lib/plan";
import { newStack, synthesize } from "../support/synth";

/**
 * Mistakes in props, data and YAML that would move traffic, drop a gate or a map, or run text as code, and harmless
 * values beside them: all have to be refused by all readers, or accepted by all.
 */

const base: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["www.example.com"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
  loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "web" }, addresses: ["203.0.113.7"] },
};
const previous = { "www.example.com": { a: ["198.51.100.1"] } };

/** The codes of one reader; empty if it accepts the value. */
function codesOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof InputError) return [...new Set(error.problems.map(({ code }) => code))].sort();
    throw error;
  }
}

/** Returns the codes of every reader of data, by reader. */
function readers(spec: MigrationSpec): Readonly<Record<string, readonly string[]>> {
  const planned = () => {
    const errors = planMigration(spec).findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new InputError(errors);
  };
  const parsed = () => {
    const read = parseMigrationDocument(JSON.stringify(spec), { source: "m.json" });
    if ("problems" in read) throw new InputError(read.problems);
    const errors = planMigration(read.spec).findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new InputError(errors);
  };
  const created = () => {
    const stack = newStack();
    ManagedCertMigration.fromSpec(stack, "shop", spec);
    synthesize(stack);
  };
  return { plan: codesOf(planned), yaml: codesOf(parsed), fromSpec: codesOf(created) };
}

const everywhere = (code: string) => {
  const codes = code === "" ? [] : [code];
  return { plan: codes, yaml: codes, fromSpec: codes };
};

test.each<readonly [title: string, change: Readonly<Record<string, unknown>>, code: string]>([
  ["finds traffic to 'Previous'", { traffic: { to: "Previous", previous } }, "value-not-allowed"],
  ["finds traffic to 'loadbalancer'", { traffic: { to: "loadbalancer", previous } }, "value-not-allowed"],
  ["finds traffic to a variable", { traffic: { to: "${var.to}", previous } }, "value-not-allowed"],
  ["finds traffic to nothing", { traffic: { previous } }, "property-missing"],
  ["finds the gate 'Wait'", { gate: "Wait" }, "value-not-allowed"],
  ["finds the gate null", { gate: null }, "value-not-allowed"],
  ["finds the gate false", { gate: false }, "value-not-allowed"],
  ["finds an empty phase", { phase: "" }, "value-not-allowed"],
  ["finds the phase 'Serve'", { phase: "Serve" }, "value-not-allowed"],
  ["finds a list as phase", { phase: ["serve"] }, "value-not-allowed"],
  ["finds an unknown kind of load balancer", { loadBalancer: { kind: "global" } }, "value-not-allowed"],
  ["finds null as load balancer", { loadBalancer: null }, "value-wrong-type"],
  ["finds text as a boolean", { enableApis: "true" }, "value-wrong-type"],
  ["finds a misspelled mustServe", { mustserve: ["www.example.com"] }, "property-unknown"],
  [
    "finds a misspelled property of a certificate",
    { certificates: [{ domains: ["www.example.com"], primry: true }] },
    "property-unknown",
  ],
  ["finds text as hostnames", { certificates: [{ domains: "www.example.com" }] }, "value-wrong-type"],
  ["finds no certificate", { certificates: [] }, "list-empty"],
  ["finds a fraction of a minute", { gateTimeoutMinutes: 1.5 }, "value-wrong-type"],
  [
    "finds the id of a certificate with a shell command in quotes",
    { certificates: [{ domains: ["www.example.com"], existingCertificateId: '${"x; touch f; echo "}' }] },
    "expression-not-allowed",
  ],
  ["finds a file in a description", { description: '${file("secret.txt")}' }, "expression-not-allowed"],
  ["finds a file in a label", { labels: { team: '${file("secret.txt")}' } }, "expression-not-allowed"],
  ["finds a file in the project", { project: '${file("secret.txt")}' }, "expression-not-allowed"],
  [
    "finds a file in the URL map",
    { loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: '${file("secret.txt")}' } } },
    "expression-not-allowed",
  ],
  [
    "finds a file in an address",
    { loadBalancer: { kind: "globalExternal", addresses: ['${file("secret.txt")}'] } },
    "expression-not-allowed",
  ],
  ["finds a file in the id of a map", { existingCertificateMap: '${file("secret.txt")}' }, "expression-not-allowed"],
  ["finds a directive in the migration's name", { name: "shop%{ if true }x%{ endif }" }, "expression-not-allowed"],
  ["finds an invalid directive in a description", { description: "%{off}" }, "expression-not-allowed"],
  ["finds a reference as hostname", { certificates: [{ domains: ["${var.zone}"] }] }, "reference-not-allowed"],
  ["finds a local value in a label", { labels: { team: "${local.team}" } }, "reference-not-allowed"],
  ["finds a sensitive variable beside the text of an id", { project: "p-${var.project}" }, "reference-not-allowed"],
  ["accepts traffic to 'previous'", { traffic: { to: "previous", previous } }, ""],
  ["accepts traffic to 'loadBalancer'", { traffic: { to: "loadBalancer", previous } }, ""],
  ["accepts each gate by its word", { gate: "precondition" }, ""],
  ["accepts the phase 'issue'", { phase: "issue" }, ""],
  ["accepts a literal dollar sign and percent sign", { description: "100 % of $5 {a}" }, ""],
  ["accepts an escaped reference and an escaped directive", { description: "$${x} and %%{y}" }, ""],
  ["accepts a variable as the project", { project: "${var.project}" }, ""],
  [
    "accepts a variable in a segment of an id",
    { existingCertificateMap: "projects/${var.project}/locations/global/certificateMaps/web" },
    "",
  ],
  [
    "accepts a variable beside text in labels, prefix and zones",
    {
      labels: { team: "web-${var.env}" },
      namePrefix: "${var.env}",
      dns: { kind: "cloudDns", zones: { "example.com": "zone-${var.env}" } },
    },
    "",
  ],
  [
    "accepts an attribute of a resource as a zone",
    { dns: { kind: "cloudDns", zones: { "example.com": "${google_dns_managed_zone.shop.name}" } } },
    "",
  ],
])("%s", (_, change, code) => {
  expect(readers({ ...base, ...change } as MigrationSpec)).toEqual(everywhere(code));
});

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
const props = { certificates: [Certificate.managed({ domains: ["www.example.com"] })], dns };
const create = (given: unknown) => new ManagedCertMigration(newStack(), "shop", given as ManagedCertMigrationProps);
const wildcard = (given: unknown) => new WildcardCertWithAuth(newStack(), "wild", given as WildcardCertWithAuthProps);

test.each<readonly [title: string, act: () => unknown, code: string]>([
  [
    "finds a load balancer that is data",
    () => create({ ...props, loadBalancer: { kind: "globalExternal" } }),
    "value-wrong-type",
  ],
  ["finds null as a load balancer", () => create({ ...props, loadBalancer: null }), "value-wrong-type"],
  [
    "finds a zone that is undefined",
    () => create({ ...props, dns: DnsPublication.cloudDns({ zones: { "example.com": undefined as never } }) }),
    "value-wrong-type",
  ],
  ["finds no zones", () => create({ ...props, dns: DnsPublication.cloudDns({} as never) }), "property-missing"],
  [
    "finds undefined as a target proxy",
    () => create({ ...props, loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [undefined as never] }) }),
    "target-proxy-invalid",
  ],
  ["finds a construct to depend on", () => create({ ...props, dependsOn: [newStack()] }), "property-unknown"],
  [
    "finds a wildcard in phase serve without a map",
    () => wildcard({ domain: "example.com", dns, phase: "serve" }),
    "map-missing",
  ],
  ["finds a wildcard without a domain", () => wildcard({ dns }), "property-missing"],
  ["finds a gate without props", () => new CommandGate(newStack(), "gate", {} as never), "property-missing"],
  [
    "finds a reference in the command of a gate",
    () => new CommandGate(newStack(), "gate", { command: "wait ${var.x}", triggers: [] }),
    "gate-command-invalid",
  ],
  [
    "finds a spec of a fleet with traffic to 'Previous'",
    () => splitMigration({ ...base, traffic: { to: "Previous" as never, previous } }, { maxEntriesPerMap: 10 }),
    "value-not-allowed",
  ],
  ["accepts no load balancer", () => create(props), ""],
  [
    "accepts undefined for every optional property",
    () => create({ ...props, gate: undefined, phase: undefined, loadBalancer: undefined, traffic: undefined }),
    "",
  ],
  ["accepts a wildcard without phase and map", () => wildcard({ domain: "example.com", dns }), ""],
  [
    "accepts a gate with constant text",
    () => new CommandGate(newStack(), "gate", { command: "echo $${HOME}", triggers: [] }),
    "",
  ],
])("%s", (_, act, code) => {
  expect(codesOf(act)).toEqual(code === "" ? [] : [code]);
});
