import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "regional-internal");
new GoogleProvider(stack, "google", { project: "my-project", region: "europe-west1" });

const proxy = new ComputeRegionTargetHttpsProxy(stack, "proxy", {
  name: "orders",
  region: "europe-west1",
  urlMap: "orders",
});

// No map: the proxy refers to the certificates directly, after the gate.
new ManagedCertMigration(stack, "orders", {
  certificates: [Certificate.managed({ domains: ["orders.example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.regionalInternal({ region: "europe-west1", targetHttpsProxies: [proxy] }),
});

app.synth();
