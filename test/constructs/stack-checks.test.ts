import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { AnnotationMetadataEntryType, type TerraformStack } from "cdktf";
import { DnsPublication, LoadBalancer, WildcardCertWithAuth } from "../../lib";
import { migrate, refusal } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";

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
    migrate(stack, { dns, certificates: [{ domains: ["example.net"] }] }, "other");
    expect(warningsOf(stack)).toEqual([
      "zone 'example.org' is used by no domain; leave it out, or correct its DNS name [zone-unused]",
    ]);
  });

  test("no zone causes a warning if the constructs use all of them", () => {
    const stack = newStack();
    migrate(stack, { dns, certificates: [{ domains: ["example.com"] }] });
    migrate(stack, { dns, certificates: [{ domains: ["example.net", "example.org"] }] }, "other");
    expect(warningsOf(stack)).toEqual([]);
  });
});

describe("an authorization that was created without this package", () => {
  const raw = (stack: TerraformStack, change: Partial<{ domain: string; location: string; project: string }> = {}) =>
    new CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com", ...change });

  test.each([
    ["before", (stack: TerraformStack) => [raw(stack, { domain: "Example.com." }), migrate(stack)]],
    ["after", (stack: TerraformStack) => [migrate(stack), raw(stack, { project: "my-project" })]],
  ])("is refused for a domain of a migration, created %s it", (_, make) => {
    const stack = newStack();
    make(stack);
    expect(refusal(() => synthesize(stack))).toEqual(["authorization-repeated"]);
    expect(() => synthesize(stack)).toThrow(
      "'example.com' is authorized by 'prod/raw' and by prod/shop; pass the id of 'prod/raw' as existingAuthorizations",
    );
  });

  test.each([
    ["another domain", { domain: "example.net" }],
    ["another location", { location: "europe-west1" }],
    ["another project", { project: "other-project" }],
  ])("is accepted for %s", (_, change) => {
    const stack = newStack();
    raw(stack, change);
    migrate(stack);
    expect(refusal(() => synthesize(stack))).toEqual([]);
  });

  test("is accepted if the migration uses it", () => {
    const stack = newStack();
    const { id } = raw(stack);
    migrate(stack, { existingAuthorizations: { "example.com": id }, dns: DnsPublication.external() });
    expect(refusal(() => synthesize(stack))).toEqual([]);
  });
});

describe("a zone of the app", () => {
  const zone = (dnsName: string) => new DnsManagedZone(newStack(), "zone", { name: "z", dnsName });
  const publish = (domain: string, dnsName: string) => () =>
    DnsPublication.cloudDns({ zones: { [domain]: zone(dnsName) } });

  test.each([
    ["another domain", "example.com", "example.net."],
    ["a subdomain", "example.com", "shop.example.com."],
    ["a domain with the same ending", "example.com", "ample.com."],
  ])("is refused as the zone of %s", (_, domain, dnsName) => {
    expect(refusal(publish(domain, dnsName))).toEqual(["zone-domain-mismatch"]);
  });

  test.each([
    ["the domain", "Example.com", "example.com."],
    ["a parent domain", "shop.example.com", "example.com."],
    ["a domain that only Terraform knows", "example.com", "${var.domain}"],
  ])("is accepted as the zone of %s", (_, domain, dnsName) => {
    expect(refusal(publish(domain, dnsName))).toEqual([]);
  });
});

test("a wildcard as the root domain is refused with the domain to give", () => {
  const dns = DnsPublication.external();
  expect(() => new WildcardCertWithAuth(newStack(), "wild", { domain: "*.example.com", dns })).toThrow(
    "wild: 'domain' is '*.example.com'; use 'example.com': the certificate has the wildcard too",
  );
});

test("a proxy with another map is named with the map's address, not with a token", () => {
  const stack = newStack();
  const map = new CertificateManagerCertificateMap(stack, "map", { name: "m" });
  const certificateMap = `//certificatemanager.googleapis.com/${map.id}`;
  const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "p", urlMap: "um", certificateMap });
  const attach = () => migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
  expect(attach).toThrow(
    "has the certificate map '//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.map.id}'",
  );
});
