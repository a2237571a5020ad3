import { AdminChangeAlerts, type AdminChangeAlertsProps } from "../../../lib";
import { startTerraformProvider, type TerraformProvider } from "../../../lib/terraform-provider";
import { startTestCloud, type TestCloud } from "../../support/cloud";
import { newStack, synthesize } from "../../support/synth";
import { openTerraform } from "../../support/terraform";

jest.setTimeout(60_000);

let cloud: TestCloud;
let provider: TerraformProvider;

beforeEach(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0 } });
  provider = await startTerraformProvider({
    cloudUrl: cloud.endpoints.http,
    alsoKept: [
      "google_logging_metric",
      "google_logging_organization_sink",
      "google_monitoring_alert_policy",
      "google_project_iam_member",
    ],
  });
});

afterEach(async () => {
  await provider.close();
  await cloud.stop();
});

/** A stack that alerts, as Terraform reads it. */
function alerting(change: Partial<AdminChangeAlertsProps> = {}): object {
  const stack = newStack();
  new AdminChangeAlerts(stack, "alerts", {
    organizationId: "123456789012",
    project: "my-project",
    events: ["trust-anchors"],
    settleSeconds: 1,
    ignoredActors: ['"%{if}"@example.com'],
    ...change,
  });
  return synthesize(stack);
}

test("creates everything with Terraform in order, and plans no change afterwards", async () => {
  await using terraform = await openTerraform(provider);
  const log = await terraform.apply(alerting());
  const made = [...log.matchAll(/^(\w+)\.\S+: Creation complete/gm)].map(([, type]) => type);
  expect(made.slice().sort()).toEqual([
    "google_logging_metric",
    "google_logging_organization_sink",
    "google_logging_project_bucket_config",
    "google_monitoring_alert_policy",
    "google_project_iam_member",
    "terraform_data",
  ]);
  expect(made.filter((type) => /bucket_config|metric|terraform_data|policy/.test(type as string))).toEqual([
    "google_logging_project_bucket_config",
    "google_logging_metric",
    "terraform_data",
    "google_monitoring_alert_policy",
  ]);
  const metric = await terraform.show("google_logging_metric.alerts_metric-trust-anchors_7899835D");
  expect(String(metric?.filter).split(" AND NOT ")[1]).toBe(
    'protoPayload.authenticationInfo.principalEmail="\\"%{if}\\"@example.com"',
  );
  const policy = await terraform.show("google_monitoring_alert_policy.alerts_policy-trust-anchors_9E26D8F0");
  expect(policy?.documentation).toMatchObject([
    { subject: "Admin console: ${metric.label.event} by ${metric.label.actor}" },
  ]);
  expect(await terraform.plan()).toBe(0);
});

test("replaces the metric for another prefix, and leaves no resource with the previous name", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(alerting({ settleSeconds: 0 }));
  const log = await terraform.apply(alerting({ settleSeconds: 0, namePrefix: "eu" }));
  expect(log).toMatch(/^google_logging_metric\.alerts_metric-eu-trust-anchors_\w+: Creation complete/m);
  expect(log).toMatch(/^google_logging_metric\.alerts_metric-trust-anchors_\w+: Destruction complete/m);
  expect(log).toMatch(/^google_monitoring_alert_policy\.\S+: Modifications complete/m);
  expect(await terraform.plan()).toBe(0);
});
