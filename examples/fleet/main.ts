import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, GcsBackend, TerraformStack } from "cdktf";
import { ManagedCertMigration, type MigrationSpec } from "cdktf-google-cert-migration";
import { splitMigration } from "cdktf-google-cert-migration/plan";

// Deploy twice: PHASE=issue creates the certificates, PHASE=serve the map entries once all certificates are active.
const phase = process.env.PHASE || "serve";
if (phase !== "issue" && phase !== "serve")
  throw new Error(`invalid value "${phase}" for PHASE; expected "issue" or "serve"`);

const shops = ["aachen", "berlin", "cologne", "dresden", "erfurt", "freiburg", "gera", "hamburg"];
const fleet: MigrationSpec = {
  name: "fleet",
  certificates: shops.map((shop) => ({ domains: [`${shop}.example.com`, `*.${shop}.example.com`] })),
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
  phase,
};

// A proxy has one map, and port 443 of an address has one proxy. So each stack has its own proxy and address.
const addresses: Readonly<Record<string, string>> = {
  "fleet-1": "203.0.113.11",
  "fleet-2": "203.0.113.12",
  "fleet-3": "203.0.113.13",
  "fleet-4": "203.0.113.14",
};
function addressOf(stack: string): string {
  const address = addresses[stack];
  if (address === undefined)
    throw new Error(`${stack} is a new stack without an address: reserve an address and add it here`);
  return address;
}

// The stack of each hostname, committed beside the code (initially {}). No hostname ever moves to another stack.
const record = join(__dirname, "assigned.json");
const before = readFileSync(record, "utf8");
const { stacks, assigned } = splitMigration(fleet, {
  maxEntriesPerMap: 6,
  assigned: JSON.parse(before),
  loadBalancerOf: (stack) => ({
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: addressOf(stack) } },
  }),
});
const after = `${JSON.stringify(assigned, undefined, 2)}\n`;
if (after !== before) {
  // A runner's files are lost, and the next run could assign hostnames differently.
  if (process.env.CI) throw new Error(`${record} is stale: synthesize outside CI, and commit the file`);
  writeFileSync(record, after);
}

const app = new App();
for (const { name, spec } of stacks) {
  const stack = new TerraformStack(app, name);
  new GcsBackend(stack, { bucket: "my-project-terraform", prefix: `cert-migration/${name}` });
  new GoogleProvider(stack, "google", { project: "my-project" });
  ManagedCertMigration.fromSpec(stack, "migration", spec);
}
app.synth();
