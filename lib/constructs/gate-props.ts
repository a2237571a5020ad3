import type { ITerraformDependable } from "cdktf";
import type { IConstruct } from "constructs";
import type { MigrationMilestone } from "./milestone";

/** Props of `CommandGate`. */
export interface CommandGateProps {
  /**
   * Command line that Terraform runs; a failure stops everything that depends on the gate. A shell reads it, so it is
   * constant text: references and tokens belong into `environment`. Write `$${` for the `${` of a shell.
   *
   * @reference checked
   */
  readonly command: string;
  /**
   * Environment variables of the command. The values may contain references and tokens.
   *
   * @default - the environment of Terraform alone
   * @reference checked
   */
  readonly environment?: { readonly [name: string]: string };
  /** The command runs again when one of these values changes, and only then. @reference checked */
  readonly triggers: readonly string[];
  /**
   * What Terraform creates before the command runs: constructs with all resources in them, milestones of migrations,
   * resources, data sources, modules, or addresses such as `google_dns_record_set.www`. Of constructs in another stack,
   * the whole stack is applied before.
   *
   * @default - none
   * @reference checked
   */
  readonly dependsOn?: readonly (string | IConstruct | ITerraformDependable | MigrationMilestone)[];
}
