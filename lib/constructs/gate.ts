import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { ownStackOf } from "./kit";

/** Default command of gates, without the option `gateCommand`. */
export const defaultGateCommand = "npx --no-install cert-migration";

/** Props of {@link CommandGate}. */
export interface CommandGateProps {
  /** What Terraform runs; a failure stops everything that depends on the gate. */
  readonly command: string;
  /** The command runs again when one of these values changes, and only then. */
  readonly triggers: readonly string[];
  /** Addresses of resources that Terraform creates before the command runs. */
  readonly dependsOn?: readonly string[];
}

/**
 * A `terraform_data` resource that runs a command once, and again only after a changed trigger, so that a certificate
 * renewal never changes a plan.
 *
 * It replaces cdktf's class for this type, which runs the Terraform binary in every synthesis and fails without the
 * binary.
 *
 * @example
 * ```ts
 * new CommandGate(stack, "gate", {
 *   command: "npx --no-install cert-migration wait --stack .",
 *   triggers: ["generation-1"],
 * });
 * ```
 */
export class CommandGate extends TerraformResource {
  /** Terraform type of the resource. */
  static readonly tfResourceType = "terraform_data";
  readonly #triggers: readonly string[];

  constructor(scope: Construct, id: string, props: CommandGateProps) {
    super(scope, id, {
      terraformResourceType: CommandGate.tfResourceType,
      lifecycle: { createBeforeDestroy: true },
      provisioners: [{ type: "local-exec", command: props.command }],
    });
    ownStackOf(this);
    if (props.dependsOn !== undefined && props.dependsOn.length > 0) this.dependsOn = [...props.dependsOn];
    this.#triggers = props.triggers;
  }

  protected override synthesizeAttributes(): { [name: string]: unknown } {
    return { triggers_replace: this.#triggers };
  }
}
