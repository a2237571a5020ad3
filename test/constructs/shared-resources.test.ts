import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import type { App } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, PrivateKey, WildcardCertWithAuth } from "../../lib";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, onlyResource, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

test("resources shared by a stack include one authorization for a domain, whichever construct is created first", () => {
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
  const of = (order: readonly ("migration" | "wildcard")[]) => {
    const stack = newStack();
    for (const which of order) {
      if (which === "migration")
        migrate(stack, { certificates: [Certificate.managed({ domains: ["api.example.com", "example.com"] })] });
      else new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns });
    }
    return synthesize(stack).resource;
  };
  expect(of(["wildcard", "migration"])).toEqual(of(["migration", "wildcard"]));
  expect(Object.keys(of(["migration", "wildcard"])?.google_certificate_manager_dns_authorization ?? {})).toHaveLength(
    2,
  );
});

test("resources shared by a stack include the entries of a map: a proxy also depends on entries of another construct", () => {
  const stack = newStack();
  const migration = migrate(stack, {
    loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "um" } }),
  });
  new WildcardCertWithAuth(stack, "wild", {
    domain: "example.org",
    dns: DnsPublication.external(),
    certificateMap: migration.map as NonNullable<typeof migration.map>,
  });
  expect(onlyResource(synthesize(stack), "google_compute_target_https_proxy").depends_on).toHaveLength(6);
});

test("resources shared by a stack refuse a hostname twice in one map, with the names of both constructs, and accept it in two maps", () => {
  const stack = newStack();
  const { map } = migrate(stack);
  expect(() => migrate(stack, { existingCertificateMap: map as NonNullable<typeof map> }, "again")).toThrow(
    "'*.example.com' has an entry in the same map from prod/shop and from prod/again; keep it in one, or use two maps",
  );
  const other = newStack();
  migrate(other);
  migrate(other, {}, "again");
  expect(mistakesOf(synthesize(other))).toEqual([]);
});

test.each([
  ["two zones", "authorization-zones-differ", { dns: DnsPublication.cloudDns({ zones: { "example.com": "other" } }) }],
  ["two record types", "authorization-types-differ", { authorizationType: "PER_PROJECT_RECORD" as const }],
  ["a publication by Cloud DNS and manually", "authorization-publishers-differ", { dns: DnsPublication.external() }],
  ["two values of a label", "authorization-labels-differ", { labels: { team: "other" } }],
])("resources shared by a stack refuse %s for one domain", (_, code, change) => {
  const stack = newStack();
  migrate(stack, { labels: { team: "web" } });
  expect(refusal(() => migrate(stack, change, "again"))).toEqual([code]);
});

test("resources shared by a stack report everything in which a construct contradicts others at once, with the errors of its plan", () => {
  const stack = newStack();
  const domains = ["a.example.com", "b.example.com", "c.example.com"];
  const certificates = [Certificate.managed({ domains })];
  const { map } = migrate(stack, { certificates, labels: { team: "web", tier: "one" } });
  const change = {
    certificates,
    existingCertificateMap: map as NonNullable<typeof map>,
    labels: { team: "other", tier: "two" },
    authorizationType: "PER_PROJECT_RECORD" as const,
    dns: DnsPublication.cloudDns({ zones: { "example.com": "other" } }),
  };
  const codes = refusal(() => migrate(stack, { ...change, operationTimeoutMinutes: 0 }, "again"));
  const counts = Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]),
  );
  expect(counts).toEqual({
    "value-out-of-range": 1,
    "authorization-types-differ": 3,
    "authorization-labels-differ": 6,
    "authorization-zones-differ": 3,
    "entry-in-two-constructs": 3,
  });
  const external = { certificates, labels: { team: "web", tier: "one" }, dns: DnsPublication.external() };
  expect(refusal(() => migrate(stack, external, "third"))).toEqual(
    domains.map(() => "authorization-publishers-differ"),
  );
  const other = { certificates, dns: DnsPublication.external() };
  expect(refusal(() => migrate(newStack(stack.node.root as App, "two"), other))).toEqual(
    domains.map(() => "authorization-in-two-stacks"),
  );
});

test("resources shared by a stack keep nothing of a refused construct", () => {
  const stack = newStack();
  migrate(stack);
  const change = {
    certificates: [Certificate.managed({ domains: ["example.com", "new.example.com"] })],
    labels: { team: "web" },
  };
  const other = { dns: DnsPublication.cloudDns({ zones: { "example.com": "other" } }) };
  expect(refusal(() => migrate(stack, { ...change, ...other }, "again"))).toEqual(["authorization-zones-differ"]);
  const synthesized = synthesize(stack);
  expect(Object.keys(synthesized.resource?.google_certificate_manager_certificate ?? {})).toHaveLength(1);
  expect(onlyResource(synthesized, "google_certificate_manager_dns_authorization").labels).toBeUndefined();
  expect(refusal(() => migrate(stack, change, "third"))).toEqual([]);
});

test("resources shared by a stack report the problems that only the synthesis finds at once", () => {
  const stack = newStack(undefined, "prod", "My Project!");
  new CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com" });
  const certificate = new CertificateManagerCertificate(stack, "old", {
    name: "old",
    managed: { domains: ["b.example.com"] },
  });
  migrate(stack, {
    certificates: [
      Certificate.managed({ domains: ["example.com"] }),
      Certificate.existing(certificate.id, { domains: ["b.example.com"] }),
    ],
  });
  expect(refusal(() => synthesize(stack))).toEqual([
    "project-invalid",
    "authorization-repeated",
    "certificate-awaits-traffic",
  ]);
});

test("resources shared by a stack name two zones of the app by their addresses, each with the construct that publishes in it", () => {
  const stack = newStack();
  const [one, two] = ["one", "two"].map((id) => new DnsManagedZone(stack, id, { name: id, dnsName: "example.com." }));
  const dns = (zone: DnsManagedZone) => DnsPublication.cloudDns({ zones: { "example.com": zone } });
  migrate(stack, { dns: dns(one as DnsManagedZone) });
  expect(() => migrate(stack, { dns: dns(two as DnsManagedZone) }, "again")).toThrow(
    "the record of 'example.com' is published in zone '${google_dns_managed_zone.one.name}' by prod/shop and in zone '${google_dns_managed_zone.two.name}' by prod/again; give both the same zone",
  );
});

test("resources shared by a stack name two projects of zones if the zones have the same name", () => {
  const stack = newStack();
  const dns = (project: string) => DnsPublication.cloudDns({ zones: { "example.com": "example-com" }, project });
  migrate(stack, { dns: dns("dns-one") });
  expect(() => migrate(stack, { dns: dns("dns-two") }, "again")).toThrow(
    "in zone 'example-com' of project 'dns-one' by prod/shop and in zone 'example-com' of project 'dns-two' by prod/again",
  );
});

test("resources shared by a stack are not shared between stacks: the error in the second stack explains how to pass the authorization", () => {
  const app = newApp();
  migrate(newStack(app, "one"));
  expect(refusal(() => migrate(newStack(app, "two")))).toEqual(["authorization-in-two-stacks"]);
  expect(refusal(() => migrate(newStack(app, "three", "other-project")))).toEqual(["fixed-record-in-two-projects"]);
  expect(
    refusal(() => migrate(newStack(app, "four", "other-project"), { authorizationType: "PER_PROJECT_RECORD" })),
  ).toEqual([]);
  const existingAuthorizations = { "example.com": "projects/my-project/locations/global/dnsAuthorizations/a" };
  expect(
    refusal(() => migrate(newStack(app, "five"), { existingAuthorizations, dns: DnsPublication.external() })),
  ).toEqual([]);
});

test("accept a private key variable with the same name as the stack's output", () => {
  const stack = newStack();
  const { certificatePem } = makeCertificate(["example.com"]);
  migrate(stack, {
    certificates: [Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.variable("cert_migration") })],
  });

  expect(Object.keys(synthesize(stack).variable ?? {})).toEqual(["cert_migration"]);
});

test("accept two certificates with one key, in one variable", () => {
  const stack = newStack();
  const certificates = ["example.com", "example.net"].map((domain) =>
    Certificate.selfManaged({
      certificatePem: makeCertificate([domain]).certificatePem,
      privateKey: PrivateKey.variable("shop_key"),
    }),
  );
  migrate(stack, { certificates });

  expect(Object.keys(synthesize(stack).variable ?? {})).toEqual(["shop_key"]);
});
