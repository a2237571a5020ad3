import { DnsRecord } from "@cdktf/provider-cloudflare/lib/dns-record";
import { CloudflareProvider } from "@cdktf/provider-cloudflare/lib/provider";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Certificate,
  DnsPublication,
  type IRecordPublisher,
  LoadBalancer,
  ManagedCertMigration,
} from "cdktf-google-cert-migration";

const zoneId = "0123456789abcdef0123456789abcdef";

/** Ids of the records before the migration, by name, type and position: the API of Cloudflare lists them. */
const recordIds: Record<string, string> = {
  "example.com A 0": "11111111111111111111111111111111",
  "www.example.com CNAME 0": "22222222222222222222222222222222",
};

/** Cloudflare has a resource for each value of a record set. */
const cloudflare: IRecordPublisher = {
  publish: (scope, record) =>
    record.data.map((content, index) => {
      const recordId = recordIds[`${record.name} ${record.type} ${index}`];
      return {
        resource: new DnsRecord(scope, `record-${index}`, {
          zoneId,
          name: record.name,
          type: record.type,
          content,
          ttl: record.ttlSeconds,
          proxied: false, // Cloudflare's proxy would hide the CNAME record from the CA
        }),
        importId: recordId && `${zoneId}/${recordId}`,
      };
    }),
};

const app = new App();
const stack = new TerraformStack(app, "dns-cloudflare");
new GoogleProvider(stack, "google", { project: "my-project" });
new CloudflareProvider(stack, "cloudflare"); // the token is in CLOUDFLARE_API_TOKEN

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com", "*.example.com"] })],
  dns: DnsPublication.custom(cloudflare),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
  }),
  traffic: {
    to: "previous", // after the migration: "loadBalancer"
    previous: {
      "example.com": { a: ["198.51.100.1"] },
      "www.example.com": { cname: "old-cdn.example.org" },
    },
  },
});

app.synth();
