import { DataGoogleOrganization } from "@cdktf/provider-google/lib/data-google-organization";
import { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import { MonitoringNotificationChannel } from "@cdktf/provider-google/lib/monitoring-notification-channel";
import { Project } from "@cdktf/provider-google/lib/project";
import type { TerraformStack } from "cdktf";
import { AdminChangeAlerts, type AdminChangeAlertsProps } from "../../../lib";
import { watchClassNames } from "../../../lib/audit/catalogue";
import pinned from "../../fixtures/addresses/admin-change-alerts.json";
import { alert, alerting, channel } from "../../support/admin-change-alerts";
import { newApp, newStack, onlyAddress, onlyResource, resourcesOf, synthesize } from "../../support/synth";
import { mistakesOf } from "../../support/terraform-check";

const settlingFor = (seconds: string) => ({
  "local-exec": {
    command: 'node -e "setTimeout(Object, 1000 * process.env.CERT_MIGRATION_SETTLE_SECONDS)"',
    environment: { CERT_MIGRATION_SETTLE_SECONDS: seconds },
  },
});

/** Addresses and names are contract: a change here replaces the resources of every user. */
test("addresses and names equal those of every earlier release", () => {
  const named = Object.entries(alerting({ events: [...watchClassNames, "CREATE_BUILDING"] }).resource ?? {}).flatMap(
    ([type, resources]) =>
      Object.entries(resources).map(([id, block]) => [
        `${type}.${id}`,
        block.name ?? block.bucket_id ?? block.display_name ?? "-",
      ]),
  );
  expect(Object.fromEntries(named.sort())).toEqual(pinned);
});

test("is valid for Terraform with every class and with single events", () => {
  expect(mistakesOf(alerting({ events: [...watchClassNames, "CREATE_BUILDING"], labels: { team: "web" } }))).toEqual(
    [],
  );
});

const synthesized = alerting();
const bucket = onlyAddress(synthesized, "google_logging_project_bucket_config");
const sink = onlyAddress(synthesized, "google_logging_organization_sink");
const metric = onlyAddress(synthesized, "google_logging_metric");
const settling = onlyAddress(synthesized, "terraform_data");
const everyChange =
  'logName="organizations/123456789012/logs/cloudaudit.googleapis.com%2Factivity" AND resource.type="audited_resource" AND protoPayload.serviceName="admin.googleapis.com"';

test("by default, AdminChangeAlerts creates a log bucket in the project", () => {
  expect(onlyResource(synthesized, "google_logging_project_bucket_config")).toEqual({
    project: "my-project",
    location: "global",
    bucket_id: "admin-changes-prod-alerts-bb2b6f193c89",
    retention_days: 30,
    description: "Changes that administrators made in the Admin console",
    lifecycle: { create_before_destroy: true },
  });
});

test("by default, AdminChangeAlerts routes every change in the Admin console to it with a sink of the organization, and nothing of folders and projects", () => {
  expect(onlyResource(synthesized, "google_logging_organization_sink")).toEqual({
    org_id: "123456789012",
    name: "admin-changes-prod-alerts-5951c9ad383f",
    destination: `logging.googleapis.com/\${${bucket}.id}`,
    filter: everyChange,
    include_children: false,
    description: "Brings changes that administrators made in the Admin console into a log bucket",
    lifecycle: { create_before_destroy: true },
  });
});

test("by default, AdminChangeAlerts grants the sink write access to this bucket only", () => {
  expect(onlyResource(synthesized, "google_project_iam_member")).toEqual({
    project: "my-project",
    role: "roles/logging.bucketWriter",
    member: `\${${sink}.writer_identity}`,
    condition: {
      title: "admin-changes-prod-alerts-bb2b6f193c89",
      description: "Only the log bucket of changes in the Admin console",
      expression: 'resource.name.endsWith("locations/global/buckets/admin-changes-prod-alerts-bb2b6f193c89")',
    },
  });
});

test("by default, AdminChangeAlerts counts the changes by event and actor with a metric on the bucket", () => {
  expect(onlyResource(synthesized, "google_logging_metric")).toEqual({
    project: "my-project",
    name: "trust-anchors-prod-alerts-fb7b9895b1af",
    description:
      "Changes in the Admin console: certificates that managed devices trust: clients that trust a private CA fail if its certificate is removed too early or added too late",
    bucket_name: `\${${bucket}.id}`,
    filter:
      `${everyChange} AND (protoPayload.methodName=("google.admin.AdminService.addMobileCertificate" OR "google.admin.AdminService.removeMobileCertificate")` +
      ' OR protoPayload.metadata.event.eventName=("ADD_MOBILE_CERTIFICATE" OR "REMOVE_MOBILE_CERTIFICATE"))',
    metric_descriptor: {
      metric_kind: "DELTA",
      value_type: "INT64",
      unit: "1",
      labels: [
        { key: "event", value_type: "STRING", description: "Name of the change, as in assignRole" },
        { key: "actor", value_type: "STRING", description: "Who made it" },
      ],
    },
    label_extractors: {
      event: 'REGEXP_EXTRACT(protoPayload.methodName, "google[.]admin[.]AdminService[.](.+)")',
      actor: "EXTRACT(protoPayload.authenticationInfo.principalEmail)",
    },
    lifecycle: { create_before_destroy: true },
  });
});

test("by default, AdminChangeAlerts waits a minute in Terraform before it creates a policy on a new metric", () => {
  expect(onlyResource(synthesized, "terraform_data")).toEqual({
    triggers_replace: [`\${${metric}.id}`],
    provisioner: [settlingFor("60")],
    lifecycle: { create_before_destroy: true },
  });
});

test("by default, AdminChangeAlerts raises an alert that describes the change after a single change", () => {
  const { documentation, ...policy } = onlyResource(synthesized, "google_monitoring_alert_policy");
  expect(policy).toEqual({
    project: "my-project",
    display_name: "Admin console changes: trust-anchors (prod/alerts)",
    enabled: true,
    severity: "WARNING",
    combiner: "OR",
    conditions: [
      {
        display_name: "More than 0 in 600 s by one actor",
        condition_threshold: {
          filter: `metric.type="logging.googleapis.com/user/\${${metric}.name}" AND resource.type="logging_bucket"`,
          comparison: "COMPARISON_GT",
          threshold_value: 0,
          duration: "0s",
          aggregations: [{ alignment_period: "600s", per_series_aligner: "ALIGN_SUM" }],
          trigger: { count: 1 },
        },
      },
    ],
    alert_strategy: { auto_close: "1800s" },
    notification_channels: [channel],
    depends_on: [settling],
  });
  expect(documentation).toEqual({
    content: expect.stringMatching(/^`\$\$\{metric\.label\.actor\}` made a change .*\n- `ADD_MOBILE_CERTIFICATE`: /s),
    mime_type: "text/markdown",
    subject: "Admin console: $${metric.label.event} by $${metric.label.actor}",
  });
});

test("by default, AdminChangeAlerts watches every class, each with its own alert", () => {
  const stack = newStack();
  const alerts = new AdminChangeAlerts(stack, "alerts", { organizationId: "123456789012", project: "my-project" });
  expect(Object.keys(alerts.metrics)).toEqual(watchClassNames);
  expect(Object.keys(alerts.policies)).toEqual(watchClassNames);
  expect(alerts.metric("fleet").node.id).toBe("metric-fleet");
  expect(alerts.policy("fleet").node.id).toBe("policy-fleet");
  expect(() => alerts.policy("fleets")).toThrow(
    "prod/alerts: unknown alert policy 'fleets'; did you mean 'fleet'? known: 'trust-anchors', 'authority', 'interop-endpoint', 'network-trust', 'mail-path', 'fleet'",
  );
});

test("by default, AdminChangeAlerts notifies no channel, and warns of that", () => {
  const warnings = (change: Partial<AdminChangeAlertsProps>) =>
    alert(newStack(), change).node.metadata.map(({ data }) => String(data));
  expect(warnings({ notificationChannels: [] })).toEqual([
    "no one is notified: incidents appear only in Monitoring; pass 'notificationChannels' [notification-channels-missing]",
  ]);
  expect(warnings({})).toEqual([]);
  expect(mistakesOf(alerting({ notificationChannels: [] }))).toEqual([]);
});

describe("options of the alert policy", () => {
  const policyWith = (change: Partial<AdminChangeAlertsProps>) =>
    onlyResource(alerting(change), "google_monitoring_alert_policy");
  const unchanged = policyWith({});

  test.each<[string, Partial<AdminChangeAlertsProps>, Record<string, unknown>]>([
    ["the severity", { severity: "CRITICAL" }, { severity: "CRITICAL" }],
    ["whether it is at work", { enabled: false }, { enabled: false }],
    ["the labels", { labels: { team: "web" } }, { user_labels: { team: "web" } }],
    ["no labels", { labels: {} }, {}],
    ["when incidents close", { autoCloseSeconds: 7200 }, { alert_strategy: { auto_close: "7200s" } }],
  ])("set %s", (_, change, expected) => {
    expect(policyWith(change)).toEqual({ ...unchanged, ...expected });
  });

  test("set how many changes within what time raise the alert", () => {
    const [condition] = policyWith({ thresholdCount: 4, alignmentSeconds: 3600 }).conditions as [
      { display_name: string; condition_threshold: object },
    ];
    expect(condition.display_name).toBe("More than 4 in 3600 s by one actor");
    expect(condition.condition_threshold).toMatchObject({
      threshold_value: 4,
      aggregations: [{ alignment_period: "3600s", per_series_aligner: "ALIGN_SUM" }],
    });
  });

  test("set a longer wait before it, or none", () => {
    const longer = onlyResource(alerting({ settleSeconds: 300 }), "terraform_data");
    expect(longer.provisioner).toEqual([settlingFor("300")]);
    const without = alerting({ settleSeconds: 0 });
    expect(resourcesOf(without, "terraform_data")).toEqual({});
    const { depends_on: _, ...rest } = unchanged;
    expect(onlyResource(without, "google_monitoring_alert_policy")).toEqual(rest);
  });
});

test("of the log bucket set location and retention; another location creates another bucket", () => {
  const bucketIn = (change: Partial<AdminChangeAlertsProps>) =>
    onlyResource(alerting(change), "google_logging_project_bucket_config");
  const unchanged = bucketIn({});
  expect(bucketIn({ logRetentionDays: 400 })).toEqual({ ...unchanged, retention_days: 400 });
  const { bucket_id, ...regional } = bucketIn({ logBucketLocation: "europe-west1" });
  expect({ ...regional, bucket_id: unchanged.bucket_id }).toEqual({ ...unchanged, location: "europe-west1" });
  expect(bucket_id).not.toBe(unchanged.bucket_id);
  expect(
    onlyResource(alerting({ logBucketLocation: "europe-west1" }), "google_project_iam_member").condition,
  ).toMatchObject({ expression: `resource.name.endsWith("locations/europe-west1/buckets/${bucket_id}")` });
});

test("give another generation of the log bucket another name, so that a deleted bucket does not block it", () => {
  const nameOf = (change: Partial<AdminChangeAlertsProps>) =>
    onlyResource(alerting(change), "google_logging_project_bucket_config").bucket_id;

  expect(nameOf({ logBucketGeneration: 1 })).toBe(nameOf({}));
  expect(new Set([nameOf({}), nameOf({ logBucketGeneration: 2 }), nameOf({ logBucketGeneration: 3 })]).size).toBe(3);
});

test("exclude ignored actors from the metric, not from the log bucket", () => {
  const synthesized = alerting({ ignoredActors: ["terraform@my-project.iam.gserviceaccount.com"] });
  const except =
    ' AND NOT protoPayload.authenticationInfo.principalEmail="terraform@my-project.iam.gserviceaccount.com"';
  expect(String(onlyResource(synthesized, "google_logging_metric").filter).endsWith(except)).toBe(true);
  expect(onlyResource(synthesized, "google_logging_organization_sink")).toEqual(
    onlyResource(alerting(), "google_logging_organization_sink"),
  );
});

const resourceCounts = (synthesized: ReturnType<typeof synthesize>) =>
  Object.fromEntries(Object.entries(synthesized.resource ?? {}).map(([type, all]) => [type, Object.keys(all).length]));

test("an existing log bucket is used unchanged: no bucket, sink or grant is created", () => {
  const logBucket = "projects/my-project/locations/global/buckets/_Default";
  const synthesized = alerting({ logBucket });
  expect(resourceCounts(synthesized)).toEqual({
    google_logging_metric: 1,
    google_monitoring_alert_policy: 1,
    terraform_data: 1,
  });
  expect(onlyResource(synthesized, "google_logging_metric").bucket_name).toBe(logBucket);
  expect(mistakesOf(synthesized)).toEqual([]);
});

test("an existing log bucket may belong to another AdminChangeAlerts", () => {
  const stack = newStack();
  const { logBucketId } = alert(stack);
  alert(stack, { events: ["CREATE_BUILDING"], logBucket: logBucketId }, "buildings");
  const synthesized = synthesize(stack);
  expect(resourceCounts(synthesized)).toEqual({
    google_logging_project_bucket_config: 1,
    google_logging_organization_sink: 1,
    google_project_iam_member: 1,
    google_logging_metric: 2,
    google_monitoring_alert_policy: 2,
    terraform_data: 2,
  });
  const names = Object.values(resourcesOf(synthesized, "google_logging_metric")).map(({ bucket_name }) => bucket_name);
  expect(new Set(names)).toEqual(
    new Set([`\${${onlyAddress(synthesized, "google_logging_project_bucket_config")}.id}`]),
  );
  expect(mistakesOf(synthesized)).toEqual([]);
});

test("an existing log bucket may belong to the app, in this stack or in another", () => {
  const app = newApp();
  const own = newStack(app, "own");
  const other = newStack(app, "other");
  const logBucket = new LoggingProjectBucketConfig(own, "bucket", {
    project: "my-project",
    location: "global",
    bucketId: "audit",
  });
  alert(own, { logBucket });
  alert(other, { logBucket });
  // CDKTF resolves references between stacks when it prepares the app.
  for (const stack of [own, other]) stack.prepareStack();
  expect(onlyResource(synthesize(own), "google_logging_metric").bucket_name).toBe(
    "${google_logging_project_bucket_config.bucket.id}",
  );
  expect(onlyResource(synthesize(other), "google_logging_metric").bucket_name).toMatch(
    /^\$\{data\.terraform_remote_state\./,
  );
});

test("accepts values that only Terraform knows", () => {
  const stack = newStack();
  const organization = new DataGoogleOrganization(stack, "organization", { domain: "example.com" });
  const project = new Project(stack, "project", { name: "Audit", projectId: "audit" });
  const email = new MonitoringNotificationChannel(stack, "email", {
    type: "email",
    labels: { email_address: "security@example.com" },
  });
  alert(stack, {
    organizationId: organization.orgId,
    project: project.projectId,
    notificationChannels: [email.id],
    ignoredActors: [`terraform@${project.projectId}.iam.gserviceaccount.com`],
  });
  const synthesized = synthesize(stack);
  expect(mistakesOf(synthesized)).toEqual([]);
  const [organizationId, projectId] = [
    "${data.google_organization.organization.org_id}",
    "${google_project.project.project_id}",
  ];
  const sink = onlyResource(synthesized, "google_logging_organization_sink");
  expect([sink.org_id, sink.filter]).toEqual([
    organizationId,
    expect.stringMatching(/^logName="organizations\/\$\{data\.google_organization\.organization\.org_id\}\/logs\//),
  ]);
  const metric = onlyResource(synthesized, "google_logging_metric");
  expect([metric.project, String(metric.filter).split(" AND NOT ")[1]]).toEqual([
    projectId,
    `protoPayload.authenticationInfo.principalEmail="terraform@${projectId}.iam.gserviceaccount.com"`,
  ]);
  const policy = onlyResource(synthesized, "google_monitoring_alert_policy");
  expect(policy.notification_channels).toEqual(["${google_monitoring_notification_channel.email.id}"]);
  expect((policy.documentation as { content: string }).content).toContain(`organization ${organizationId}:`);
  // Names are derived from resolved tokens, which are the same in every run.
  const again = newStack();
  alert(again, { organizationId, project: projectId, ignoredActors: [] });
  expect(onlyResource(synthesize(again), "google_logging_organization_sink").name).toBe(sink.name);
});

describe("names", () => {
  const namesOf = (stack: TerraformStack) =>
    Object.values(synthesize(stack).resource ?? {})
      .flatMap((resources) => Object.values(resources))
      .flatMap((block) => [block.name ?? block.bucket_id ?? []].flat() as string[]);

  test("differ between two constructs, also if their paths read alike", () => {
    const stack = newStack();
    alert(stack, {}, "a-b");
    alert(stack, {}, "a_b");
    const names = namesOf(stack);
    expect(names).toHaveLength(6);
    expect(new Set(names).size).toBe(6);
  });

  test("begin with the prefix, and a new prefix changes a metric's address, because the provider can't rename a metric", () => {
    const [plain, prefixed] = [alerting(), alerting({ namePrefix: "eu" })];
    const metric = "google_logging_metric";
    expect(onlyResource(prefixed, metric).name).toBe(`eu-${onlyResource(plain, metric).name}`);
    expect(onlyAddress(prefixed, metric)).not.toBe(onlyAddress(plain, metric));
    const bucket = "google_logging_project_bucket_config";
    expect(onlyResource(prefixed, bucket).bucket_id).toBe(`eu-${onlyResource(plain, bucket).bucket_id}`);
    expect(onlyAddress(prefixed, bucket)).toBe(onlyAddress(plain, bucket));
    expect(mistakesOf(prefixed)).toEqual([]);
  });

  test("fit the service's limit, however long the path is", () => {
    const stack = newStack();
    alert(stack, { namePrefix: "a-prefix-of-twenty-c" }, "x".repeat(400));
    expect(namesOf(stack).filter((name) => !/^a-prefix-of-twenty-c-[a-z0-9-]{1,42}$/.test(name))).toEqual([]);
  });
});
