import type { ApiObject } from "../cloud-api";
import type { Equivalence, Overlay } from "../planning";
import type { ValueObject } from "../value";
import type { ResourceKind } from "./kind";
import type { Mapping } from "./mapping";
import type { Template } from "./resource-id";

/** Attributes that a separate method changes. */
export interface Setter {
  /** Name of the method, for example `setUrlMap`. */
  readonly action: string;
  readonly attributes: readonly string[];
  /** Path of the resource for the method. @default - the resource's own path */
  readonly path?: Template;
  /** Whether the labels' fingerprint in the state is sent as well. */
  readonly withLabelFingerprint?: true;
}

/** Attributes that a separate `PATCH` changes. Its body contains only those of them that are set. */
interface Patch {
  readonly attributes: readonly string[];
  /** Whether the resource is read before, and its fingerprint is sent as well. */
  readonly withFingerprint?: true;
}

/** A resource type described by its methods, all of which follow one pattern. */
export interface RestRow extends Overlay {
  readonly type: string;
  readonly service: "certificatemanager" | "compute" | "dns" | "networksecurity" | "privateca";
  /** Path of the collection below the service's root. */
  readonly collection: Template;
  /** Query parameter for the name of a new resource. @default - the name is in the body */
  readonly nameParameter?: string;
  /** Whether the body also contains the name of a new resource that has a query parameter. @default false */
  readonly nameInBody?: boolean;
  /** Values that the service chooses without configuration. They are planned, and not sent. @default none */
  readonly unsentDefaults?: Readonly<Record<string, string>>;
  readonly apiNames?: Mapping["apiNames"];
  /** Attributes that the API does not have, other than those in the path of the collection. @default none */
  readonly foreign?: readonly string[];
  /** Setters in the order of their calls. @default none */
  readonly setters?: readonly Setter[];
  /** Patches, sent after the setters in this order, each only for changed attributes. @default none */
  readonly patches?: readonly Patch[];
  /**
   * How attributes with neither a setter nor a patch are changed. `mask`: by `PATCH` with a mask, whose body contains
   * everything that can change. `maskless`: the same without a mask; what is removed is sent empty. `put`: by `PUT` of
   * the whole resource, with the fingerprint in the state. `patch`: by `PATCH` of everything that can change, with the
   * fingerprint in the state.
   *
   * @default - all of these attributes replace the resource
   */
  readonly update?: "mask" | "maskless" | "put" | "patch";
  /**
   * Whether labels are sent once more after the creation of the resource, with its new fingerprint.
   *
   * @default false
   */
  readonly labelsAfterCreation?: boolean;
  /**
   * Collections of referenced resources, by the attribute that refers to them. These attributes may contain only a
   * name.
   *
   * @default none
   */
  readonly references?: Readonly<Record<string, Template>>;
  readonly finishPlan?: ResourceKind["finishPlan"];
  /** Changes a body before it is sent. @default no change */
  readonly encode?: (body: ApiObject, planned: ValueObject) => ApiObject;
  /** Changes the body of a setter, a `PATCH` or a `PUT` before it is sent. @default no change */
  readonly encodeUpdate?: (body: ApiObject) => ApiObject;
  /** Changes an answer after it is read. @default no change */
  readonly decode?: (answer: ApiObject) => ApiObject;
}

/** Returns the equivalence for attributes that refer to other resources by a link, a path or a name. */
export function links(...attributes: readonly string[]): Readonly<Record<string, Equivalence>> {
  return Object.fromEntries(attributes.map((name) => [name, "link"]));
}
