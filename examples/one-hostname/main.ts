import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "one-hostname");
new GoogleProvider(stack, "google", { project: "my-project" });

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
  }),
});

app.synth();
