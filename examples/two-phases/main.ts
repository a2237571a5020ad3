import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

// A pipeline deploys the same stack twice: PHASE=issue days ahead, PHASE=serve once every certificate is active.
const phase = process.env.PHASE || "serve";
if (phase !== "issue" && phase !== "serve")
  throw new Error(`invalid value "${phase}" for PHASE; expected "issue" or "serve"`);

const app = new App();
const stack = new TerraformStack(app, "two-phases");
new GoogleProvider(stack, "google", { project: "my-project" });

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com", "*.example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
  }),
  phase,
});

app.synth();
