import { MonitoringAlertPolicy } from "@cdktf/provider-google/lib/monitoring-alert-policy";
import { MonitoringDashboard } from "@cdktf/provider-google/lib/monitoring-dashboard";
import { MonitoringUptimeCheckConfig } from "@cdktf/provider-google/lib/monitoring-uptime-check-config";
import { type TerraformProvider, type TerraformResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { PlannedAlerts, PlannedUptimeCheck } from "../../plan";
import { addDependency, addressOf, definedArguments, identityIn, referTo } from "../reference";
import type { SharedResources } from "../shared-resources";
import { dashboardJson } from "./dashboard";
import {
  checkDocumentation,
  expiryDocumentation,
  expiryFilter,
  type LoggedState,
  loggedStates,
  uptimeFilter,
} from "./texts";

type PolicyConfig = ConstructorParameters<typeof MonitoringAlertPolicy>[2];

interface AlertOptions {
  /** Name of the migration, or path of `CertificateAlerts`, in the names that people see. */
  readonly title: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly provider: TerraformProvider | undefined;
  readonly enableApis: boolean;
}

const apis = ["monitoring.googleapis.com", "logging.googleapis.com"] as const;
/** Entries of the expiry log come once a day. */
const daySeconds = 86_400;
/** The longest time after which Monitoring closes an incident by itself. */
const weekSeconds = 7 * daySeconds;
/** At most this many characters of a hostname are in the name of a check, from which Monitoring derives its id. */
const maxNameLength = 80;

/** Creates the alert policies, uptime checks and the dashboard of a plan. */
export class AlertResources {
  /** By hostname. */
  readonly checks: ReadonlyMap<string, MonitoringUptimeCheckConfig>;
  /** By hostname, and `close-to-expiry` and `expired` for the logs, with ` in PROJECT` for further projects. */
  readonly policies: ReadonlyMap<string, MonitoringAlertPolicy>;
  readonly dashboard: MonitoringDashboard | undefined;
  readonly #scope: Construct;
  readonly #planned: PlannedAlerts;
  readonly #shared: SharedResources;
  readonly #options: AlertOptions;

  constructor(scope: Construct, planned: PlannedAlerts, shared: SharedResources, options: AlertOptions) {
    this.#scope = scope;
    this.#planned = planned;
    this.#shared = shared;
    this.#options = options;
    const policies = new Map<string, MonitoringAlertPolicy>();
    for (const { project } of planned.projects) {
      for (const state of Object.keys(loggedStates) as LoggedState[]) {
        policies.set(project === this.#project ? state : `${state} in ${project}`, this.#logPolicy(state, project));
      }
    }
    const checks = new Map<string, MonitoringUptimeCheckConfig>();
    for (const check of planned.checks) {
      const made = this.#check(check);
      checks.set(check.hostname, made);
      policies.set(check.hostname, this.#checkPolicy(check, referTo(made, "uptime_check_id")));
    }
    this.checks = checks;
    this.policies = policies;
    this.dashboard = planned.hasDashboard && checks.size > 0 ? this.#dashboard() : undefined;
  }

  /** All alert policies, uptime checks and the dashboard. */
  get resources(): readonly TerraformResource[] {
    return [
      ...this.policies.values(),
      ...this.checks.values(),
      ...(this.dashboard === undefined ? [] : [this.dashboard]),
    ];
  }

  get #project(): string | undefined {
    return this.#planned.projects[0]?.project;
  }

  #logPolicy(state: LoggedState, project: string | undefined): MonitoringAlertPolicy {
    const { severity, what } = loggedStates[state];
    const suffix = project === this.#project ? "" : `-in-${identityIn(TerraformStack.of(this.#scope), project ?? "")}`;
    return this.#policy(`alert-${state}${suffix}`, {
      project,
      displayName: `${what} (${this.#options.title})`,
      severity,
      conditions: [{ displayName: what, conditionMatchedLog: { filter: expiryFilter(state) } }],
      alertStrategy: { notificationRateLimit: { period: `${daySeconds}s` }, autoClose: `${weekSeconds}s` },
      documentation: { content: expiryDocumentation(state), mimeType: "text/markdown" },
    });
  }

  #check({ hostname, intervalSeconds }: PlannedUptimeCheck): MonitoringUptimeCheckConfig {
    const made = new MonitoringUptimeCheckConfig(
      this.#scope,
      `uptime-check-${hostname}`,
      definedArguments<ConstructorParameters<typeof MonitoringUptimeCheckConfig>[2]>({
        project: this.#project,
        displayName: `Certificate of ${hostname.slice(0, maxNameLength)}`,
        timeout: "10s",
        period: `${intervalSeconds}s`,
        httpCheck: {
          useSsl: true,
          validateSsl: true,
          port: 443,
          path: "/",
          acceptedResponseStatusCodes: [{ statusClass: "STATUS_CLASS_ANY" }],
        },
        monitoredResource: { type: "uptime_url", labels: { host: hostname } },
        userLabels: this.#labels,
        provider: this.#options.provider,
        // A check that policies use can't be deleted before them.
        lifecycle: { createBeforeDestroy: true },
      }),
    );
    this.#enableApis(made, this.#project);
    return made;
  }

  #checkPolicy(check: PlannedUptimeCheck, checkId: string): MonitoringAlertPolicy {
    const { hostname, daysBeforeExpiry } = check;
    const aligned = { alignmentPeriod: "1200s", groupByFields: ["resource.label.host"] };
    return this.#policy(`alert-${hostname}`, {
      project: this.#project,
      displayName: `Certificate of ${hostname} (${this.#options.title})`,
      severity: "ERROR",
      conditions: [
        {
          displayName: `Expires in less than ${daysBeforeExpiry} days`,
          conditionThreshold: {
            filter: uptimeFilter("daysLeft", checkId),
            comparison: "COMPARISON_LT",
            thresholdValue: daysBeforeExpiry,
            duration: "600s",
            aggregations: [{ ...aligned, perSeriesAligner: "ALIGN_NEXT_OLDER", crossSeriesReducer: "REDUCE_MIN" }],
            trigger: { count: 1 },
          },
        },
        {
          displayName: "Failed at several locations",
          conditionThreshold: {
            filter: uptimeFilter("passed", checkId),
            comparison: "COMPARISON_GT",
            thresholdValue: 1,
            duration: "60s",
            aggregations: [
              { ...aligned, perSeriesAligner: "ALIGN_NEXT_OLDER", crossSeriesReducer: "REDUCE_COUNT_FALSE" },
            ],
            trigger: { count: 1 },
          },
        },
        {
          displayName: "No result for an hour",
          conditionAbsent: {
            filter: uptimeFilter("passed", checkId),
            duration: "3600s",
            aggregations: [{ ...aligned, perSeriesAligner: "ALIGN_NEXT_OLDER", crossSeriesReducer: "REDUCE_COUNT" }],
            trigger: { count: 1 },
          },
        },
      ],
      alertStrategy: { autoClose: `${weekSeconds}s` },
      documentation: { content: checkDocumentation(check), mimeType: "text/markdown" },
    });
  }

  #policy(id: string, config: Omit<PolicyConfig, "combiner" | "project"> & { readonly project: string | undefined }) {
    const { notificationChannels } = this.#planned;
    const made = new MonitoringAlertPolicy(
      this.#scope,
      id,
      definedArguments<PolicyConfig>({
        combiner: "OR",
        notificationChannels: notificationChannels.length === 0 ? undefined : [...notificationChannels],
        userLabels: this.#labels,
        provider: this.#options.provider,
        ...config,
      }),
    );
    this.#enableApis(made, config.project);
    return made;
  }

  #dashboard(): MonitoringDashboard {
    const daysBeforeExpiry = Math.min(...this.#planned.checks.map((check) => check.daysBeforeExpiry));
    const made = new MonitoringDashboard(
      this.#scope,
      "dashboard",
      definedArguments<ConstructorParameters<typeof MonitoringDashboard>[2]>({
        project: this.#project,
        dashboardJson: dashboardJson(`Certificates (${this.#options.title})`, daysBeforeExpiry),
        provider: this.#options.provider,
      }),
    );
    this.#enableApis(made, this.#project);
    return made;
  }

  get #labels(): { [key: string]: string } | undefined {
    const { labels } = this.#options;
    return labels === undefined || Object.keys(labels).length === 0 ? undefined : { ...labels };
  }

  #enableApis(resource: TerraformResource, project: string | undefined): void {
    if (!this.#options.enableApis) return;
    const { provider } = this.#options;
    for (const api of apis) {
      addDependency(resource, addressOf(this.#shared.enableApi(api, { owner: this.#scope, project, provider })));
    }
  }
}
