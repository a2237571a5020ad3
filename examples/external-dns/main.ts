import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "external-dns");
new GoogleProvider(stack, "google", { project: "my-project" });

// The CNAMEs to publish are in the stack's outputs; certificates become active once they are visible.
new ManagedCertMigration(stack, "shop", {
  certificates: [{ domains: ["example.com", "*.example.com"] }],
  dns: DnsPublication.external(),
  loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "shop" } }),
  authorizationType: "PER_PROJECT_RECORD", // leaves _acme-challenge.example.com to the old provider
  gate: "precondition", // for runners without Node: the first apply stops before the entries, the next one goes on
});

app.synth();
