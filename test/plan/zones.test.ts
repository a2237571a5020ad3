import { type MigrationSpec, planMigration } from "../../lib/plan";

interface Projects {
  readonly zone?: string;
  readonly dns?: string;
  readonly spec?: string;
}

const withProject = (project: string | undefined) => (project === undefined ? {} : { project });

function specWith({ zone, dns, spec }: Projects): MigrationSpec {
  return {
    name: "shop",
    ...withProject(spec),
    certificates: [{ domains: ["shop.example.com"] }],
    dns: {
      kind: "cloudDns",
      ...withProject(dns),
      zones: { "example.com": zone === undefined ? "example-com" : { name: "example-com", project: zone } },
    },
  };
}

test.each<[string, Projects, string | undefined]>([
  [
    "its own project, before all others",
    { zone: "zone-project", dns: "dns-project", spec: "spec-project" },
    "zone-project",
  ],
  ["the project of dns, before the migration's", { dns: "dns-project", spec: "spec-project" }, "dns-project"],
  ["its own project, before the migration's", { zone: "zone-project", spec: "spec-project" }, "zone-project"],
  ["the migration's project, without another", { spec: "spec-project" }, "spec-project"],
  ["no project, without any", {}, undefined],
])("a zone has %s", (_, projects, expected) => {
  const { records, findings } = planMigration(specWith(projects));
  expect(findings).toEqual([]);
  expect(records.map(({ zone }) => zone)).toEqual([
    { domain: "example.com", name: "example-com", ...withProject(expected) },
  ]);
});

test("a project that is not valid is reported where it is written", () => {
  const { findings } = planMigration({
    ...specWith({ zone: "Zone P", dns: "Dns P", spec: "Spec P" }),
    certificates: [{ domains: ["shop.example.com"], project: "Certificate P" }],
  });
  expect(findings.map(({ subject }) => subject).sort()).toEqual([
    "/certificates/0/project",
    "/dns/project",
    "/dns/zones/example.com/project",
    "/project",
  ]);
});
