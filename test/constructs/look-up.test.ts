import { TerraformStack, Testing } from "cdktf";
import {
  Certificate,
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  WildcardCertWithAuth,
} from "../../lib";

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });

function newStack(): TerraformStack {
  return new TerraformStack(Testing.app(), "prod");
}

const migration = new ManagedCertMigration(newStack(), "shop", {
  certificates: [
    Certificate.managed({ domains: ["shop.example.com"] }),
    Certificate.managed({ name: "pay", domains: ["pay.example.com"], project: "payments", primary: true }),
  ],
  dns,
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
  }),
  traffic: { to: "previous", hostnames: ["shop.example.com"], previous: { "shop.example.com": { a: ["192.0.2.1"] } } },
});

describe("finds a resource by", () => {
  const cases: readonly (readonly [string, { readonly node: { readonly id: string } }, string])[] = [
    ["the name of a certificate", migration.certificate("pay"), "certificate-pay"],
    ["the shortest domain of a certificate", migration.certificate("shop.example.com"), "certificate-shop.example.com"],
    ["the certificate of a gate", migration.gate("pay"), "gate-pay"],
    ["a hostname", migration.entry("shop.example.com"), "entry-shop.example.com"],
    ["PRIMARY", migration.entry("PRIMARY"), "entry-PRIMARY"],
    ["a domain", migration.authorization("shop.example.com"), "authorization-shop.example.com"],
    ["the domain of a record", migration.record("shop.example.com"), "record-shop.example.com"],
    [
      "a domain and the certificate's project",
      migration.authorization("pay.example.com", "payments"),
      "authorization-pay.example.com-in-payments",
    ],
    ["the kind of a new proxy", migration.targetProxy("https"), "target-https-proxy"],
    ["proxy and address family", migration.forwardingRule("https-ipv4"), "forwarding-rule-https-ipv4"],
    ["hostname and type", migration.trafficRecord("shop.example.com", "A"), "traffic-shop.example.com-A"],
  ];
  test.each(cases)("%s", (_, { node }, id) => expect(node.id).toBe(id));
});

describe("refuses an unknown name, and lists the known names:", () => {
  test.each([
    [
      () => migration.certificate("pey"),
      "prod/shop: unknown certificate 'pey'; did you mean 'pay'? known: 'pay', 'shop.example.com'",
    ],
    [
      () => migration.entry("*.elsewhere.example.net"),
      "prod/shop: unknown map entry '*.elsewhere.example.net'; known: 'PRIMARY', 'pay.example.com', 'shop.example.com'",
    ],
    [
      () => migration.authorization("pay.example.com"),
      "prod/shop: unknown authorization 'pay.example.com'; did you mean 'pay.example.com in payments'? known: 'pay.example.com in payments', 'shop.example.com'",
    ],
    [
      () => migration.trafficRecord("shop.example.com", "AAAA"),
      "prod/shop: unknown traffic record 'shop.example.com AAAA'; did you mean 'shop.example.com A'? known: 'shop.example.com A'",
    ],
    [
      () => migration.certificate("__proto__"),
      "prod/shop: unknown certificate '__proto__'; known: 'pay', 'shop.example.com'",
    ],
  ])("%#", (act, message) => {
    expect(act).toThrow(new InputError("lookup-name-unknown", message));
  });

  test("without resources of the kind", () => {
    const issued = new ManagedCertMigration(newStack(), "shop", {
      phase: "issue",
      certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
      dns: DnsPublication.external(),
    });
    expect(() => issued.record("shop.example.com")).toThrow(
      "prod/shop: unknown CNAME record 'shop.example.com'; the construct creates no resource of this kind",
    );
  });
});

test("lists all resources by name, in the order of their names", () => {
  expect(Object.keys(migration.certificates)).toEqual(["pay", "shop.example.com"]);
  expect(Object.keys(migration.trafficRecords)).toEqual(["shop.example.com A"]);
});

test("WildcardCertWithAuth has its resources as members", () => {
  const wildcard = new WildcardCertWithAuth(newStack(), "wild", {
    domain: "Example.com",
    dns,
    certificateMap: "projects/p/locations/global/certificateMaps/web",
  });
  const resources = [wildcard.authorization, wildcard.record, wildcard.certificate];
  const found = resources.map((resource) => resource?.node.id);
  expect(found).toEqual(["authorization-example.com", "record-example.com", "certificate-wildcard"]);
  expect(wildcard.rootEntry?.node.id).toBe("entry-example.com");
  expect(wildcard.wildcardEntry?.node.id).toBe("entry-*.example.com");
});
