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
    balancerProject: "shop-1",
    usesMap: true,
    hostnames: ["*.example.com", "example.com", "pay.example.net"],
    hasPrimary: false,
    issued: ["*.example.com", "example.com", "pay.example.net"],
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
    proxies: [{ id: expect.stringMatching(/^projects\/shop-1\/global\/targetHttpsProxies\//), origin: "new" }],
    rules: [{ address: "203.0.113.7" }],
    moved: ["example.com", "pay.example.net"],
    previous: [
      { hostname: "example.com", type: "A", data: ["198.51.100.1"] },
      { hostname: "pay.example.net", type: "CNAME", data: ["old.example.org"] },
    ],
  });
});

test("reads the same from a stack, except zones and what existed before", () => {
  const read = parseMigrationDocument(spec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const { migrations } = sourceFromStack(JSON.stringify(synthesizeSpec(read.spec, "shop-1")), "cdk.tf.json", "shop-1");
  const stack = doctorSubject(migrations[0] as SourceMigration, { project: "shop-1" });
  const { hostnames, issued, moved, map, madeCertificates } = fromSpec();
  expect(stack).toMatchObject({ hostnames, issued, moved, map, madeCertificates });
  expect(stack).toMatchObject({ zones: [], zonesUnnamed: true, previous: [], proxies: [{ origin: "unknown" }] });
});

test("has no project if nothing names a project", () => {
  const { migrations, plan } = sourceFromSpec(shopSpec, { source: "migration.yaml" });
  const subject = doctorSubject(migrations[0] as SourceMigration, { plan });
  expect([subject.project, subject.zones, subject.proxies, subject.madeCertificates]).toEqual([undefined, [], [], []]);
});

describe("never replaces a project that is a variable by the default project", () => {
  const subjectFrom = (text: string) => {
    const { migrations, plan } = sourceFromSpec(text, { source: "migration.yaml", project: "shop-1" });
    return doctorSubject(migrations[0] as SourceMigration, { plan, project: "shop-1" });
  };

  test("of a zone", () => {
    const { zones, project } = subjectFrom(spec.replace("project: dns-project", 'project: "${var.dns_project}"'));
    expect(zones.map(({ project: owner, name }) => [owner, name])).toEqual([["shop-1", "example-com"]]);
    expect(project).toBe("shop-1");
  });

  test("of the migration", () => {
    const { zones, project, balancerProject, newRecords } = subjectFrom(`${spec}project: "\${var.project}"\n`);
    expect(zones.map(({ project: owner, name }) => [owner, name])).toEqual([["dns-project", "net"]]);
    expect([project, balancerProject]).toEqual([undefined, undefined]);
    expect(newRecords.map((record) => record.project)).not.toContain("shop-1");
  });
});
