import { DnsPublication, ManagedCertMigration, WildcardCertWithAuth } from "../../lib";
import { newStack, type SynthesizedStack, synthesize } from "../support/synth";

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
const certificateMap = "projects/p/locations/global/certificateMaps/web";

function keysIn(stack: SynthesizedStack): readonly string[] {
  const { cert_migration: output } = stack.output as { readonly cert_migration: { readonly value: unknown } };
  return Object.keys((output.value as { readonly migrations: object }).migrations);
}

test("is composed of a migration whose addresses, name and key in the output have the path of the construct", () => {
  const stack = newStack();
  const wildcard = new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns, certificateMap });
  const synthesized = synthesize(stack);
  const { resource = {} } = synthesized;

  expect(wildcard.migration.node.path).toBe("prod/wild/Default");
  expect(wildcard.migration.plan.name).toBe("prod/wild");
  expect(keysIn(synthesized)).toEqual(["prod/wild"]);
  expect({
    certificates: Object.keys(resource.google_certificate_manager_certificate ?? {}),
    entries: Object.keys(resource.google_certificate_manager_certificate_map_entry ?? {}),
    gates: Object.keys(resource.terraform_data ?? {}),
  }).toEqual({
    certificates: ["wild_certificate-wildcard_71243222"],
    entries: ["wild_entry-examplecom_27EE2555", "wild_entry-examplecom_97C911F2"],
    gates: ["wild_gate-wildcard_58431905", "wild_settlement-1_65DFBFBE"],
  });
});

test("has undefined in place of resources that it does not create", () => {
  const wildcard = new WildcardCertWithAuth(newStack(), "wild", {
    domain: "example.com",
    dns: DnsPublication.external(),
    existingAuthorizations: { "example.com": "projects/p/locations/global/dnsAuthorizations/example" },
  });
  expect([wildcard.authorization, wildcard.record, wildcard.rootEntry, wildcard.wildcardEntry]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(wildcard.certificate.node.id).toBe("certificate-wildcard");
});

test("a migration that an app gives the id 'Default' keeps this id in its name and key", () => {
  const stack = newStack();
  const { plan } = ManagedCertMigration.fromSpec(stack, "Default", {
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" },
  } as never);
  expect(plan.name).toBe("prod/Default");
  expect(keysIn(synthesize(stack))).toEqual(["prod/Default"]);
});

test("reports mistakes with the path of the construct", () => {
  const act = () => new WildcardCertWithAuth(newStack(), "wild", { domain: "localhost", dns, project: "P" });
  expect(act).toThrow(/^prod\/wild: .*localhost.*\nprod\/wild: 'P' is not a project id/m);
});
