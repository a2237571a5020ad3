import { LoggingMetric } from "@cdktf/provider-google/lib/logging-metric";
import { LoggingOrganizationSink } from "@cdktf/provider-google/lib/logging-organization-sink";
import { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import { MonitoringAlertPolicy } from "@cdktf/provider-google/lib/monitoring-alert-policy";
import { ProjectIamMember } from "@cdktf/provider-google/lib/project-iam-member";
import { Annotations, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { InputError, type Problem } from "../../errors";
import { deriveResourceName, escapeTemplate } from "../../plan";
import { writeLocatedPath } from "../../resource-names";
import { CommandGate } from "../gate";
import { ownStackOf, requireOwnKit } from "../kit";
import { lookUp } from "../look-up";
import { warnOfIdsOfService } from "../lost-state";
import {
  acrossStacks,
  addDependency,
  addressOf,
  definedArguments,
  fixLogicalId,
  identityIn,
  inSameStack,
  referTo,
  tokenReader,
} from "../reference";
import { withoutStackTraces } from "../stack-traces";
import type { AlertedEvents } from "./events";
import type { AdminChangeAlertsProps } from "./props";

const maxDisplayNameLength = 512;

/** Labels of the metrics. Their keys are part of the names, because a changed label needs another metric. */
const metricLabels = [
  {
    key: "event",
    description: "Name of the change, as in assignRole",
    extractor: 'REGEXP_EXTRACT(protoPayload.methodName, "google[.]admin[.]AdminService[.](.+)")',
  },
  {
    key: "actor",
    description: "Who made it",
    extractor: "EXTRACT(protoPayload.authenticationInfo.principalEmail)",
  },
];

/**
 * Creates alerts for changes in the Admin console that affect a certificate migration: a log-based metric and an
 * alert policy for each class of events, with a text that explains the change and the remedy.
 *
 * The events are entries of the organization's log, which the metrics of a project can't read. A sink of the
 * organization therefore routes all Admin console events to a log bucket of the project, on which the metrics are
 * created. Metrics count from their creation; earlier entries raise no alert. The author of a change becomes a label
 * of the metric.
 *
 * Manual steps:
 *
 * - As a super administrator, share data with Google Cloud in the Admin console (Account, Account settings, Legal and
 *   compliance, Sharing options). Without it no event arrives. Make a test change to check the alert.
 * - Grant `roles/logging.configWriter` at the organization and the project, and `roles/monitoring.alertPolicyEditor`
 *   and `roles/resourcemanager.projectIamAdmin` at the project, to the account that applies. Enable the APIs
 *   `logging` and `monitoring`.
 * - Create the notification channels.
 *
 * After a destroy, Cloud Logging keeps the log bucket for seven days and accepts no new bucket with its name. To deploy
 * again within that time, increase `logBucketGeneration`.
 *
 * An alert follows a change within minutes; some entries arrive late or never. `cert-migration audit guard` reads the
 * audit log itself.
 *
 * @throws InputError in the constructor, with all errors of the props
 *
 * @example
 * ```ts
 * new AdminChangeAlerts(stack, "alerts", {
 *   organizationId: "123456789012",
 *   project: "my-project",
 *   events: ["trust-anchors", "authority"],
 *   notificationChannels: ["projects/my-project/notificationChannels/1234"],
 * });
 * ```
 */
export class AdminChangeAlerts extends Construct {
  /** Metrics by class of events; `events` for events that are listed individually. */
  readonly metrics: { readonly [name: string]: LoggingMetric };
  /** Alert policies by the names of `metrics`. */
  readonly policies: { readonly [name: string]: MonitoringAlertPolicy };
  /** The created log bucket; undefined with an existing bucket. */
  readonly logBucket: LoggingProjectBucketConfig | undefined;
  /** The sink that fills the log bucket; undefined with an existing bucket. */
  readonly sink: LoggingOrganizationSink | undefined;
  /** The permission of the sink to write to the log bucket; undefined with an existing bucket. */
  readonly sinkWriter: ProjectIamMember | undefined;
  /** The delay between new metrics and alert policies; undefined with `settleSeconds: 0`. */
  readonly settling: CommandGate | undefined;
  readonly #props: AdminChangeAlertsProps;
  readonly #logBucketId: string;

  /**
   * @param scope construct that gets the alerts
   * @param id unique in its scope
   * @param props the properties
   */
  constructor(scope: Construct, id: string, props: AdminChangeAlertsProps) {
    super(scope, id);
    const stack = ownStackOf(this);
    // Every app imports this file. The catalogue of audit events is loaded only for apps with alerts.
    const { checkAlertProps }: typeof import("./checks") = require("./checks");
    const { usable, problems } = checkAlertProps(props, tokenReader(stack));
    this.#props = usable;
    if (typeof usable.logBucket === "object") {
      requireOwnKit(usable.logBucket, `${this.node.path}: 'logBucket'`);
      fixLogicalId(usable.logBucket);
    }
    const alerts = this.#decide(problems);
    if (!usable.notificationChannels?.length) {
      Annotations.of(this).addWarning(
        "no one is notified: incidents appear only in Monitoring; pass 'notificationChannels' [notification-channels-missing]",
      );
    }
    const made = withoutStackTraces(() => {
      const transport = usable.logBucket === undefined ? this.#makeTransport() : undefined;
      const logBucketId = transport === undefined ? this.#existingBucketId() : referTo(transport.logBucket, "id");
      const metrics = new Map(alerts.map((alert) => [alert.key, this.#makeMetric(alert, logBucketId)]));
      const settling = this.#makeSettling([...metrics.values()]);
      const policies = new Map(
        alerts.map((alert) => [alert.key, this.#makePolicy(alert, metrics.get(alert.key) as LoggingMetric, settling)]),
      );
      return { transport, logBucketId, metrics, settling, policies };
    });
    this.logBucket = made.transport?.logBucket;
    this.sink = made.transport?.sink;
    this.sinkWriter = made.transport?.sinkWriter;
    this.#logBucketId = made.logBucketId;
    this.metrics = Object.fromEntries(made.metrics);
    this.settling = made.settling;
    this.policies = Object.fromEntries(made.policies);
    warnOfIdsOfService(this, [...made.policies.values()]);
  }

  /**
   * Returns the metric of a class of events, or of `events`.
   *
   * @param name class of events, or `events`
   * @throws InputError `lookup-name-unknown`
   */
  metric(name: string): LoggingMetric {
    return lookUp(this, "metric", this.metrics, name);
  }

  /**
   * Returns the alert policy of a class of events, or of `events`.
   *
   * @param name class of events, or `events`
   * @throws InputError `lookup-name-unknown`
   */
  policy(name: string): MonitoringAlertPolicy {
    return lookUp(this, "alert policy", this.policies, name);
  }

  /** Returns the id of the log bucket, for further `AdminChangeAlerts` in any stack of the app. */
  get logBucketId(): string {
    return acrossStacks(TerraformStack.of(this), this.#logBucketId);
  }

  #decide(ofProps: readonly Problem[]): readonly AlertedEvents[] {
    const problems = [...ofProps];
    const { alertedEvents }: typeof import("./events") = require("./events");
    const alerts = alertedEvents(this.#props.events);
    const { maxFilterLength }: typeof import("./filter") = require("./filter");
    const longest = Math.max(0, ...alerts.map((alert) => this.#filterOf(alert).length));
    if (longest > maxFilterLength) {
      const what = `the log filter has ${longest} characters, and at most ${maxFilterLength} are allowed`;
      problems.push({ code: "filter-too-long", message: `${what}; use fewer 'ignoredActors'` });
    }
    const longestName = Math.max(0, ...alerts.map((alert) => this.#displayNameOf(alert).length));
    if (longestName > maxDisplayNameLength) {
      const what = `with the construct's path, names of alert policies have ${longestName} characters`;
      const advice = `at most ${maxDisplayNameLength} are allowed; give the construct a shorter id`;
      problems.push({ code: "name-too-long", message: `${what}, and ${advice}` });
    }
    if (problems.length > 0) {
      throw new InputError(problems.map(({ code, message }) => ({ code, message: `${this.node.path}: ${message}` })));
    }
    return alerts;
  }

  /** Creates the log bucket of the project and the sink that routes the entries of the organization to the bucket. */
  #makeTransport() {
    const { organizationId, project, logRetentionDays = 30 } = this.#props;
    const { logBucketLocation: location = "global", logBucketGeneration: generation = 1 } = this.#props;
    const bucketId = this.#nameOf("admin-changes", [
      "log-bucket",
      this.#identityOf(project),
      this.#identityOf(location),
      ...(generation === 1 ? [] : [`generation-${generation}`]),
    ]);
    const logBucket = new LoggingProjectBucketConfig(this, "log-bucket", {
      project,
      location,
      bucketId,
      retentionDays: logRetentionDays,
      description: "Changes that administrators made in the Admin console",
      lifecycle: { createBeforeDestroy: true },
    });
    const { adminLogFilter }: typeof import("./filter") = require("./filter");
    const sink = new LoggingOrganizationSink(this, "sink", {
      orgId: organizationId,
      name: this.#nameOf("admin-changes", ["sink", this.#identityOf(organizationId), this.#identityOf(project)]),
      destination: `logging.googleapis.com/${referTo(logBucket, "id")}`,
      filter: adminLogFilter(organizationId),
      includeChildren: false,
      description: "Brings changes that administrators made in the Admin console into a log bucket",
      lifecycle: { createBeforeDestroy: true },
    });
    // All sinks of an organization may have the same identity: the condition limits each grant to its own bucket.
    // Without create_before_destroy, because deleting the previous grant would also delete an equal new grant.
    const sinkWriter = new ProjectIamMember(this, "sink-writer", {
      project,
      role: "roles/logging.bucketWriter",
      member: referTo(sink, "writer_identity"),
      condition: {
        title: bucketId,
        description: "Only the log bucket of changes in the Admin console",
        expression: `resource.name.endsWith("${writeLocatedPath({ location, collection: "buckets", name: bucketId })}")`,
      },
    });
    return { logBucket, sink, sinkWriter };
  }

  #existingBucketId(): string {
    const { logBucket } = this.#props;
    if (typeof logBucket !== "object") return logBucket ?? "";
    return inSameStack(this, logBucket) ? referTo(logBucket, "id") : logBucket.id;
  }

  #makeMetric(alert: AlertedEvents, bucketName: string): LoggingMetric {
    const { project, namePrefix } = this.#props;
    // The provider renames a metric by creating another metric, and does not delete the first. Each name therefore has
    // its own address.
    const id = namePrefix === undefined ? `metric-${alert.key}` : `metric-${namePrefix}-${alert.key}`;
    return new LoggingMetric(this, id, {
      project,
      name: this.#nameOf(alert.key, ["metric", alert.key, ...metricLabels.map(({ key }) => key)]),
      description: `Changes in the Admin console: ${alert.why}`,
      bucketName,
      filter: this.#filterOf(alert),
      metricDescriptor: {
        metricKind: "DELTA",
        valueType: "INT64",
        unit: "1",
        labels: metricLabels.map(({ key, description }) => ({ key, valueType: "STRING", description })),
      },
      labelExtractors: Object.fromEntries(metricLabels.map(({ key, extractor }) => [key, extractor])),
      lifecycle: { createBeforeDestroy: true },
    });
  }

  #makeSettling(metrics: readonly LoggingMetric[]): CommandGate | undefined {
    const { settleSeconds = 60 } = this.#props;
    if (settleSeconds === 0) return undefined;
    return new CommandGate(this, "settling", {
      // Syntax that the shells of Linux, macOS and Windows have in common.
      command: 'node -e "setTimeout(Object, 1000 * process.env.CERT_MIGRATION_SETTLE_SECONDS)"',
      environment: { CERT_MIGRATION_SETTLE_SECONDS: String(settleSeconds) },
      triggers: metrics.map((metric) => referTo(metric, "id")),
    });
  }

  #makePolicy(alert: AlertedEvents, metric: LoggingMetric, settling: CommandGate | undefined): MonitoringAlertPolicy {
    const { project, organizationId, notificationChannels, labels, enabled = true, severity = "WARNING" } = this.#props;
    const { thresholdCount = 0, alignmentSeconds = 600, autoCloseSeconds = 1_800 } = this.#props;
    const { alertDocumentation, alertSubject }: typeof import("./events") = require("./events");
    const policy = new MonitoringAlertPolicy(
      this,
      `policy-${alert.key}`,
      definedArguments<ConstructorParameters<typeof MonitoringAlertPolicy>[2]>({
        project,
        displayName: this.#displayNameOf(alert),
        enabled,
        severity,
        combiner: "OR",
        conditions: [
          {
            displayName: `More than ${thresholdCount} in ${alignmentSeconds} s by one actor`,
            conditionThreshold: {
              // A metric on a log bucket counts every entry for the bucket, whatever its resource.
              filter: `metric.type="logging.googleapis.com/user/${referTo(metric, "name")}" AND resource.type="logging_bucket"`,
              comparison: "COMPARISON_GT",
              thresholdValue: thresholdCount,
              duration: "0s",
              aggregations: [{ alignmentPeriod: `${alignmentSeconds}s`, perSeriesAligner: "ALIGN_SUM" }],
              trigger: { count: 1 },
            },
          },
        ],
        alertStrategy: { autoClose: `${autoCloseSeconds}s` },
        documentation: {
          content: alertDocumentation(alert, organizationId),
          mimeType: "text/markdown",
          subject: alertSubject,
        },
        notificationChannels: notificationChannels?.length ? [...notificationChannels] : undefined,
        userLabels: labels === undefined || Object.keys(labels).length === 0 ? undefined : { ...labels },
      }),
    );
    if (settling !== undefined) addDependency(policy, addressOf(settling));
    return policy;
  }

  #filterOf({ events }: AlertedEvents): string {
    const { adminChangeFilter }: typeof import("./filter") = require("./filter");
    return adminChangeFilter(this.#props.organizationId, events, this.#props.ignoredActors);
  }

  #displayNameOf({ key }: AlertedEvents): string {
    return escapeTemplate(`Admin console changes: ${key} (${this.node.path})`);
  }

  #nameOf(readable: string, identity: readonly string[]): string {
    return deriveResourceName({
      prefix: this.#props.namePrefix,
      readable: `${readable}-${this.node.path}`,
      identity: [this.node.path, ...identity],
    });
  }

  #identityOf(reference: string): string {
    return identityIn(TerraformStack.of(this), reference);
  }
}
