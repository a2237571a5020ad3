// Written by `npm run docs` from the @example blocks in lib/constructs and lib/plan: change them there.
import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { AdminChangeAlerts, CommandGate, DnsPublication, LoadBalancer, ManagedCertMigration, type MigrationSpec, WildcardCertWithAuth } from "cdktf-google-cert-migration";
import { formatProblems, parseMigrationDocument, planMigration, splitMigration } from "cdktf-google-cert-migration/plan";
import type { TerraformStack } from "cdktf";

export const examples: Readonly<Record<string, (stack: TerraformStack) => void>> = {
  "AdminChangeAlerts": (stack) => {
    new AdminChangeAlerts(stack, "alerts", {
      organizationId: "123456789012",
      project: "my-project",
      events: ["trust-anchors", "authority"],
      notificationChannels: ["projects/my-project/notificationChannels/1234"],
    });
  },
  "DnsPublication.cloudDns": () => {
    DnsPublication.cloudDns({
      zones: { "example.com": "example-com", "example.net": { name: "net", project: "my-dns" } },
    });
  },
  "DnsPublication.external": () => {
    DnsPublication.external();
  },
  "DnsPublication.fromSpec": () => {
    DnsPublication.fromSpec({ kind: "external" });
  },
  "CommandGate": (stack) => {
    new CommandGate(stack, "gate", {
      command: "npx --no-install cert-migration wait --stack .",
      triggers: ["generation-1"],
    });
  },
  "LoadBalancer.globalExternal": () => {
    LoadBalancer.globalExternal({
      newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
    });
  },
  "LoadBalancer.regionalExternal": () => {
    LoadBalancer.regionalExternal({
      region: "europe-west1",
      newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
    });
  },
  "LoadBalancer.regionalInternal": (stack) => {
    const proxy = new ComputeRegionTargetHttpsProxy(stack, "proxy", {
      name: "orders",
      region: "europe-west1",
      urlMap: "orders",
    });
    LoadBalancer.regionalInternal({ region: "europe-west1", targetHttpsProxies: [proxy] });
  },
  "LoadBalancer.crossRegionInternal": () => {
    LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "orders" } });
  },
  "LoadBalancer.fromSpec": () => {
    LoadBalancer.fromSpec({ kind: "globalExternal", newTargetHttpsProxy: { urlMap: "shop" } });
  },
  "ManagedCertMigration": (stack) => {
    new ManagedCertMigration(stack, "shop", {
      certificates: [{ domains: ["example.com", "*.example.com"] }, { name: "pay", domains: ["pay.example.net"] }],
      dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com", "example.net": "example-net" } }),
      loadBalancer: LoadBalancer.globalExternal({
        newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
      }),
    });
  },
  "ManagedCertMigration.fromSpec": (stack) => {
    ManagedCertMigration.fromSpec(stack, "migration", {
      name: "shop",
      certificates: [{ domains: ["shop.example.com"] }],
      dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    });
  },
  "WildcardCertWithAuth": (stack) => {
    new WildcardCertWithAuth(stack, "wildcard", {
      domain: "example.com",
      dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
      certificateMap: "projects/my-project/locations/global/certificateMaps/web",
    });
  },
  "parseMigrationDocument": (stack) => {
    const source = "migration.yaml";
    const read = parseMigrationDocument(
      ["name: shop", "certificates: [{ domains: [shop.example.com] }]", "dns: { kind: external }"].join("\n"),
      { source },
    );
    if ("problems" in read) throw new Error(formatProblems(read.problems));
    ManagedCertMigration.fromSpec(stack, "migration", read.spec);
  },
  "planMigration": () => {
    const { certificates, findings } = planMigration({
      name: "shop",
      certificates: [{ domains: ["shop.example.com"] }],
      dns: { kind: "external" },
    });
    if (findings.length > 0 || certificates.length !== 1) throw new Error("the plan has findings");
  },
  "splitMigration": (stack) => {
    const fleet: MigrationSpec = {
      name: "fleet",
      certificates: [{ domains: ["berlin.example.com"] }, { domains: ["hamburg.example.com"] }],
      dns: { kind: "external" },
    };
    const { stacks } = splitMigration(fleet, { maxEntriesPerMap: 1 });
    for (const { name, spec } of stacks) ManagedCertMigration.fromSpec(stack, name, spec);
  },
};
