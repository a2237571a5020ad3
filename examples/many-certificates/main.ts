import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack, TerraformVariable } from "cdktf";
import {
  Certificate,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  PrivateKey,
} from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "many-certificates");
new GoogleProvider(stack, "google", { project: "my-project" });

// A certificate that stays with its CA: set TF_VAR_legacy_certificate and TF_VAR_legacy_key for each run.
const certificate = new TerraformVariable(stack, "legacy_certificate", { type: "string" });
const key = new TerraformVariable(stack, "legacy_key", { type: "string", sensitive: true });

new ManagedCertMigration(stack, "fleet", {
  certificates: [
    Certificate.managed({ domains: ["example.com", "*.example.com"], primary: true }),
    Certificate.managed({ name: "pay", domains: ["pay.example.net", "checkout.example.net"] }),
    Certificate.selfManaged({
      domains: ["legacy.example.org"],
      certificatePem: certificate.stringValue,
      privateKey: PrivateKey.pem(key.stringValue),
    }),
    Certificate.existing("projects/my-project/locations/global/certificates/status", {
      domains: ["status.example.org"],
    }),
  ],
  dns: DnsPublication.cloudDns({
    zones: { "example.com": "example-com", "example.net": { name: "net", project: "my-dns-project" } },
  }),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: {
      urlMap: "web",
      forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
    },
  }),
  // Synthesis fails if no certificate covers one of these hostnames.
  mustServe: ["example.com", "www.example.com", "pay.example.net", "legacy.example.org"],
  traffic: {
    hostnames: ["example.com", "www.example.com"],
    to: "previous", // "loadBalancer" moves traffic, "previous" rolls back
    previous: {
      "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:0:1::1"] },
      "www.example.com": { cname: "shops.old-cdn.example.org." },
    },
  },
  namePrefix: "prod",
  labels: { team: "web" },
});

app.synth();
