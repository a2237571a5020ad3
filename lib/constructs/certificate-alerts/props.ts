import type { TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import type { AlertsSpec, MigrationPlan } from "../../plan";

/** A migration whose certificates can be watched: `ManagedCertMigration`. */
export interface IWatchedMigration extends IConstruct {
  /** The plan of the migration. */
  readonly plan: MigrationPlan;
}

/** Props of `CertificateAlerts`. */
export interface CertificateAlertsProps extends AlertsSpec {
  /**
   * Migrations whose certificates are watched; at least one. `WildcardCertWithAuth` has its migration in the property
   * `migration`. A migration with `alerts` of its own, or of another `CertificateAlerts`, would be watched twice, which
   * is an error.
   */
  readonly migrations: readonly IWatchedMigration[];

  /**
   * Google provider of the stack that creates the resources.
   *
   * @default - the stack's google provider without alias
   */
  readonly provider?: TerraformProvider;

  /** Labels of uptime checks and alert policies, at most 64. @default - none @reference variables */
  readonly labels?: { readonly [key: string]: string };

  /** Whether to enable the APIs `monitoring` and `logging`, which a destroy never disables. @default false */
  readonly enableApis?: boolean;
}
