import fc from "fast-check";
import { baseDomain, covers, type Hostname, parseHostname } from "../../lib/hostnames";
import { type MigrationPlan, type MigrationSpec, planMigration, serializePlan } from "../../lib/plan";
import { arbitrarySpec } from "../support/arbitrary-spec";
import { runs } from "../support/runs";

const specs = runs(60);

/** The plan as it would be in phase `serve`, where there are entries. */
function serving(spec: MigrationSpec): MigrationPlan {
  return planMigration({ ...spec, phase: "serve" });
}

function requestedNames(spec: MigrationSpec): readonly Hostname[] {
  return spec.certificates.flatMap(({ domains }) => (domains ?? []).map(parseHostname)).sort();
}

test("for every valid spec, the plan has no errors", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const errors = planMigration(spec).findings.filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
    }),
    specs,
  );
});

test("for every valid spec, every requested name is served by exactly one entry, whose certificate covers it", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const plan = serving(spec);
      fc.pre(plan.attachment.via === "certificateMap");
      expect(plan.entries.map(({ hostname }) => hostname)).toEqual(requestedNames(spec));
      for (const { hostname, certificates } of plan.entries) {
        const certificate = plan.certificates.find(({ id }) => id === certificates[0]);
        expect(certificate?.domains.some((domain) => covers(domain, hostname as Hostname))).toBe(true);
      }
    }),
    specs,
  );
});

test("for every valid spec, every managed name has exactly one authorization, for its base domain", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const plan = planMigration(spec);
      const wanted = [...new Set(requestedNames(spec).map(baseDomain))].sort();
      expect(plan.authorizations.map(({ domain }) => domain)).toEqual(wanted);
      expect(plan.records.map(({ domain }) => domain)).toEqual(wanted);
    }),
    specs,
  );
});

test("for every valid spec, no two resources of a kind share a name, and every name fits every kind", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const plan = serving(spec);
      const kinds = [
        plan.authorizations.map(({ name }) => name),
        plan.certificates.flatMap((certificate) => ("name" in certificate ? [certificate.name] : [])),
        plan.entries.map(({ name }) => name),
        plan.attachment.proxies.map(({ name }) => name),
        plan.attachment.forwardingRules.map(({ name }) => name),
      ];
      for (const names of kinds) {
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])$/);
      }
    }),
    specs,
  );
});

test("for every valid spec, the order of the input changes no byte", () => {
  const shuffled = arbitrarySpec.chain((spec) =>
    fc
      .shuffledSubarray([...spec.certificates], { minLength: spec.certificates.length })
      .map((certificates): readonly [MigrationSpec, MigrationSpec] => [
        spec,
        {
          ...spec,
          certificates: certificates.map((certificate) => ({
            ...certificate,
            domains: [...(certificate.domains ?? [])].reverse(),
          })),
          ...(spec.dns.kind === "cloudDns"
            ? { dns: { ...spec.dns, zones: Object.fromEntries(Object.entries(spec.dns.zones).reverse()) } }
            : {}),
          ...(spec.mustServe === undefined ? {} : { mustServe: [...spec.mustServe].reverse() }),
        },
      ]),
  );
  fc.assert(
    fc.property(shuffled, ([spec, other]) => {
      expect(serializePlan(planMigration(other))).toBe(serializePlan(planMigration(spec)));
    }),
    specs,
  );
});

test("for every valid spec, one more certificate changes no other authorization, record, certificate or entry", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const before = serving(spec);
      const added = { name: "added", domains: ["added.example.com", "*.added.example.com"] };
      const after = serving({ ...spec, certificates: [added, ...spec.certificates] });
      const kept = (plan: MigrationPlan) => ({
        authorizations: plan.authorizations.filter(({ domain }) => domain !== "added.example.com"),
        records: plan.records.filter(({ domain }) => domain !== "added.example.com"),
        certificates: plan.certificates
          .filter(({ id }) => id !== "added")
          .map(({ at: _at, specIndex: _specIndex, ...rest }) => rest),
        entries: plan.entries.filter(({ certificates }) => !certificates.includes("added")),
        map: plan.map,
      });
      expect(kept(after)).toEqual(kept(before));
    }),
    specs,
  );
});

test("for every valid spec, the serialized plan contains no empty list and no null", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      expect(serializePlan(planMigration(spec))).not.toMatch(/\[\]|null/);
    }),
    specs,
  );
});

test("another description or label changes no name, and nothing that would replace proxies and forwarding rules", () => {
  const spec: MigrationSpec = {
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "um", forwardingRules: { ipv4Address: "203.0.113.7" } },
    },
    labels: { team: "web" },
  };
  const changed = { ...spec, description: "Serves the shop", labels: { team: "shop" } };
  const withoutLabels = ({ attachment }: MigrationPlan) => ({
    ...attachment,
    forwardingRules: attachment.forwardingRules.map(({ labels: _, ...rule }) => rule),
  });

  expect(withoutLabels(planMigration(changed))).toEqual(withoutLabels(planMigration(spec)));
});

test("bounds names by the longest prefix where a variable is the prefix", () => {
  const named = (namePrefix: string) =>
    planMigration({
      name: "shop",
      namePrefix,
      certificates: [{ domains: ["a-very-long-hostname-that-fills-a-name-of-63-characters.example.com"] }],
      dns: { kind: "external" },
    }).certificates.map((certificate) => ("name" in certificate ? certificate.name : ""));
  const longest = "a".repeat(20);
  const [literal = ""] = named(longest);

  expect(named("${var.env}")).toEqual([literal.replace(longest, "${var.env}")]);
  expect(literal).toHaveLength(63);
});
