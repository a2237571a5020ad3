import type { Problem } from "../../errors";
import { isList, type Value, type ValueObject } from "../value";

/**
 * When two spellings of an attribute are equivalent, so that neither a plan nor a refresh shows a difference.
 *
 * - `link`: a full link, a path from `projects/`, or the end of a path
 * - `resourceName`: the same last part, wherever the resource is
 * - `address`: an address, or a link to its reservation
 * - `portRange`: one port, or a range of only that port
 * - `caseless`: text in any case
 * - `domainNames`: a list of domains, each with or without a trailing dot
 * - `unordered`: a list in any order
 * - `jsonMembers`: JSON, one with members that the other lacks
 * - `projectLabel`: labels, one with `project_id`, which the service adds
 * - `reducer`: the reducer that means none, or no reducer
 * - `recordData`: an unordered list of DNS data: IPv6 addresses in any spelling; quoted text, and data that begins with
 *   a preference, in any case
 */
export type Equivalence =
  | "link"
  | "resourceName"
  | "address"
  | "portRange"
  | "caseless"
  | "domainNames"
  | "unordered"
  | "jsonMembers"
  | "projectLabel"
  | "reducer"
  | "recordData";

/** Rules of a resource type that no schema contains. Names are dotted, without indexes: `managed.domains`. */
export interface Overlay {
  /** Attributes and blocks whose change replaces the resource; a name includes everything below it. */
  readonly forceNew: readonly string[];
  /** Values of attributes without configuration. @default none */
  readonly defaults?: Readonly<Record<string, Value>>;
  /** Whether the provider omits its attribution label. @default false */
  readonly withoutAttribution?: boolean;
  /** Equivalences by attribute. @default none: values are compared exactly */
  readonly equivalences?: Readonly<Record<string, Equivalence>>;
  /** Attributes and blocks whose state is not simply the service's answer. @default none */
  readonly answers?: AnswerRules;
  /** Groups of attributes and blocks of which a configuration has exactly one. @default none */
  readonly exactlyOne?: readonly (readonly string[])[];
  /** Groups of attributes and blocks of which a configuration has at most one. @default none */
  readonly atMostOne?: readonly (readonly string[])[];
  /** Sensitive attributes. @default none */
  readonly sensitive?: readonly string[];
}

/** How answers of the service become the state. */
interface AnswerRules {
  /**
   * Attributes and blocks that the service fills by itself, and that are not computed in the schema. The state has them
   * only if they are configured.
   *
   * @default none
   */
  readonly onlyIfConfigured?: readonly string[];
  /** Attributes that the service never returns, so that the state keeps the configured values. @default none */
  readonly neverReturned?: readonly string[];
  /** Attributes that a refresh stores in the service's spelling, even if the known one is equivalent. @default none */
  readonly asServed?: readonly string[];
}

/** Returns whether a list contains a name or a block around it. */
export function includesName(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((each) => name === each || name.startsWith(`${each}.`)) === true;
}

/** Returns the dotted name of a member of a block. @param block empty at the top level */
export function nameIn(block: string, member: string): string {
  return block === "" ? member : `${block}.${member}`;
}

/**
 * Checks the groups of attributes and blocks of which a configuration must have exactly one, or at most one. Returns
 * the problems.
 */
export function checkChoices(type: string, overlay: Overlay, config: ValueObject): readonly Problem[] {
  const isThere = (name: string) => {
    const value = config[name] ?? null;
    return isList(value) ? value.length > 0 : value !== null;
  };
  const problems: Problem[] = [];
  for (const names of overlay.exactlyOne ?? []) {
    const shared = names.filter(isThere);
    if (shared.length === 1) continue;
    const found = shared.length === 0 ? "none" : shared.join(" and ");
    problems.push({
      code: "exactly-one-of",
      message: `${type}: exactly one of ${names.join(", ")} must be set, found ${found}`,
    });
  }
  for (const names of overlay.atMostOne ?? []) {
    const shared = names.filter(isThere);
    if (shared.length < 2) continue;
    problems.push({ code: "conflicting", message: `${type}: ${shared.join(" conflicts with ")}; set one of them` });
  }
  return problems;
}
