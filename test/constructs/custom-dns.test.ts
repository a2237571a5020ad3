import { Fn } from "cdktf";
import { Construct } from "constructs";
import {
  Certificate,
  DnsPublication,
  type IRecordPublisher,
  LoadBalancer,
  type ManagedCertMigrationProps,
  RecordToPublish,
  WildcardCertWithAuth,
} from "../../lib";
import { sourceFromStack } from "../../lib/source";
import { planRows } from "../../lib/source/plan-view";
import { DnsResource } from "../support/dns-resource";
import { migrate, refusal } from "../support/migrate";
import { newStack, onlyAddress, onlyResource, resourcesOf, synthesize } from "../support/synth";

const type = "aws_route53_record";

/** As a user writes it for Route 53: one resource for each record set. */
const publisher: IRecordPublisher = {
  publish: (scope, record) => [
    {
      resource: new DnsResource(scope, "record", type, {
        zone_id: "Z1",
        name: record.name,
        type: record.type,
        records: [...record.data],
        ttl: record.ttlSeconds,
      }),
      importId: `Z1_${record.name}_${record.type}`,
    },
  ],
};

/** As a user writes it for Cloudflare: one resource for each value of a record set. */
const onePerValue: IRecordPublisher = {
  publish: (scope, record) =>
    record.data.map((content, index) => ({
      resource: new DnsResource(scope, `value-${index}`, "cloudflare_dns_record", { name: record.name, content }),
      ...(index === 0 ? { importId: `zone/${record.name}` } : {}),
    })),
};

const dns = DnsPublication.custom(publisher);

test("the CNAME record of an authorization is a resource of the publisher, with name and target of the authorization without trailing dots", () => {
  const stack = newStack();
  migrate(stack, { dns });
  const synthesized = synthesize(stack);
  const authorization = onlyAddress(synthesized, "google_certificate_manager_dns_authorization");
  const of = (attribute: string) => `\${trimsuffix(${authorization}.dns_resource_record[0].${attribute}, ".")}`;
  const { "//": _, ...record } = onlyResource(synthesized, type);
  expect(record).toEqual({ zone_id: "Z1", name: of("name"), type: "CNAME", records: [of("data")], ttl: 300 });
  expect(synthesized.resource?.google_dns_record_set).toBeUndefined();
  expect(synthesized.output).toEqual({
    certificate_map_id: undefined,
    cert_migration: expect.anything(),
    ...Object.fromEntries(
      Object.entries(synthesized.output ?? {}).filter(([key]) => key.includes("certificate_map_id")),
    ),
  });
});

test("the CNAME record of an authorization precedes the certificate, and so its gate", () => {
  const stack = newStack();
  migrate(stack, { dns });
  const synthesized = synthesize(stack);
  const certificate = onlyResource(synthesized, "google_certificate_manager_certificate");
  expect(certificate.depends_on).toEqual([onlyAddress(synthesized, type)]);
});

test("the CNAME record of an authorization has an address that does not depend on the order of constructs, and is created once", () => {
  const of = (order: readonly ("migration" | "wildcard")[]) => {
    const stack = newStack();
    for (const which of order) {
      if (which === "migration")
        migrate(stack, { certificates: [Certificate.managed({ domains: ["api.example.com", "example.com"] })], dns });
      else new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns });
    }
    return synthesize(stack).resource;
  };
  expect(of(["wildcard", "migration"])).toEqual(of(["migration", "wildcard"]));
  expect(Object.keys(of(["migration", "wildcard"])?.[type] ?? {})).toHaveLength(2);
});

test.each([
  ["another publisher", DnsPublication.custom({ publish: publisher.publish })],
  ["Cloud DNS", DnsPublication.cloudDns({ zones: { "example.com": "example-com" } })],
  ["a manual step", DnsPublication.external()],
])("the CNAME record of an authorization is refused if another construct publishes it by %s", (_, second) => {
  const stack = newStack();
  migrate(stack, { dns });
  expect(refusal(() => migrate(stack, { dns: second }, "again"))).toEqual(["authorization-publishers-differ"]);
});

test("the CNAME record of an authorization names both constructs in the refusal", () => {
  const stack = newStack();
  migrate(stack, { dns });
  expect(() => migrate(stack, { dns: DnsPublication.external() }, "again")).toThrow(
    "the CNAME record of 'example.com' is published by a publisher (custom) by prod/shop and manually (external) by prod/again; give both the same 'dns'",
  );
});

test("the CNAME record of an authorization is listed by 'plan' as written by the stack", () => {
  const stack = newStack();
  migrate(stack, { dns });
  const source = sourceFromStack(JSON.stringify(synthesize(stack)), "stack");
  expect(planRows(source).filter(({ what }) => what === "record")).toEqual([
    {
      migration: "prod/shop",
      what: "record",
      identity: "example.com",
      name: "_acme-challenge.example.com.",
      detail: "CNAME, written at another DNS provider by this stack",
    },
  ]);
});

const previous = {
  "example.com": { a: ["198.51.100.1", "198.51.100.2"] },
  "www.example.com": { cname: "old.example.net" },
};
const loadBalancer = LoadBalancer.globalExternal({ addresses: ["203.0.113.7"] });
const of = (to: "previous" | "loadBalancer", change: Partial<ManagedCertMigrationProps> = {}) => {
  const stack = newStack();
  migrate(stack, {
    dns,
    loadBalancer,
    traffic: { to, previous, hostnames: Object.keys(previous) },
    certificates,
    ...change,
  });
  return synthesize(stack);
};
const certificates = [Certificate.managed({ domains: ["example.com", "*.example.com"] })];
const traffic = (synthesized: ReturnType<typeof of>) =>
  Object.fromEntries(
    Object.values(resourcesOf(synthesized, type))
      .filter(({ ttl }) => ttl === 60)
      .map(({ name, type: kind, records }) => [`${name} ${kind}`, records]),
  );

test("step 8 at another provider changes the same resources in place, an alias by its target, and back", () => {
  const ingress = { "cert-migration-ingress.example.com A": ["203.0.113.7"] };
  expect(traffic(of("previous"))).toEqual({
    ...ingress,
    "example.com A": ["198.51.100.1", "198.51.100.2"],
    "www.example.com CNAME": ["old.example.net"],
  });
  expect(traffic(of("loadBalancer"))).toEqual({
    ...ingress,
    "example.com A": ["203.0.113.7"],
    "www.example.com CNAME": ["cert-migration-ingress.example.com"],
  });
  expect(Object.keys(of("previous").resource?.[type] ?? {})).toEqual(
    Object.keys(of("loadBalancer").resource?.[type] ?? {}),
  );
});

test("step 8 at another provider imports live records by the ids of the publisher, and creates the target of aliases", () => {
  expect(of("previous").import?.map(({ id }) => id)).toEqual(["Z1_example.com_A", "Z1_www.example.com_CNAME"]);
});

test("step 8 at another provider moves records only after the verification, and aliases after the addresses of their target", () => {
  const synthesized = of("loadBalancer");
  const verification = Object.keys(resourcesOf(synthesized, "terraform_data")).find((id) =>
    id.includes("verification"),
  );
  const moved = Object.entries(resourcesOf(synthesized, type)).filter(([, { ttl }]) => ttl === 60);
  for (const [, { depends_on: before }] of moved) expect(before).toContain(`terraform_data.${verification}`);
  const ingress = moved.find(([, { name }]) => name === "cert-migration-ingress.example.com")?.[0];
  const alias = moved.find(([, { type: kind }]) => kind === "CNAME")?.[1];
  expect(alias?.depends_on).toContain(`${type}.${ingress}`);
  expect(JSON.stringify(of("previous").resource?.terraform_data)).not.toContain("verify");
});

test("step 8 at another provider follows the proxies directly without the gate 'wait'", () => {
  const balancer = LoadBalancer.globalExternal({
    addresses: ["203.0.113.7"],
    newTargetHttpsProxy: { urlMap: "web" },
  });
  const synthesized = of("loadBalancer", { gate: "none", loadBalancer: balancer });
  const proxy = onlyAddress(synthesized, "google_compute_target_https_proxy");
  const moved = Object.values(resourcesOf(synthesized, type)).filter(({ ttl }) => ttl === 60);
  for (const { depends_on: before } of moved) expect(before).toContain(proxy);
});

test("step 8 at another provider accepts a resource for each value, of which one is imported", () => {
  const synthesized = of("previous", { dns: DnsPublication.custom(onePerValue) });
  const records = Object.values(resourcesOf(synthesized, "cloudflare_dns_record"));
  expect(records.filter(({ name }) => name === "example.com").map(({ content }) => content)).toEqual([
    "198.51.100.1",
    "198.51.100.2",
  ]);
  expect(synthesized.import?.map(({ id }) => id)).toEqual(["zone/example.com", "zone/www.example.com"]);
});

test("step 8 at another provider still refuses a name in 'mustServe' that no certificate covers", () => {
  expect(refusal(() => of("previous", { mustServe: ["example.org"] }))).toEqual(["must-serve-missing"]);
});

test("step 8 at another provider refuses a live record without import id", () => {
  const withoutIds = DnsPublication.custom({
    publish: (scope, record) => publisher.publish(scope, record).map(({ resource }) => ({ resource })),
  });
  expect(() => of("previous", { dns: withoutIds })).toThrow(
    "DnsPublication.custom: the A record of 'example.com' exists, and its resource has no import id; return 'importId', in the form that the provider documents for imports",
  );
});

describe("an import id", () => {
  const withId = (importId: unknown) => {
    const stack = newStack();
    const publish: IRecordPublisher["publish"] = (scope, record) =>
      publisher.publish(scope, record).map(({ resource }) => ({ resource, importId: importId as string }));
    migrate(stack, {
      dns: DnsPublication.custom({ publish }),
      loadBalancer: LoadBalancer.globalExternal({ addresses: ["203.0.113.7"] }),
      traffic: { to: "previous", previous: { "example.com": { a: ["198.51.100.1"] } } },
      certificates: [Certificate.managed({ domains: ["example.com"] })],
    });
    return synthesize(stack).import?.map(({ id }) => id);
  };

  test.each([
    [7],
    [null],
    [""],
    [" "],
    [{}],
    [["Z1"]],
    ['Z1_${file("key.pem")}'],
    ["%{ if true }Z1%{ endif }"],
    ["${"],
    ["${var.a}_${"],
  ])("can't be %j: Terraform would evaluate it, or refuse it", (value) => {
    expect(refusal(() => withId(value))).toEqual(["published-record-invalid"]);
  });

  test.each([
    ["Z1_example.com_A"],
    ["${var.zone}/example.com"],
    ["${aws_route53_zone.main.zone_id}_example.com"],
    ["cost $5, 100%"],
  ])("is passed on as '%s'", (value) => expect(withId(value)).toEqual([value]));

  test("may contain a token", () => {
    expect(withId(`${Fn.lower("Z1")}_example.com`)).toEqual(['${lower("Z1")}_example.com']);
  });
});

describe("a publisher", () => {
  const returning = (value: unknown) => DnsPublication.custom({ publish: () => value } as unknown as IRecordPublisher);

  test.each([
    ["nothing", undefined],
    ["an empty list", []],
    ["a resource in place of a list", new DnsResource(newStack(), "record", type, {})],
    ["a list of resources", [new DnsResource(newStack(), "record", type, {})]],
    ["another construct", [{ resource: new Construct(newStack(), "other") }]],
    ["a resource of another stack", [{ resource: new DnsResource(newStack(), "record", type, {}) }]],
  ])("that returns %s is refused", (_, value) => {
    expect(refusal(() => migrate(newStack(), { dns: returning(value) }))).toEqual(["published-record-invalid"]);
  });

  test.each([undefined, null, {}, "publish", { publish: true }])("can't be %j", (value) => {
    expect(refusal(() => DnsPublication.custom(value as unknown as IRecordPublisher))).toEqual(["publisher-invalid"]);
  });

  test("may be an object of a class", () => {
    class Publisher implements IRecordPublisher {
      readonly #zone = "Z2";
      publish(scope: Construct, record: RecordToPublish) {
        return [{ resource: new DnsResource(scope, "record", type, { zone_id: this.#zone, name: record.name }) }];
      }
    }
    const stack = newStack();
    migrate(stack, { dns: DnsPublication.custom(new Publisher()) });
    expect(onlyResource(synthesize(stack), type).zone_id).toBe("Z2");
  });

  test("is missing in data of the kind 'custom'", () => {
    const data = DnsPublication.fromSpec({ kind: "custom" });
    expect(refusal(() => migrate(newStack(), { dns: data }))).toEqual(["publisher-missing"]);
  });
});

describe("the zone of a record", () => {
  const record = (hostname: string, name = hostname) =>
    new RecordToPublish({ purpose: "traffic", hostname, name, type: "A", data: [], ttlSeconds: 60 });

  test.each([
    ["www.example.com", { "example.com": "Z1", "example.net": "Z2" }, "Z1"],
    ["a.eu.example.com", { "example.com": "Z1", "eu.example.com": "Z2" }, "Z2"],
    ["example.com", { "com.example.com": "Z1", "example.com": "Z2" }, "Z2"],
  ])("of %s among %j is %s", (hostname, zones, zone) => {
    expect(record(hostname).closestZone(zones)).toBe(zone);
  });

  test("is an error without a match", () => {
    expect(() => record("www.example.org").closestZone({ "example.com": "Z1" })).toThrow(
      "no zone contains 'www.example.org': known zones: example.com; add the zone",
    );
    expect(() => record("www.example.org").closestZone({})).toThrow("no zone is given; add the zone");
  });

  test.each([
    ["www.example.com", "www.example.com", "www"],
    ["a.b.example.com", "a.b.example.com", "a.b"],
    ["example.com", "example.com", "@"],
    ["example.com", '${trimsuffix(a.b.name, ".")}', '${trimsuffix(trimsuffix(a.b.name, "."), ".example.com")}'],
  ])("gives the relative name of %s (%s): %s", (hostname, name, expected) => {
    expect(record(hostname, name).relativeName("example.com")).toBe(expected);
  });

  test("refuses a relative name in a zone that does not contain the hostname", () => {
    expect(refusal(() => record("example.org").relativeName("example.com"))).toEqual(["zone-missing"]);
  });
});
