import { LoggingMetric } from "@cdktf/provider-google/lib/logging-metric";
import type { TerraformStack } from "cdktf";
import {
  Certificate,
  DnsPublication,
  LoadBalancer,
  type ManagedCertMigrationProps,
  type MigrationMilestone,
  PrivateKey,
} from "../../lib";
import { makeCertificate } from "../support/make-certificate";
import { migrate } from "../support/migrate";
import { newStack, resourcesOf, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

type Milestone = "issued" | "attached" | "verified";

const loadBalancer = LoadBalancer.globalExternal({
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
});
const regional = LoadBalancer.regionalExternal({
  region: "europe-west1",
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
});
const traffic = { previous: { "example.com": { a: ["192.0.2.1"] } }, hostnames: ["example.com"] };
const external = DnsPublication.external();

/** Returns the ids of the constructs of a milestone, and the warnings of the migration. */
function reached(change: Partial<ManagedCertMigrationProps>, name: Milestone) {
  const stack = newStack();
  const migration = migrate(stack, { certificates: [Certificate.managed({ domains: ["example.com"] })], ...change });
  const ids = migration[name].resources.map(({ node }) => node.id);
  // Reading it again changes nothing.
  expect(migration[name].resources.map(({ node }) => node.id)).toEqual(ids);
  const warnings = migration.node.metadata.filter(({ data }) => String(data).includes("[milestone-not-awaited]"));
  return { ids, isAwaited: warnings.length === 0 };
}

const attachedIds = ["target-https-proxy", "forwarding-rule-https-ipv4"];
const proxyAndMap: Partial<ManagedCertMigrationProps> = { loadBalancer };

test.each<[Milestone, string, Partial<ManagedCertMigrationProps>, { ids: readonly string[]; isAwaited: boolean }]>([
  ["issued", "the gate 'wait'", proxyAndMap, { ids: ["gate-example.com"], isAwaited: true }],
  [
    "issued",
    "the gate 'precondition'",
    { loadBalancer, gate: "precondition" },
    { ids: ["certificate-example.com", "entry-example.com", "target-https-proxy"], isAwaited: true },
  ],
  ["issued", "the gate 'check'", { gate: "check" }, { ids: ["certificate-example.com"], isAwaited: false }],
  ["issued", "the phase 'issue'", { phase: "issue" }, { ids: ["certificate-example.com"], isAwaited: false }],
  ["attached", "proxies", proxyAndMap, { ids: attachedIds, isAwaited: true }],
  ["attached", "certificates on the proxy", { loadBalancer: regional }, { ids: attachedIds, isAwaited: true }],
  ["attached", "a map without proxies", {}, { ids: ["map", "entry-example.com", "settlement-1"], isAwaited: true }],
  ["attached", "the phase 'issue'", { phase: "issue" }, { ids: ["certificate-example.com"], isAwaited: false }],
  [
    "verified",
    "traffic at the load balancer",
    { loadBalancer, traffic: { ...traffic, to: "loadBalancer" } },
    { ids: ["verification"], isAwaited: true },
  ],
  [
    "verified",
    "traffic at the load balancer, by records that are published elsewhere",
    { loadBalancer, dns: external, traffic: { ...traffic, to: "loadBalancer" } },
    { ids: ["verification"], isAwaited: true },
  ],
  [
    "verified",
    "traffic at the previous provider",
    { loadBalancer, traffic: { ...traffic, to: "previous" } },
    { ids: attachedIds, isAwaited: true },
  ],
  [
    "verified",
    "the gate 'none'",
    { loadBalancer, gate: "none", traffic: { ...traffic, to: "loadBalancer" } },
    { ids: attachedIds, isAwaited: false },
  ],
  ["verified", "no traffic in the spec", proxyAndMap, { ids: attachedIds, isAwaited: false }],
])("'%s' with %s", (name, _, change, expected) => {
  expect(reached(change, name)).toEqual(expected);
});

test("'issued' of uploaded certificates is reached when they exist, with any gate", () => {
  const { certificatePem } = makeCertificate(["up.example.com"]);
  const privateKey = PrivateKey.variable("key");
  const certificates = [Certificate.selfManaged({ name: "up", certificatePem, privateKey })];
  expect(reached({ certificates, gate: "none" }, "issued")).toEqual({ ids: ["certificate-up"], isAwaited: true });
});

test("'attached' leaves out an adopted proxy that keeps its own certificates", () => {
  const adopted = {
    urlMap: "global/urlMaps/web",
    sslCertificates: ["projects/my-project/global/sslCertificates/old"],
    sslPolicy: "",
    description: "",
    quicOverride: "UNSET" as const,
    tlsEarlyData: "UNSET" as const,
    httpKeepAliveTimeoutSeconds: 0,
    serverTlsPolicy: "",
    project: "my-project",
  };
  const adopting = LoadBalancer.globalExternal({
    adoptTargetHttpsProxies: [
      { ...adopted, name: "one" },
      { ...adopted, name: "two", attachMap: false },
    ],
  });
  expect(reached({ loadBalancer: adopting }, "attached").ids).toEqual(["target-https-proxy-one"]);
});

test("without a use of 'verified', no gate is added for records that are published elsewhere", () => {
  const stack = newStack();
  const migration = migrate(stack, { loadBalancer, dns: external, traffic: { ...traffic, to: "loadBalancer" } });
  expect(migration.verification).toBeUndefined();
  const record = new LoggingMetric(stack, "x", { name: "x", filter: "x", dependsOn: migration.verified.resources });
  expect(migration.verification?.node.id).toBe("verification");
  const synthesized = synthesize(stack);
  expect(mistakesOf(synthesized)).toEqual([]);
  const [, gate] =
    Object.entries(resourcesOf(synthesized, "terraform_data")).find(([name]) => name.includes("verif")) ?? [];
  expect(gate?.depends_on).toEqual([
    expect.stringMatching(/^google_compute_target_https_proxy\./),
    expect.stringMatching(/^google_compute_global_forwarding_rule\./),
  ]);
  expect(record.dependsOn).toHaveLength(1);
});

const metric = { name: "x", filter: "severity>=ERROR" };

test.each<[string, (stack: TerraformStack, milestone: MigrationMilestone) => void]>([
  ["node.addDependency", (stack, milestone) => new LoggingMetric(stack, "x", metric).node.addDependency(milestone)],
  ["dependsOn", (stack, { resources }) => new LoggingMetric(stack, "x", { ...metric, dependsOn: resources })],
])("a resource depends on a milestone by %s", (_, declare) => {
  const stack = newStack();
  declare(stack, migrate(stack, { loadBalancer }).issued);
  const synthesized = synthesize(stack);
  expect(resourcesOf(synthesized, "google_logging_metric").x?.depends_on).toEqual([
    expect.stringMatching(/^terraform_data\.shop_gate-example/),
  ]);
  expect(mistakesOf(synthesized)).toEqual([]);
});

test("a warning names the phase and the gate, and how the milestone is reached", () => {
  const stack = newStack();
  const migration = migrate(stack, { gate: "check" });
  expect(migration.issued.resources).toHaveLength(1);
  expect(migration.node.metadata.map(({ data }) => data)).toContain(
    "'issued': Terraform does not wait until the certificates are ACTIVE with phase 'serve', gate 'check' and 'traffic.to' unset, and constructs that depend on 'issued' may be created before [milestone-not-awaited]",
  );
});
