import { DnsARecord } from "@cdktf/provider-azurerm/lib/dns-a-record";
import { DnsAaaaRecord } from "@cdktf/provider-azurerm/lib/dns-aaaa-record";
import { DnsCnameRecord } from "@cdktf/provider-azurerm/lib/dns-cname-record";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Certificate,
  DnsPublication,
  type IRecordPublisher,
  LoadBalancer,
  ManagedCertMigration,
} from "cdktf-google-cert-migration";

const subscriptionId = "00000000-0000-0000-0000-000000000000";
const resourceGroupName = "dns";
const zoneName = "example.com";

/** Azure DNS has a resource type for each type of record set. */
const azure: IRecordPublisher = {
  publish: (scope, record) => {
    const name = record.relativeName(zoneName);
    const place = { name, zoneName, resourceGroupName, ttl: record.ttlSeconds };
    const zone = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.Network/dnsZones/${zoneName}`;
    const importId = `${zone}/${record.type}/${name}`;
    switch (record.type) {
      case "A":
        return [{ resource: new DnsARecord(scope, "record", { ...place, records: [...record.data] }), importId }];
      case "AAAA":
        return [{ resource: new DnsAaaaRecord(scope, "record", { ...place, records: [...record.data] }), importId }];
      case "CNAME":
        return [{ resource: new DnsCnameRecord(scope, "record", { ...place, record: record.data.join() }), importId }];
    }
  },
};

const app = new App();
const stack = new TerraformStack(app, "dns-azure");
new GoogleProvider(stack, "google", { project: "my-project" });
new AzurermProvider(stack, "azurerm", { features: [{}], subscriptionId });

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com", "*.example.com"] })],
  dns: DnsPublication.custom(azure),
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
