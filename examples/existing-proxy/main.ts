import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "existing-proxy");
new GoogleProvider(stack, "google", { project: "my-project" });

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.globalExternal({
    // A proxy that was created manually or by another tool: an import block adds it to the state.
    // List every field, because Terraform resets missing fields. "", 0 and "UNSET" mean that the proxy has no value.
    adoptTargetHttpsProxies: [
      {
        name: "web",
        urlMap: "projects/my-project/global/urlMaps/web",
        sslCertificates: ["projects/my-project/global/sslCertificates/old-shop"],
        sslPolicy: "",
        quicOverride: "UNSET",
        tlsEarlyData: "UNSET",
        httpKeepAliveTimeoutSeconds: 0,
        serverTlsPolicy: "",
        description: "",
      },
    ],
  }),
});

app.synth();
