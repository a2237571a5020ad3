import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "external-dns");
new GoogleProvider(stack, "google", { project: "my-project" });

// The stack's outputs contain the CNAME records to publish. Certificates become active once the records are visible.
new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com", "*.example.com"] })],
  dns: DnsPublication.external(),
  loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "shop" } }),
  authorizationType: "PER_PROJECT_RECORD", // the previous provider keeps _acme-challenge.example.com
  gate: "precondition", // for runners without Node: the first apply stops before the entries, the next apply continues
});

app.synth();
