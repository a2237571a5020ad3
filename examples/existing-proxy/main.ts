import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "existing-proxy");
new GoogleProvider(stack, "google", { project: "my-project" });

new ManagedCertMigration(stack, "shop", {
  certificates: [{ domains: ["shop.example.com"] }],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.globalExternal({
    // Made by hand or by another tool: an import block brings it under Terraform. What is not stated would be reset,
    // so everything has to be; null says that the proxy has none.
    adoptTargetHttpsProxies: [
      {
        name: "web",
        urlMap: "projects/my-project/global/urlMaps/web",
        sslCertificates: ["projects/my-project/global/sslCertificates/old-shop"],
        sslPolicy: null,
        quicOverride: null,
        tlsEarlyData: null,
        httpKeepAliveTimeoutSeconds: null,
        serverTlsPolicy: null,
        description: null,
      },
    ],
  }),
});

app.synth();
