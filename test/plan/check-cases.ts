import type { AdoptedTargetHttpsProxySpec, AdoptedTargetSslProxySpec, CheckCode, MigrationSpec } from "../../lib/plan";
import { encryptKey, makeCertificate } from "../support/make-certificate";

/** A mistake, and the closest spec that is right. */
export interface CheckCase {
  readonly code: CheckCode;
  readonly refused: MigrationSpec;
  readonly accepted: MigrationSpec;
}

const base: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
};

const with_ = (change: Partial<MigrationSpec>): MigrationSpec => ({ ...base, ...change });
const certificate = (change: MigrationSpec["certificates"][number]): MigrationSpec => with_({ certificates: [change] });
const pair = makeCertificate(["example.com", "www.example.com"]);
const selfManaged = (change: {
  certificatePem?: string;
  privateKeyPem?: string;
  privateKeyVariable?: string;
}): MigrationSpec => certificate({ selfManaged: { certificatePem: pair.certificatePem, ...change } });
const variable = { privateKeyVariable: "key" };
const id = (collection: string, location = "global") => `projects/p/locations/${location}/${collection}/x`;
const regional = { kind: "regionalExternal", region: "europe-west1" } as const;
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.example.com`);
const long = `${"a".repeat(30)}.${"b".repeat(30)}.example.com`;
const adopted: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: "um",
  sslCertificates: null,
  sslPolicy: null,
  quicOverride: null,
  tlsEarlyData: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
};
const { tlsEarlyData: _, ...unstated } = adopted;
const adoptedSsl: AdoptedTargetSslProxySpec = {
  name: "tcp",
  backendService: "bs",
  sslCertificates: null,
  sslPolicy: null,
  proxyHeader: null,
  description: null,
};
const regionalAdopted: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: "um",
  sslCertificates: null,
  sslPolicy: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
};
const addresses = { kind: "globalExternal", addresses: ["203.0.113.7"] } as const;
const previous = { "example.com": { a: ["198.51.100.1"] } };
const traffic = (
  change: Partial<NonNullable<MigrationSpec["traffic"]>>,
  more: Partial<MigrationSpec> = {},
): MigrationSpec => with_({ loadBalancer: addresses, traffic: { to: "loadBalancer", previous, ...change }, ...more });

/** One case for each check; those of proxies that belong to the app are with the constructs. */
export const checkCases: readonly CheckCase[] = [
  {
    code: "name-invalid",
    refused: certificate({ name: "Shop 1", domains: ["example.com"] }),
    accepted: certificate({ name: "shop-1", domains: ["example.com"] }),
  },
  { code: "name-prefix-invalid", refused: with_({ namePrefix: "1st" }), accepted: with_({ namePrefix: "first" }) },
  { code: "value-out-of-range", refused: with_({ gateTimeoutMinutes: 0 }), accepted: with_({ gateTimeoutMinutes: 1 }) },
  {
    code: "reference-not-allowed",
    refused: certificate({ name: "${var.name}", domains: ["example.com"] }),
    accepted: certificate({ name: "name", domains: ["example.com"] }),
  },
  { code: "gate-command-invalid", refused: with_({ gateCommand: "a\nb" }), accepted: with_({ gateCommand: "a b" }) },
  {
    code: "label-key-invalid",
    refused: with_({ labels: { Team: "web" } }),
    accepted: with_({ labels: { team: "web" } }),
  },
  {
    code: "label-value-invalid",
    refused: with_({ labels: { team: "Web" } }),
    accepted: with_({ labels: { team: "über_1" } }),
  },
  {
    code: "labels-too-many",
    refused: with_({ labels: Object.fromEntries(names(65).map((name) => [name.split(".")[0], "x"])) }),
    accepted: with_({ labels: Object.fromEntries(names(64).map((name) => [name.split(".")[0], "x"])) }),
  },
  {
    code: "description-too-long",
    refused: with_({ description: "x".repeat(1025) }),
    accepted: with_({ description: "x".repeat(1024) }),
  },
  { code: "certificates-empty", refused: with_({ certificates: [] }), accepted: base },
  {
    code: "certificate-kind-ambiguous",
    refused: certificate({
      selfManaged: { certificatePem: pair.certificatePem, ...variable },
      existingCertificateId: id("certificates"),
      domains: ["example.com"],
    }),
    accepted: certificate({ existingCertificateId: id("certificates"), domains: ["example.com"] }),
  },
  {
    code: "certificate-domains-missing",
    refused: certificate({ name: "shop" }),
    accepted: certificate({ name: "shop", domains: ["example.com"] }),
  },
  {
    code: "certificate-domain-repeated",
    refused: certificate({ domains: ["example.com", "EXAMPLE.com."] }),
    accepted: certificate({ domains: ["example.com", "www.example.com"] }),
  },
  {
    code: "certificate-name-repeated",
    refused: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "a", domains: ["www.example.com"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["www.example.com"] },
      ],
    }),
  },
  {
    code: "certificate-too-many-domains",
    refused: certificate({ domains: names(101) }),
    accepted: certificate({ domains: names(100) }),
  },
  {
    code: "certificate-domain-long",
    refused: certificate({ domains: [long] }),
    accepted: certificate({ domains: [long, "example.com"] }),
  },
  {
    code: "certificate-id-malformed",
    refused: certificate({ existingCertificateId: "shop", domains: ["example.com"] }),
    accepted: certificate({
      existingCertificateId: `//certificatemanager.googleapis.com/${id("certificates")}`,
      domains: ["example.com"],
    }),
  },
  {
    code: "certificate-location-mismatch",
    refused: certificate({ location: "europe-west1", domains: ["example.com"] }),
    accepted: certificate({ location: "global", domains: ["example.com"] }),
  },
  {
    code: "certificate-scope-mismatch",
    refused: certificate({ scope: "ALL_REGIONS", domains: ["example.com"] }),
    accepted: with_({
      certificates: [{ scope: "ALL_REGIONS", domains: ["example.com"] }],
      loadBalancer: { kind: "crossRegionInternal" },
    }),
  },
  {
    code: "certificate-not-gated",
    refused: with_({
      gate: "precondition",
      certificates: [{ existingCertificateId: id("certificates"), domains: ["example.com"] }],
    }),
    accepted: with_({
      gate: "wait",
      certificates: [{ existingCertificateId: id("certificates"), domains: ["example.com"] }],
    }),
  },
  { code: "private-key-missing", refused: selfManaged({}), accepted: selfManaged(variable) },
  {
    code: "private-key-variable-invalid",
    refused: selfManaged({ privateKeyVariable: "1key" }),
    accepted: selfManaged({ privateKeyVariable: "key-1" }),
  },
  {
    code: "private-key-in-stack",
    refused: selfManaged({ privateKeyPem: pair.privateKeyPem }),
    accepted: selfManaged({ privateKeyPem: "${var.key}" }),
  },
  {
    code: "private-key-unusable",
    refused: selfManaged({ privateKeyPem: encryptKey(pair.privateKeyPem, "secret") }),
    accepted: selfManaged({ privateKeyPem: pair.privateKeyPem }),
  },
  {
    code: "private-key-mismatch",
    refused: selfManaged({ privateKeyPem: makeCertificate(["example.com"], { key: 1 }).privateKeyPem }),
    accepted: selfManaged({ privateKeyPem: pair.privateKeyPem.replace(/\n/g, "\r\n") }),
  },
  {
    code: "certificate-pem-unusable",
    refused: certificate({
      domains: ["example.com"],
      selfManaged: { certificatePem: pair.privateKeyPem, ...variable },
    }),
    accepted: selfManaged(variable),
  },
  {
    code: "certificate-expired",
    refused: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-11-21T00:00:00Z") }).certificatePem,
      ...variable,
    }),
    accepted: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-11-21T00:00:01Z") }).certificatePem,
      ...variable,
    }),
  },
  {
    code: "certificate-expires-soon",
    refused: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-12-20T23:59:59Z") }).certificatePem,
      ...variable,
    }),
    accepted: selfManaged({
      certificatePem: makeCertificate(["example.com"], { notAfter: new Date("2026-12-21T00:00:00Z") }).certificatePem,
      ...variable,
    }),
  },
  {
    code: "certificate-not-covering",
    refused: certificate({
      domains: ["api.example.com"],
      selfManaged: { certificatePem: pair.certificatePem, ...variable },
    }),
    accepted: certificate({
      domains: ["www.example.com"],
      selfManaged: { certificatePem: pair.certificatePem, ...variable },
    }),
  },
  {
    code: "authorization-domain-wildcard",
    refused: with_({ existingAuthorizations: { "*.example.com": id("dnsAuthorizations") } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "authorization-id-malformed",
    refused: with_({ existingAuthorizations: { "example.com": "a" }, dns: { kind: "external" } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "authorization-unused",
    refused: with_({ existingAuthorizations: { "example.net": id("dnsAuthorizations") } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "fixed-record-in-region",
    refused: with_({ authorizationType: "FIXED_RECORD", loadBalancer: regional }),
    accepted: with_({ authorizationType: "PER_PROJECT_RECORD", loadBalancer: regional }),
  },
  {
    code: "zone-missing",
    refused: certificate({ domains: ["notexample.com"] }),
    accepted: certificate({ domains: ["not.example.com"] }),
  },
  {
    code: "zone-unused",
    refused: with_({ dns: { kind: "cloudDns", zones: { "example.com": "a", "www.example.com": "b" } } }),
    accepted: with_({
      certificates: [{ domains: ["example.com", "www.example.com"] }],
      dns: { kind: "cloudDns", zones: { "example.com": "a", "www.example.com": "b" } },
    }),
  },
  {
    code: "hostname-in-two-certificates",
    refused: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["example.com", "www.example.com"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["example.com", "www.example.com"], hostnames: ["www.example.com"] },
      ],
    }),
  },
  {
    code: "entry-not-covered",
    refused: certificate({ domains: ["*.example.com"], hostnames: ["a.b.example.com"] }),
    accepted: certificate({ domains: ["*.example.com"], hostnames: ["b.example.com"] }),
  },
  {
    code: "entry-too-many-certificates",
    refused: certificate({ domains: ["example.com"], alternatives: [1, 2, 3, 4].map((n) => id("certificates") + n) }),
    accepted: certificate({ domains: ["example.com"], alternatives: [1, 2, 3].map((n) => id("certificates") + n) }),
  },
  {
    code: "alternative-unknown",
    refused: certificate({ domains: ["example.com"], alternatives: ["rsa"] }),
    accepted: with_({
      certificates: [
        { domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"] },
      ],
    }),
  },
  {
    code: "alternatives-mutual",
    refused: with_({
      certificates: [
        { name: "ec", domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"], alternatives: ["ec"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "ec", domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"] },
      ],
    }),
  },
  {
    code: "primary-repeated",
    refused: with_({
      certificates: [
        { domains: ["example.com"], primary: true },
        { domains: ["www.example.com"], primary: true },
      ],
    }),
    accepted: with_({
      certificates: [
        { domains: ["example.com"], primary: true },
        { domains: ["www.example.com"], primary: false },
      ],
    }),
  },
  {
    code: "must-serve-missing",
    refused: with_({ mustServe: ["a.b.example.com"] }),
    accepted: with_({ mustServe: ["b.example.com"] }),
  },
  {
    code: "region-missing",
    refused: with_({ loadBalancer: { kind: "regionalInternal" } }),
    accepted: with_({ loadBalancer: { kind: "regionalInternal", region: "europe-west1" } }),
  },
  {
    code: "region-not-allowed",
    refused: with_({ loadBalancer: { kind: "globalExternal", region: "europe-west1" } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal" } }),
  },
  {
    code: "map-not-allowed",
    refused: with_({ loadBalancer: regional, existingCertificateMap: id("certificateMaps") }),
    accepted: with_({ loadBalancer: { kind: "globalExternal" }, existingCertificateMap: id("certificateMaps") }),
  },
  {
    code: "map-id-malformed",
    refused: with_({ existingCertificateMap: "web" }),
    accepted: with_({ existingCertificateMap: id("certificateMaps") }),
  },
  {
    code: "ssl-proxy-not-allowed",
    refused: with_({ loadBalancer: { ...regional, newTargetSslProxy: { backendService: "bs" } } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", newTargetSslProxy: { backendService: "bs" } } }),
  },
  {
    code: "ssl-proxy-holds-certificates",
    refused: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetSslProxies: [{ ...adoptedSsl, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetSslProxies: [adoptedSsl] } }),
  },
  {
    code: "proxy-holds-certificates",
    refused: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [{ ...adopted, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted] } }),
  },
  {
    code: "proxy-holds-conflicting-certificates",
    refused: with_({
      loadBalancer: { ...regional, adoptTargetHttpsProxies: [{ ...regionalAdopted, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { ...regional, adoptTargetHttpsProxies: [regionalAdopted] } }),
  },
  {
    code: "proxy-attribute-unstated",
    refused: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [unstated] } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted] } }),
  },
  {
    code: "proxy-attribute-not-allowed",
    refused: with_({ loadBalancer: { ...regional, newTargetHttpsProxy: { urlMap: "um", quicOverride: "ENABLE" } } }),
    accepted: with_({ loadBalancer: { ...regional, newTargetHttpsProxy: { urlMap: "um" } } }),
  },
  {
    code: "proxy-many-certificates",
    refused: with_({ loadBalancer: regional, certificates: names(16).map((name) => ({ domains: [name] })) }),
    accepted: with_({ loadBalancer: regional, certificates: names(15).map((name) => ({ domains: [name] })) }),
  },
  {
    code: "forwarding-rule-without-address",
    refused: with_({
      loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "um", forwardingRules: {} } },
    }),
    accepted: with_({
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "um", forwardingRules: { ipv6Address: "2001:db8::7" } },
      },
    }),
  },
  {
    code: "address-invalid",
    refused: with_({ loadBalancer: { kind: "globalExternal", addresses: { ipv6: ["203.0.113.7"] } } }),
    accepted: with_({
      loadBalancer: { kind: "globalExternal", addresses: { ipv4: ["203.0.113.7"], ipv6: ["${var.ip}"] } },
    }),
  },
  {
    code: "traffic-in-issue-phase",
    refused: traffic({}, { phase: "issue" }),
    accepted: traffic({ to: "previous" }, { phase: "issue" }),
  },
  {
    code: "traffic-not-served",
    refused: traffic({ hostnames: ["a.b.example.com"], previous: { "a.b.example.com": { a: [] } } }),
    accepted: traffic({ hostnames: ["b.example.com"], previous: { "b.example.com": { a: [] } } }),
  },
  {
    code: "traffic-previous-missing",
    refused: traffic({ previous: {} }),
    accepted: traffic({ previous: { "example.com": { a: [], aaaa: [] } } }),
  },
  {
    code: "traffic-previous-invalid",
    refused: traffic({ previous: { "example.com": { a: ["2001:db8::1"] } } }),
    accepted: traffic({ previous: { "example.com": { a: ["198.51.100.1"] } } }),
  },
  {
    code: "traffic-previous-unused",
    refused: traffic({ hostnames: ["example.com"], previous: { ...previous, "www.example.com": { a: [] } } }),
    accepted: traffic({
      hostnames: ["example.com", "www.example.com"],
      previous: { ...previous, "www.example.com": { a: [] } },
    }),
  },
  {
    code: "traffic-addresses-missing",
    refused: traffic({}, { loadBalancer: { kind: "globalExternal" } }),
    accepted: traffic({ to: "previous" }, { loadBalancer: { kind: "globalExternal" } }),
  },
  {
    code: "traffic-ipv6-missing",
    refused: traffic({ previous: { "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] } } }),
    accepted: traffic(
      { previous: { "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] } } },
      { loadBalancer: { kind: "globalExternal", addresses: ["203.0.113.7", "2001:db8::7"] } },
    ),
  },
  {
    code: "traffic-ipv4-missing",
    refused: traffic({}, { loadBalancer: { kind: "globalExternal", addresses: ["2001:db8::7"] } }),
    accepted: traffic({}),
  },
  {
    code: "traffic-ingress-taken",
    refused: traffic({
      ingressLabel: "www",
      previous: { ...previous, "www.example.com": { a: [] }, "shop.example.com": { cname: "old.example.org" } },
    }),
    accepted: traffic({
      previous: { ...previous, "www.example.com": { a: [] }, "shop.example.com": { cname: "old.example.org" } },
    }),
  },
];
