import type { JsonObject } from "../cloud-api";
import type { Overlay } from "../planning";
import type { ValueObject } from "../value";
import type { ResourceKind } from "./kind";
import type { Mapping } from "./mapping";
import type { Template } from "./template";

/** One attribute, or several, that a method of their own changes. */
export interface Setter {
  /** As in `setUrlMap`. */
  readonly action: string;
  readonly attributes: readonly string[];
  /** Where the method is not below the resource's own path. */
  readonly path?: Template;
  /** The labels' fingerprint goes along, as the state has it. */
  readonly withLabelFingerprint?: true;
}

/** Attributes that a `PATCH` of their own changes: its body has those of them that are set, and no other. */
export interface Patch {
  readonly attributes: readonly string[];
  /** The resource is read before, and its fingerprint goes along. */
  readonly withFingerprint?: true;
}

/** A resource type by its methods, all of which follow one pattern. */
export interface RestRow extends Overlay {
  readonly type: string;
  readonly service: "certificatemanager" | "compute" | "dns";
  /** Path of the collection below the service's own. */
  readonly collection: Template;
  /** Query parameter that names a new resource. @default - the name goes into the body */
  readonly nameParameter?: string;
  /** Whether the name of a new resource goes into the body as well. @default false, where it has a query parameter */
  readonly nameInBody?: boolean;
  /** What the service decides where nothing is configured: planned, and not sent. @default none */
  readonly unsentDefaults?: Readonly<Record<string, string>>;
  readonly apiNames?: Mapping["apiNames"];
  /** Attributes that the API does not know, beside those that place the resource. @default none */
  readonly foreign?: readonly string[];
  /** In the order in which they are called. @default none */
  readonly setters?: readonly Setter[];
  /** Sent after the setters, in this order, each for the attributes that changed. @default none */
  readonly patches?: readonly Patch[];
  /**
   * How attributes with neither a setter nor a patch are changed: by `PATCH` with a mask, whose body has everything that can be changed, or whole by
   * `PUT`, with the fingerprint that the state has.
   *
   * @default - they aren't: all of them replace the resource
   */
  readonly update?: "mask" | "put";
  /**
   * Whether labels are sent once more after the resource was created, with the fingerprint that it has by then.
   *
   * @default false
   */
  readonly labelsAfterCreation?: boolean;
  /**
   * Attributes that refer to other resources, which may be given by name alone: the collection of what they refer to.
   *
   * @default none
   */
  readonly references?: Readonly<Record<string, Template>>;
  readonly finishPlan?: ResourceKind["finishPlan"];
  /** Last changes to a body before it is sent. @default none */
  readonly encode?: (body: JsonObject, planned: ValueObject) => JsonObject;
  /** Last changes to the body of a setter, of a `PATCH` and of a `PUT`. @default none */
  readonly encodeUpdate?: (body: JsonObject) => JsonObject;
  /** First changes to an answer after it has been read. @default none */
  readonly decode?: (answer: JsonObject) => JsonObject;
}
