import type { Value } from "../value";

/**
 * When two spellings of an attribute mean the same, so that neither a plan nor a refresh shows a difference.
 *
 * - `link`: a full link, a path from `projects/`, or the end of one
 * - `resourceName`: the same last part, wherever the resource is
 * - `address`: an address, or a link to its reservation
 * - `portRange`: one port, or a range of that port alone
 * - `caseless`: text in any case
 * - `unordered`: a list in any order
 * - `recordData`: an unordered list of DNS data: IPv6 addresses in any spelling, quoted text and what begins with a preference in any case
 */
export type Equivalence = "link" | "resourceName" | "address" | "portRange" | "caseless" | "unordered" | "recordData";

/** What no schema tells of a resource type. Names are dotted, without indexes: `managed.domains`. */
export interface Overlay {
  /** Attributes and blocks whose change replaces the resource; a name covers everything below it. */
  readonly forceNew: readonly string[];
  /** What an attribute is when it is not configured. @default none */
  readonly defaults?: Readonly<Record<string, Value>>;
  /** Whether the provider leaves its attribution label away. @default false */
  readonly withoutAttribution?: boolean;
  /** @default none: values are compared as they are */
  readonly equivalences?: Readonly<Record<string, Equivalence>>;
  /**
   * Attributes and blocks that the service fills by itself, and that no schema calls computed: the state has them only where they are configured.
   *
   * @default none
   */
  readonly onlyIfConfigured?: readonly string[];
  /** Never told by the service, so that the state keeps what was configured. @default none */
  readonly untold?: readonly string[];
  /** Attributes that a refresh takes over in the service's spelling, also where the known one means the same. @default none */
  readonly asServed?: readonly string[];
  /** Groups of attributes and blocks of which a configuration has exactly one. @default none */
  readonly exactlyOne?: readonly (readonly string[])[];
  /** Groups of which it has at most one. @default none */
  readonly atMostOne?: readonly (readonly string[])[];
  /** @default none */
  readonly sensitive?: readonly string[];
}

/** Whether a name, or a block that it is in, is in a list. */
export function covers(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((each) => name === each || name.startsWith(`${each}.`)) === true;
}

/** The dotted name of a member of a block. @param block empty at the top */
export function nameIn(block: string, member: string): string {
  return block === "" ? member : `${block}.${member}`;
}
