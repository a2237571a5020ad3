import { type IResolvable, Lazy, TerraformOutput } from "cdktf";
import type { Construct } from "constructs";

/** Arguments of an output other than its value. */
type OutputSettings = Omit<ConstructorParameters<typeof TerraformOutput>[2], "value">;

/**
 * An output whose value is read at synthesis. It writes the value and not the token, because the kit resolves
 * everything that a token returns: for the output of 2,000 certificates, this took a tenth of the synthesis.
 */
export class LateOutput extends TerraformOutput {
  readonly #token: IResolvable;
  readonly #read: () => unknown;

  /** @param read returns the value */
  constructor(scope: Construct, id: string, settings: OutputSettings, read: () => unknown) {
    const token = Lazy.anyValue({ produce: read });
    super(scope, id, { ...settings, value: token });
    this.#token = token;
    this.#read = read;
  }

  protected override synthesizeAttributes(): { [name: string]: unknown } {
    const attributes = super.synthesizeAttributes();
    // The app may have replaced the value.
    return attributes.value === this.#token ? { ...attributes, value: this.#read() } : attributes;
  }
}
