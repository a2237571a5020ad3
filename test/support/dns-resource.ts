import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";

/** A resource of a DNS provider without its bindings. */
export class DnsResource extends TerraformResource {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(scope: Construct, id: string, type: string, values: Readonly<Record<string, unknown>>) {
    super(scope, id, { terraformResourceType: type });
    this.#values = values;
  }

  protected override synthesizeAttributes(): { [name: string]: unknown } {
    return { ...this.#values };
  }
}
