import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { Route53Record } from "@cdktf/provider-aws/lib/route53-record";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Certificate,
  DnsPublication,
  type IRecordPublisher,
  LoadBalancer,
  ManagedCertMigration,
} from "cdktf-google-cert-migration";

/** Ids of the hosted zones, by their DNS names. */
const zones = {
  "example.com": "Z0123456789ABCDEFGHIJ",
  "example.net": "Z9876543210ABCDEFGHIJ",
};

const route53: IRecordPublisher = {
  publish: (scope, record) => {
    const zoneId = record.closestZone(zones);
    return [
      {
        resource: new Route53Record(scope, "record", {
          zoneId,
          name: record.name,
          type: record.type,
          ttl: record.ttlSeconds,
          records: [...record.data],
        }),
        importId: `${zoneId}_${record.name}_${record.type}`,
      },
    ];
  },
};

const app = new App();
const stack = new TerraformStack(app, "dns-route53");
new GoogleProvider(stack, "google", { project: "my-project" });
new AwsProvider(stack, "aws", { region: "eu-central-1" });

new ManagedCertMigration(stack, "shop", {
  certificates: [
    Certificate.managed({ domains: ["example.com", "*.example.com"] }),
    Certificate.managed({ name: "pay", domains: ["pay.example.net"] }),
  ],
  dns: DnsPublication.custom(route53),
  loadBalancer: LoadBalancer.globalExternal({
    newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
  }),
  traffic: {
    to: "previous", // after the migration: "loadBalancer"
    previous: {
      "example.com": { a: ["198.51.100.1"] },
      "www.example.com": { cname: "old-cdn.example.org" },
      "pay.example.net": { a: ["198.51.100.2"] },
    },
  },
});

app.synth();
