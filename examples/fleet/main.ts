import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, GcsBackend, TerraformStack } from "cdktf";
import { ManagedCertMigration, type MigrationSpec } from "cdktf-google-cert-migration";
import { splitMigration } from "cdktf-google-cert-migration/plan";

const shops = ["aachen", "berlin", "cologne", "dresden", "erfurt", "freiburg", "gera", "hamburg"];
const fleet: MigrationSpec = {
  name: "fleet",
  certificates: shops.map((shop) => ({ domains: [`${shop}.example.com`, `*.${shop}.example.com`] })),
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
};

// Which stack each certificate went to before, kept beside the code: none of them ever moves.
const record = join(__dirname, "assigned.json");
const before = readFileSync(record, "utf8");
const { stacks, assigned } = splitMigration(fleet, { maxEntriesPerMap: 6, assigned: JSON.parse(before) });

const app = new App();
for (const { name, spec } of stacks) {
  const stack = new TerraformStack(app, name);
  new GcsBackend(stack, { bucket: "my-project-terraform", prefix: `cert-migration/${name}` });
  new GoogleProvider(stack, "google", { project: "my-project" });
  ManagedCertMigration.fromSpec(stack, "migration", spec);
}
app.synth();

const after = `${JSON.stringify(assigned, undefined, 2)}\n`;
if (after !== before) writeFileSync(record, after);
