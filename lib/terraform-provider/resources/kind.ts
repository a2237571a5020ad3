import type { CloudApi } from "../cloud-api";
import type { LabelSettings, Overlay } from "../planning";
import type { Block } from "../schema";
import type { ValueObject } from "../value";

/** What the provider block says. */
export interface ProviderSettings extends LabelSettings {
  readonly project: string | undefined;
  readonly region: string | undefined;
  readonly zone: string | undefined;
  readonly accessToken: string;
  /** Whether requests name the project that they are counted against. */
  readonly userProjectOverride: boolean;
  /** That project. @default the resource's own */
  readonly billingProject: string | undefined;
}

/** What a call of Terraform's comes with. */
export interface Call {
  readonly api: CloudApi;
  readonly settings: ProviderSettings;
  readonly schema: Block;
  /** 26 characters, of a-z and 0-9, that no other call has. */
  readonly unique: () => string;
  /** Aborts when the stand-in ends. */
  readonly signal: AbortSignal;
}

/**
 * A resource type. What the functions answer is told by the service: attributes that it does not know are left out, and the state
 * keeps what it has of them.
 */
export interface ResourceKind {
  /** As in `google_compute_url_map`. */
  readonly type: string;
  readonly overlay: Overlay;
  /** Whether the cloud has it, or only the stand-in. */
  readonly keptOnly: boolean;
  /** Completes a plan with what the provider decides by itself. @default nothing */
  readonly finishPlan?: (
    planned: ValueObject,
    prior: ValueObject | undefined,
    settings: ProviderSettings,
  ) => ValueObject;
  create(planned: ValueObject, call: Call): Promise<ValueObject>;
  /** Undefined where the resource is gone. */
  read(state: ValueObject, call: Call): Promise<ValueObject | undefined>;
  update(prior: ValueObject, planned: ValueObject, call: Call): Promise<ValueObject>;
  delete(state: ValueObject, call: Call): Promise<void>;
  /** The attributes that identify a resource, by what the user wrote. @throws InputError */
  identify(importId: string, settings: ProviderSettings): ValueObject;
}

/** A resource was made, and could not be read afterwards: Terraform keeps it, and replaces it next time. */
export class UnreadError extends Error {
  override readonly name = "UnreadError";
  /** What is known of the resource all the same. */
  readonly told: ValueObject;

  constructor(told: ValueObject, cause: unknown) {
    super("a resource was made and could not be read", { cause });
    this.told = told;
  }
}

/** A data source. */
export interface DataKind {
  readonly type: string;
  read(config: ValueObject, call: Call): Promise<ValueObject>;
}
