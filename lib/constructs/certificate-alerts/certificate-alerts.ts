import type { MonitoringAlertPolicy } from "@cdktf/provider-google/lib/monitoring-alert-policy";
import type { MonitoringDashboard } from "@cdktf/provider-google/lib/monitoring-dashboard";
import type { MonitoringUptimeCheckConfig } from "@cdktf/provider-google/lib/monitoring-uptime-check-config";
import { Annotations } from "cdktf";
import { Construct } from "constructs";
import { InputError } from "../../errors";
import { type PlannedAlerts, withRemedy } from "../../plan";
import { nameClass, ownStackOf } from "../kit";
import { lookUp } from "../look-up";
import { warnOfIdsOfService } from "../lost-state";
import { tokenReader } from "../reference";
import { SharedResources } from "../shared-resources";
import { withoutStackTraces } from "../stack-traces";
import { AlertResources } from "./alert-resources";
import { checkCertificateAlerts } from "./checks";
import type { CertificateAlertsProps } from "./props";

/**
 * Creates alerts in Cloud Monitoring for the certificates of migrations: policies on the expiry log of Certificate
 * Manager, an uptime check over HTTPS with validation of the certificate for chosen hostnames, a policy for each check,
 * and a dashboard. A migration with `alerts` has one of these in its property `alerts`.
 *
 * Uptime checks follow public DNS. Until traffic has moved, they test the previous provider. They exist in phase
 * `serve`; the policies on the log exist in every phase. Hostnames that a check can't reach or trust have none, and a
 * warning each: names of internal load balancers, of private CAs, and wildcards without a name to request.
 *
 * Google charges for runs of uptime checks above a free allowance, and for conditions of policies; see
 * `docs/permissions.md#costs`.
 *
 * @throws InputError in the constructor, with all errors of the props; warnings become annotations
 *
 * @example
 * ```ts
 * const shop = new ManagedCertMigration(stack, "shop", {
 *   certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
 *   dns: DnsPublication.external(),
 * });
 * new CertificateAlerts(stack, "alerts", {
 *   migrations: [shop],
 *   notificationChannels: ["projects/my-project/notificationChannels/1234"],
 * });
 * ```
 */
export class CertificateAlerts extends Construct {
  /** What is watched, and which hostnames have no uptime check. */
  readonly plan: PlannedAlerts;
  /** Uptime checks by hostname; for a wildcard, by the name in `wildcardProbes`. */
  readonly uptimeChecks: { readonly [hostname: string]: MonitoringUptimeCheckConfig };
  /**
   * Alert policies by hostname, and `close-to-expiry` and `expired` for the expiry log, with ` in PROJECT` for further
   * projects.
   */
  readonly policies: { readonly [name: string]: MonitoringAlertPolicy };
  /** The dashboard; undefined without uptime checks, and with `dashboard: false`. */
  readonly dashboard: MonitoringDashboard | undefined;

  /**
   * @param scope construct that gets the alerts
   * @param id unique in its scope
   * @param props the properties
   */
  constructor(scope: Construct, id: string, props: CertificateAlertsProps) {
    super(scope, id);
    const stack = ownStackOf(this);
    const { usable, planned, findings } = checkCertificateAlerts(this, props, tokenReader(stack));
    const errors = findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      throw new InputError(
        errors.map((error) => ({ code: error.code, message: `${this.node.path}: ${withRemedy(error)}` })),
      );
    }
    for (const warning of findings) {
      Annotations.of(this).addWarning(`${withRemedy(warning)} [${warning.code}]`);
    }
    this.plan = planned;
    for (const migration of usable.migrations) SharedResources.of(migration).watchers.set(migration, this.node.path);
    const { labels, provider, enableApis = false } = usable;
    // In a module, the path of a migration is the same for all migrations.
    const [first] = usable.migrations;
    const title = first !== undefined && scope === first ? first.plan.name : this.node.path;
    const made = withoutStackTraces(
      () => new AlertResources(this, planned, SharedResources.of(this), { title, labels, provider, enableApis }),
    );
    this.uptimeChecks = Object.fromEntries(made.checks);
    this.policies = Object.fromEntries(made.policies);
    this.dashboard = made.dashboard;
    warnOfIdsOfService(this, made.resources);
  }

  /**
   * Returns the uptime check of a hostname.
   *
   * @param hostname key in `uptimeChecks`
   * @throws InputError `lookup-name-unknown`
   */
  uptimeCheck(hostname: string): MonitoringUptimeCheckConfig {
    return lookUp(this, "uptime check", this.uptimeChecks, hostname);
  }

  /**
   * Returns the alert policy of a hostname, or `close-to-expiry` or `expired`.
   *
   * @param name key in `policies`
   * @throws InputError `lookup-name-unknown`
   */
  policy(name: string): MonitoringAlertPolicy {
    return lookUp(this, "alert policy", this.policies, name);
  }
}
nameClass(CertificateAlerts, "CertificateAlerts");
