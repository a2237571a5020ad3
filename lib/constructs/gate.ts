import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";

/** How gates call this program unless `gateCommand` says otherwise. */
export const defaultGateCommand = "npx --no-install cert-migration";

/** What {@link CommandGate} takes. */
export interface CommandGateProps {
  /** What Terraform runs; a failure stops everything that depends on the gate. */
  readonly command: string;
  /** The command runs again when one of these changes, and only then. */
  readonly triggers: readonly string[];
  /** Addresses of what must be there before. */
  readonly dependsOn?: readonly string[];
}

/**
 * A `terraform_data` that runs a command once. It is judged once, so that renewals of a certificate never disturb a plan.
 *
 * Not cdktf's own class for that type: it asks the Terraform binary for its version at every synth, and fails where there is none.
 */
export class CommandGate extends TerraformResource {
  /** Type of the resource to Terraform. */
  static readonly tfResourceType = "terraform_data";
  readonly #triggers: readonly string[];

  constructor(scope: Construct, id: string, props: CommandGateProps) {
    super(scope, id, {
      terraformResourceType: CommandGate.tfResourceType,
      lifecycle: { createBeforeDestroy: true },
      provisioners: [{ type: "local-exec", command: props.command }],
    });
    if (props.dependsOn !== undefined && props.dependsOn.length > 0) this.dependsOn = [...props.dependsOn];
    this.#triggers = props.triggers;
  }

  protected override synthesizeAttributes(): { [name: string]: unknown } {
    return { triggers_replace: this.#triggers };
  }
}
