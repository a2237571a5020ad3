/** The stack of examples/python/main.py in TypeScript. */
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack, TerraformVariable } from "cdktf";
import {
  Certificate,
  CertificateAlerts,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  WildcardCertWithAuth,
} from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "shop");
new GoogleProvider(stack, "google", { project: "my-project" });
const zone = new TerraformVariable(stack, "zone", { type: "string", default: "example-com" });
const migration = new ManagedCertMigration(stack, "shop", {
  certificates: [
    Certificate.managed({ domains: ["shop.example.com", "www.shop.example.com"] }),
    Certificate.managed({ name: "pay", domains: ["pay.example.com"] }),
  ],
  dns: DnsPublication.cloudDns({ zones: { "example.com": zone.stringValue } }),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: {
      urlMap: "projects/my-project/global/urlMaps/web",
      forwardingRules: { ipv4Address: "203.0.113.7" },
    },
  }),
});
const wildcard = new WildcardCertWithAuth(stack, "wildcard", {
  domain: "example.net",
  dns: DnsPublication.cloudDns({ zones: { "example.net": "example-net" } }),
  ...(migration.map === undefined ? {} : { certificateMap: migration.map }),
});
new CertificateAlerts(stack, "alerts", {
  migrations: [migration, wildcard.migration],
  notificationChannels: ["projects/my-project/notificationChannels/1234"],
});
app.synth();
