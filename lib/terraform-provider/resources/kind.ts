import type { CloudApi } from "../cloud-api";
import type { LabelSettings, Overlay } from "../planning";
import type { SchemaBlock } from "../schema";
import type { ValueObject } from "../value";

/** Settings of the provider block. */
export interface ProviderSettings extends LabelSettings {
  readonly project: string | undefined;
  readonly region: string | undefined;
  readonly zone: string | undefined;
  readonly accessToken: string;
  /** Whether requests name the project whose quota they count against. */
  readonly userProjectOverride: boolean;
  /** Project whose quota requests count against. @default the resource's own project */
  readonly billingProject: string | undefined;
  /** Deletion policy of resources without a policy of their own. @default the provider's own default, `DELETE` */
  readonly deletionPolicy: string | undefined;
}

/** Context of a call from Terraform. */
export interface ProviderCall {
  readonly api: CloudApi;
  readonly settings: ProviderSettings;
  readonly schema: SchemaBlock;
  /**
   * The configuration in an apply. Only the configuration has the values of write-only attributes.
   *
   * @default - the call is no apply
   */
  readonly config?: ValueObject;
  /** Returns 26 characters of a-z and 0-9, different for each call. */
  readonly unique: () => string;
  /** Aborts when the stand-in ends. */
  readonly signal: AbortSignal;
}

/**
 * A resource type. The functions return the service's answer without attributes that the service does not have; for
 * these the state keeps its values.
 */
export interface ResourceKind {
  /** Type, for example `google_compute_url_map`. */
  readonly type: string;
  readonly overlay: Overlay;
  /** Completes a plan with values that the provider chooses by itself. @default no change */
  readonly finishPlan?: (
    planned: ValueObject,
    prior: ValueObject | undefined,
    settings: ProviderSettings,
  ) => ValueObject;
  create(planned: ValueObject, call: ProviderCall): Promise<ValueObject>;
  /** Reads a resource. @returns undefined if the resource no longer exists */
  read(state: ValueObject, call: ProviderCall): Promise<ValueObject | undefined>;
  update(prior: ValueObject, planned: ValueObject, call: ProviderCall): Promise<ValueObject>;
  delete(state: ValueObject, call: ProviderCall): Promise<void>;
  /** Returns the attributes that identify a resource, from an import id. @throws InputError */
  identify(importId: string, settings: ProviderSettings): ValueObject;
}

/**
 * Thrown if a resource was created but could not be read afterwards. Terraform keeps it in the state, and replaces it
 * in the next apply.
 */
export class UnreadError extends Error {
  override readonly name = "UnreadError";
  /** Known attributes of the resource. */
  readonly known: ValueObject;

  constructor(known: ValueObject, cause: unknown) {
    super("a resource was made and could not be read", { cause });
    this.known = known;
  }
}

/** A data source. */
export interface DataKind {
  readonly type: string;
  /** Sensitive attributes, by dotted name. @default none */
  readonly sensitive?: readonly string[];
  read(config: ValueObject, call: ProviderCall): Promise<ValueObject>;
}
