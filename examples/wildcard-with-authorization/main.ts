import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import { DnsPublication, WildcardCertWithAuth } from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "wildcard");
new GoogleProvider(stack, "google", { project: "my-project" });

const zone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com." });
const map = new CertificateManagerCertificateMap(stack, "map", { name: "web" });

// One authorization, one CNAME, one certificate for example.com and *.example.com, two entries in the map.
new WildcardCertWithAuth(stack, "wild", {
  domain: "example.com",
  dns: DnsPublication.cloudDns({ zones: { "example.com": zone } }),
  certificateMap: map,
});

app.synth();
