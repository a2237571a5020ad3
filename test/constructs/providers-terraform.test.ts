/** Providers and dependencies of a migration, as real Terraform applies them. */
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { Certificate, CommandGate, DnsPublication } from "../../lib";
import { migrate } from "../support/migrate";
import { useStandIn } from "../support/stand-in";
import { newApp, newStack, type SynthesizedStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);
const standIn = useStandIn();

/** Synthesizes the zone of the DNS team, with a record of `www.example.com`. */
function zone(): SynthesizedStack {
  const stack = newStack(newApp(), "dns", "dns-project");
  const managedZone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com." });
  const record = { name: "www.example.com.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] };
  new DnsRecordSet(stack, "www", { ...record, managedZone: managedZone.name });
  return synthesize(stack);
}

/** Synthesizes a migration with providers for two projects, between two other resources. */
function shop(): SynthesizedStack {
  const stack = newStack(newApp(), "prod", "main-project");
  const [web, dns] = ["web", "dns"].map(
    (alias) => new GoogleProvider(stack, alias, { alias, project: `${alias}-project` }),
  );
  const [before, after] = ["before", "after"].map(
    (id) => new CommandGate(stack, id, { command: "exit", triggers: ["1"] }),
  );
  const migration = migrate(stack, {
    certificates: [Certificate.managed({ domains: ["www.example.com"] })],
    dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" }, ...(dns && { provider: dns }) }),
    traffic: { to: "previous", hostnames: ["www.example.com"], previous: { "www.example.com": { a: ["192.0.2.1"] } } },
    gate: "none",
    ...(web && { provider: web }),
  });
  if (before) migration.node.addDependency(before);
  after?.node.addDependency(migration);
  return synthesize(stack);
}

test("Terraform creates and imports resources with the providers, in the order of the dependencies", async () => {
  await using dnsTeam = await openTerraform(standIn.provider);
  await dnsTeam.apply(zone());
  await using terraform = await openTerraform(standIn.provider);
  const stack = shop();
  const log = await terraform.apply(stack);
  expect(log).toContain("Apply complete! Resources: 1 imported, 7 added");
  const projects = [
    ...log.matchAll(/^(\w+)\S+: (?:Creation complete|Modifications complete) .*\[id=projects\/([\w-]+)/gm),
  ];
  expect(Object.fromEntries(projects.map(([, type, project]) => [type, project]))).toEqual({
    google_certificate_manager_certificate: "web-project",
    google_certificate_manager_certificate_map: "web-project",
    google_certificate_manager_certificate_map_entry: "web-project",
    google_certificate_manager_dns_authorization: "web-project",
    google_dns_record_set: "dns-project",
  });
  const order = [...log.matchAll(/^(\S+): (?:Creation|Modifications) complete/gm)].map(([, address]) => address);
  expect([order[0], order.at(-1)]).toEqual(["terraform_data.before", "terraform_data.after"]);
  expect(await terraform.plan()).toBe(0);

  // Import blocks need no provider: Terraform refuses every other provider than the provider of the resource.
  const blocks = (stack.import ?? []).map((block) => ({ ...block, provider: "google.web" }));
  await terraform.write({ ...stack, import: blocks });
  const { exitCode, stderr } = await terraform.run("plan", "-input=false", "-no-color");
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Invalid import provider argument")]);
});

test("a provider of the same project plans no changes, and is back without changes", async () => {
  await using terraform = await openTerraform(standIn.provider);
  const zoned = (name?: string): SynthesizedStack => {
    const stack = newStack(newApp(), "same", "same-project");
    const provider =
      name === undefined ? {} : { provider: new GoogleProvider(stack, name, { alias: name, project: "same-project" }) };
    const managedZone = new DnsManagedZone(stack, "zone", { name: "example-org", dnsName: "example.org." });
    migrate(stack, {
      certificates: [Certificate.managed({ domains: ["example.org"] })],
      dns: DnsPublication.cloudDns({ zones: { "example.org": managedZone } }),
      enableApis: true,
      gate: "none",
      ...provider,
    });
    return synthesize(stack);
  };
  await terraform.apply(zoned());
  await terraform.write(zoned("web"));
  expect(await terraform.plan()).toBe(0);
  await terraform.apply(zoned("web"));
  await terraform.write(zoned());
  expect(await terraform.plan()).toBe(0);
});
