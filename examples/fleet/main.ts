import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, GcsBackend, TerraformStack } from "cdktf";
import { ManagedCertMigration, type MigrationSpec } from "cdktf-google-cert-migration";
import { splitMigration } from "cdktf-google-cert-migration/plan";

// Deployed twice: PHASE=issue makes the certificates, PHASE=serve puts them to use once all are active.
const phase = process.env.PHASE || "serve";
if (phase !== "issue" && phase !== "serve") throw new Error(`PHASE is '${phase}': issue or serve`);

const shops = ["aachen", "berlin", "cologne", "dresden", "erfurt", "freiburg", "gera", "hamburg"];
const fleet: MigrationSpec = {
  name: "fleet",
  certificates: shops.map((shop) => ({ domains: [`${shop}.example.com`, `*.${shop}.example.com`] })),
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
  phase,
};

// A proxy takes one map, and port 443 of an address leads to one proxy: each stack has its own, before the same backends.
const addresses: Readonly<Record<string, string>> = {
  "fleet-1": "203.0.113.11",
  "fleet-2": "203.0.113.12",
  "fleet-3": "203.0.113.13",
  "fleet-4": "203.0.113.14",
};
function addressOf(stack: string): string {
  const address = addresses[stack];
  if (address === undefined) throw new Error(`${stack} is a new stack: reserve an address for it and add it here`);
  return address;
}

// Which stack each hostname went to before, kept beside the code ({} in the beginning): none of them ever moves.
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
  // What a runner writes is gone with it, and the next one could decide otherwise.
  if (process.env.CI) throw new Error(`${record} is stale: synthesize where you work, and commit it`);
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
