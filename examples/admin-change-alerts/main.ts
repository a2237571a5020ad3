import { MonitoringNotificationChannel } from "@cdktf/provider-google/lib/monitoring-notification-channel";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  AdminChangeAlerts,
  Certificate,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
} from "cdktf-google-cert-migration";

const app = new App();
const stack = new TerraformStack(app, "admin-change-alerts");
new GoogleProvider(stack, "google", { project: "my-project" });

new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "shop" } }),
});

const onCall = new MonitoringNotificationChannel(stack, "on-call", {
  type: "email",
  labels: { email_address: "on-call@example.com" },
});

// Two classes of changes and one event. Each gets a metric and an alert policy with a remedy.
new AdminChangeAlerts(stack, "freeze", {
  organizationId: "123456789012",
  project: "my-project",
  events: ["trust-anchors", "authority", "CHANGE_GMAIL_SETTING"],
  notificationChannels: [onCall.id],
  ignoredActors: ["terraform@my-project.iam.gserviceaccount.com"],
});

app.synth();
