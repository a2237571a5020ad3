import { synthesizeSpec } from "../../../lib/cli/synthesize";
import { doctorSubject } from "../../../lib/live/doctor/subject";
import { parseMigrationDocument } from "../../../lib/plan";
import { type SourceMigration, sourceFromSpec, sourceFromStack } from "../../../lib/source";
import { shopSpec } from "../../support/migration-spec";

const spec = shopSpec.replace("example.net: example-net", "example.net: { name: net, project: dns-project }");

function fromSpec() {
  const { migrations, plan } = sourceFromSpec(spec, { source: "migration.yaml", project: "shop-1" });
  return doctorSubject(migrations[0] as SourceMigration, { plan, project: "shop-1" });
}

test("reads everything from a spec except values that the service generates", () => {
  expect(fromSpec()).toMatchObject({
    path: "shop",
    project: "shop-1",
    balancer: {
      project: "shop-1",
      proxies: [{ id: expect.stringMatching(/^projects\/shop-1\/global\/targetHttpsProxies\//), origin: "new" }],
      rules: [{ address: "203.0.113.7" }],
    },
    map: {
      usesMap: true,
      hasPrimary: false,
    },
    dns: {
      hostnames: ["*.example.com", "example.com", "pay.example.net"],
      domains: [
        {
          domain: "example.com",
          challenge: "_acme-challenge.example.com",
          authorization: expect.stringMatching(/^projects\/shop-1\/locations\/global\/dnsAuthorizations\//),
          published: "cloudDns",
        },
        { domain: "pay.example.net", challenge: "_acme-challenge.pay.example.net", published: "cloudDns" },
      ],
      zones: [
        {
          project: "shop-1",
          name: "example-com",
          domain: "example.com",
          records: ["_acme-challenge.example.com", "example.com"],
        },
        { project: "dns-project", name: "net", domain: "example.net" },
      ],
      zonesUnnamed: false,
      moved: ["example.com", "pay.example.net"],
      previous: [
        { hostname: "example.com", type: "A", data: ["198.51.100.1"] },
        { hostname: "pay.example.net", type: "CNAME", data: ["old.example.org"] },
      ],
    },
    certificates: {
      issued: ["*.example.com", "example.com", "pay.example.net"],
    },
  });
});

test("reads the same from a stack, except zones and what existed before", () => {
  const read = parseMigrationDocument(spec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const { migrations } = sourceFromStack(JSON.stringify(synthesizeSpec(read.spec, "shop-1")), "cdk.tf.json", "shop-1");
  const stack = doctorSubject(migrations[0] as SourceMigration, { project: "shop-1" });
  const { certificates, map, dns } = fromSpec();
  const { hostnames, moved } = dns;
  const { issued, made } = certificates;
  expect(stack).toMatchObject({ certificates: { issued, made }, map: { id: map.id }, dns: { hostnames, moved } });
  expect(stack).toMatchObject({
    dns: { zones: [], zonesUnnamed: true, previous: [] },
    balancer: { proxies: [{ origin: "unknown" }] },
  });
});

test("has no project if nothing names a project", () => {
  const { migrations, plan } = sourceFromSpec(shopSpec, { source: "migration.yaml" });
  const subject = doctorSubject(migrations[0] as SourceMigration, { plan });
  expect([subject.project, subject.dns.zones, subject.balancer.proxies, subject.certificates.made]).toEqual([
    undefined,
    [],
    [],
    [],
  ]);
});

describe("never replaces a project that is a variable by the default project", () => {
  const subjectFrom = (text: string) => {
    const { migrations, plan } = sourceFromSpec(text, { source: "migration.yaml", project: "shop-1" });
    return doctorSubject(migrations[0] as SourceMigration, { plan, project: "shop-1" });
  };

  test("of a zone", () => {
    const {
      dns: { zones },
      project,
    } = subjectFrom(spec.replace("project: dns-project", 'project: "${var.dns_project}"'));
    expect(zones.map(({ project: owner, name }) => [owner, name])).toEqual([["shop-1", "example-com"]]);
    expect(project).toBe("shop-1");
  });

  test("of the migration", () => {
    const {
      dns: { zones, newRecords },
      project,
      balancer,
    } = subjectFrom(`${spec}project: "\${var.project}"\n`);
    expect(zones.map(({ project: owner, name }) => [owner, name])).toEqual([["dns-project", "net"]]);
    expect([project, balancer.project]).toEqual([undefined, undefined]);
    expect(newRecords.map((record) => record.project)).not.toContain("shop-1");
  });
});
