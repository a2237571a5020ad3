import type { Json } from "../front";
import type { CertificateLookup } from "./certificate-names";
import type { Ids } from "./ids";
import type { Collection, Scope } from "./links";
import type { Resource, Resources } from "./resources";

/** What the rules of a resource may ask. */
export interface Surroundings {
  readonly resources: Resources;
  readonly certificates: CertificateLookup;
  readonly ids: Ids;
}

/** Where a change is made. */
export interface Place {
  readonly scope: Scope;
  readonly path: string;
  /** The resource as it is; absent for a new one. */
  readonly before?: Resource;
}

/** What is special about one kind of resource; everything else is the same for all of them. */
export interface Concept {
  readonly collection: Collection;
  /** Id of the description's schema. */
  readonly schema: string;
  /** As messages name it, such as `url_map`. */
  readonly noun: string;
  /** The API's resources, by where they are kept. */
  readonly global?: string;
  readonly regional?: string;
  /**
   * Holds a whole resource against its rules and writes it as it is kept: full links, defaults. Given what it gave, it gives the same again.
   * Members that are undefined are left out.
   *
   * @param body what an insert or update sent, or what a patch or an action makes of the resource
   * @throws CloudError for what the service refuses
   */
  complete(body: Json, place: Place, surroundings: Surroundings): Json;
  /** Members that a patch may change. @default - all */
  readonly patchable?: readonly string[];
  /** Whether an update without a fingerprint is refused, as one with a stale fingerprint always is. @default false */
  readonly needsFingerprint?: boolean;
  /** What the methods of its own make of a resource, by their name. */
  readonly actions?: Readonly<Record<string, (before: Resource, body: Json) => Json>>;
  /** What keeps a resource from being deleted. @default - what refers to it */
  usersOf?(resource: Resource, surroundings: Surroundings): readonly Resource[];
  /** The resource as it is answered. @default - as it is kept */
  present?(resource: Resource, surroundings: Surroundings): Json;
}
