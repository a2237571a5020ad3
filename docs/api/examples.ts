// Written by `npm run docs` from the @example blocks in lib/constructs and lib/plan: change them there.
import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { AdminChangeAlerts, CertificateAlerts, Certificate, CertificateIssuer, CommandGate, CertificateMap, DnsAuthorization, DnsPublication, LoadBalancer, ManagedCertMigration, type MigrationSpec, PrivateKey, WildcardCertWithAuth } from "cdktf-google-cert-migration";
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
  "CertificateAlerts": (stack) => {
    const shop = new ManagedCertMigration(stack, "shop", {
      certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
      dns: DnsPublication.external(),
    });
    new CertificateAlerts(stack, "alerts", {
      migrations: [shop],
      notificationChannels: ["projects/my-project/notificationChannels/1234"],
    });
  },
  "CertificateIssuer.caPool": () => {
    CertificateIssuer.caPool("projects/my-project/locations/europe-west1/caPools/internal", { lifetime: "21d" });
  },
  "CertificateIssuer.issuanceConfig": () => {
    CertificateIssuer.issuanceConfig("projects/my-project/locations/global/certificateIssuanceConfigs/internal");
  },
  "PrivateKey.variable": () => {
    PrivateKey.variable("pay_key");
  },
  "PrivateKey.pem": () => {
    PrivateKey.pem("${var.pay_key}");
  },
  "Certificate.managed": () => {
    Certificate.managed({ domains: ["example.com", "*.example.com"] });
  },
  "Certificate.selfManaged": () => {
    Certificate.selfManaged({
      domains: ["pay.example.net"],
      certificatePem: "${var.pay_certificate}",
      privateKey: PrivateKey.variable("pay_key"),
    });
  },
  "Certificate.privateCa": () => {
    Certificate.privateCa({
      domains: ["orders.corp.internal"],
      issuer: CertificateIssuer.caPool("projects/my-project/locations/europe-west1/caPools/internal"),
    });
  },
  "Certificate.existing": () => {
    Certificate.existing("projects/my-project/locations/global/certificates/legacy", { domains: ["old.example.com"] });
  },
  "Certificate.fromSpec": () => {
    Certificate.fromSpec({ kind: "managed", domains: ["shop.example.com"] });
  },
  "DnsPublication.cloudDns": () => {
    DnsPublication.cloudDns({
      zones: { "example.com": "example-com", "example.net": { name: "net", project: "my-dns" } },
    });
  },
  "DnsPublication.custom": () => {
    DnsPublication.custom({
      publish: (scope, record) => [
        {
          // A resource of any provider, here of Cloud DNS.
          resource: new DnsRecordSet(scope, "record", {
            managedZone: "example-com",
            name: `${record.name}.`,
            type: record.type,
            rrdatas: record.data.map((value) => (record.type === "CNAME" ? `${value}.` : value)),
            ttl: record.ttlSeconds,
          }),
          importId: `example-com/${record.name}./${record.type}`,
        },
      ],
    });
  },
  "DnsPublication.external": () => {
    DnsPublication.external();
  },
  "DnsPublication.fromSpec": () => {
    DnsPublication.fromSpec({ kind: "external" });
  },
  "CertificateMap.fromId": () => {
    CertificateMap.fromId("projects/my-project/locations/global/certificateMaps/web");
  },
  "DnsAuthorization.fromId": () => {
    DnsAuthorization.fromId("projects/my-project/locations/global/dnsAuthorizations/example-com");
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
      certificates: [
        Certificate.managed({ domains: ["example.com", "*.example.com"] }),
        Certificate.managed({ name: "pay", domains: ["pay.example.net"] }),
      ],
      dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com", "example.net": "example-net" } }),
      loadBalancer: LoadBalancer.globalExternal({
        newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
      }),
    });
  },
  "ManagedCertMigration.fromSpec": (stack) => {
    ManagedCertMigration.fromSpec(stack, "migration", {
      name: "shop",
      certificates: [{ kind: "managed", domains: ["shop.example.com"] }],
      dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    });
  },
  "MigrationMilestone": (stack) => {
    const shop = new ManagedCertMigration(stack, "shop", {
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
    });
    new CommandGate(stack, "announce", { command: "./announce.sh", triggers: ["1"], dependsOn: [shop.attached] });
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
