import { join, relative } from "node:path";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";
import { inventoryToSpec, takeInventory } from "cdktf-google-cert-migration/migrate";

// The hostnames and keys of the present certificates.
const inventory = takeInventory([join(relative("", __dirname), "certificates")], { now: new Date() });
const made = inventoryToSpec(inventory, "shop");
if (made === undefined) throw new Error("the inventory has no certificate to migrate");

const app = new App();
const stack = new TerraformStack(app, "from-certificates");
new GoogleProvider(stack, "google", { project: "my-project" });

const migration = new ManagedCertMigration(stack, "shop", {
  ...made.spec,
  certificates: made.spec.certificates.map(Certificate.fromSpec),
  dns: DnsPublication.cloudDns({
    zones: { "example.com": "example-com", "example.net": "example-net", "example.org": "example-org" },
  }),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: {
      urlMap: "shop",
      forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
    },
  }),
});

app.synth();

process.stdout.write(
  `${migration.plan.certificates.length} certificates from ${inventory.certificates.length} files\n`,
);
for (const { id, domains } of migration.plan.certificates) process.stdout.write(`  ${id}: ${domains.join(", ")}\n`);
process.stdout.write(
  `${migration.plan.authorizations.length} DNS authorizations, each with its CNAME; ${migration.plan.entries.length} entries in one map\n`,
);
for (const notice of made.notices) process.stdout.write(`left out: ${notice}\n`);
process.stdout.write("the stack is in cdktf.out/stacks/from-certificates\n");
