/**
 * Stacks that stacks.py writes too: one for each migration in the folder of the first argument, and one of constructs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Certificate,
  CertificateIssuer,
  CertificateMap,
  DnsPublication,
  Gate,
  LoadBalancer,
  ManagedCertMigration,
  PrivateKey,
  TrafficTarget,
} from "cdktf-google-cert-migration";
import { parseMigrationDocument } from "cdktf-google-cert-migration/plan";

const app = new App();

function newStack(name: string): TerraformStack {
  const stack = new TerraformStack(app, name);
  new GoogleProvider(stack, "google", { project: "my-project" });
  return stack;
}

const [folder = ""] = process.argv.slice(2);
for (const name of readdirSync(folder)) {
  const read = parseMigrationDocument(readFileSync(join(folder, name), "utf8"), { source: name });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  ManagedCertMigration.fromSpec(newStack(name.replace(".yaml", "")), "migration", read.spec);
}

new ManagedCertMigration(newStack("constructs"), "shop", {
  certificates: [
    Certificate.managed({ domains: ["shop.example.info", "www.example.info"] }),
    Certificate.selfManaged({
      domains: ["pay.example.info"],
      certificatePem: "${var.pay_certificate}",
      privateKey: PrivateKey.variable("pay_key", { storage: "state" }),
    }),
    Certificate.privateCa({
      domains: ["orders.corp.internal"],
      issuer: CertificateIssuer.caPool("projects/my-project/locations/us-east1/caPools/internal", { lifetime: "21d" }),
    }),
    Certificate.existing("projects/my-project/locations/global/certificates/old", { domains: ["old.example.info"] }),
  ],
  dns: DnsPublication.custom({
    publish: (scope, record) => [
      {
        resource: new DnsRecordSet(scope, "record", {
          managedZone: record.closestZone({ "example.info": "elsewhere" }),
          name: `${record.name}.`,
          type: record.type,
          ttl: record.ttlSeconds,
          rrdatas: [...record.data],
        }),
        importId: `elsewhere/${record.hostname}./${record.type}`,
      },
    ],
  }),
  loadBalancer: LoadBalancer.globalExternal({ addresses: { ipv4: ["203.0.113.7"] } }),
  existingCertificateMap: CertificateMap.fromId("projects/my-project/locations/global/certificateMaps/web"),
  traffic: {
    to: TrafficTarget.PREVIOUS,
    previous: {
      "shop.example.info": { a: ["192.0.2.1"] },
      "www.example.info": { cname: "shop.provider.example" },
    },
    hostnames: ["shop.example.info", "www.example.info"],
  },
  gate: Gate.PRECONDITION,
  naming: { name: (_, suggested) => `acme-${suggested.slice(-12)}` },
});

app.synth();
