import type { Code } from "../findings/codes";
import type { CodedFinding } from "../findings/finding";
import { isFields } from "../json/fields";
import { pointerTo, stepsOf } from "../json/pointer";
import type { CheckCode } from "./findings";
import type { PlanOptions } from "./planning";
import { type ShapeMistake, shapeMistakes } from "./shape/mistakes";
import type { MigrationSpec } from "./spec";

/** A spec without the values that have mistakes, for the checks of all other values in the same pass. */
export interface RepairedSpec {
  readonly spec: MigrationSpec;
  /** Returns the finding with its place in the given data; undefined if the finding may follow from a mistake. */
  readonly keep: (finding: CodedFinding<Code>) => CodedFinding<Code> | undefined;
}

/** Values in place of the required properties of a spec. */
const placeholders = { name: "migration", certificates: [], dns: { kind: "external" } };

/** Removes each value with a mistake, and each value that requires it. */
export function withoutMistakes(
  data: unknown,
  mistakes: readonly ShapeMistake[],
  { readToken, refused = [] }: Pick<PlanOptions, "readToken" | "refused">,
): RepairedSpec {
  const places = new Map<unknown, readonly number[]>();
  let spec: unknown = data;
  for (let left = mistakes; left.length > 0; ) {
    const removed = left.map(({ pointer }) => pointer).filter((pointer) => pointer !== "");
    spec = { ...placeholders, ...asFields(without(spec, new Set(removed), places)) };
    // The list of certificates is empty if every item has a mistake.
    left = shapeMistakes(spec, readToken).filter(({ pointer }) => pointer !== "/certificates");
  }
  const causes = [
    ...refused,
    ...mistakes.map(({ pointer, missing }) => (missing === undefined ? pointer : pointerTo(pointer, missing))),
  ];
  return {
    spec: spec as MigrationSpec,
    keep: (finding) => {
      const subject = originalPlace(spec, finding.subject, places);
      return causes.some((cause) => mayCause(cause, finding.code, subject)) ? undefined : { ...finding, subject };
    },
  };
}

function asFields(value: unknown): object {
  return isFields(value) ? value : {};
}

/** More levels than a spec has. */
const deepest = 16;

/** Copies data without the values at some places, and notes the former indexes of the items of each list. */
function without(
  data: unknown,
  pointers: ReadonlySet<string>,
  places: Map<unknown, readonly number[]>,
  at = "",
): unknown {
  // A value at such a depth is part of a mistake; it may contain itself.
  if (pointers.has(at) || stepsOf(at).length > deepest) return undefined;
  if (Array.isArray(data)) {
    const former = places.get(data);
    const kept = data
      .map((item, index) => ({ item: without(item, pointers, places, pointerTo(at, index)), index }))
      .filter(({ item }) => item !== undefined);
    const list = kept.map(({ item }) => item);
    places.set(
      list,
      kept.map(({ index }) => former?.[index] ?? index),
    );
    return list;
  }
  if (!isFields(data)) return data;
  const entries = Object.entries(data).map(([key, value]): readonly [string, unknown] => [
    key,
    without(value, pointers, places, pointerTo(at, key)),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Converts a pointer into the repaired spec to a pointer into the given data. */
function originalPlace(spec: unknown, pointer: string, places: ReadonlyMap<unknown, readonly number[]>): string {
  let value: unknown = spec;
  let place = "";
  for (const step of stepsOf(pointer)) {
    place = pointerTo(place, places.get(value)?.[Number(step)] ?? step);
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[step];
  }
  return place;
}

/** Checks that compare a part of the spec, by its first step, with other parts. */
const comparisons: Readonly<Record<string, readonly CheckCode[]>> = {
  certificates: [
    "must-serve-missing",
    "traffic-not-served",
    "traffic-previous-missing",
    "traffic-previous-unused",
    "zone-unused",
    "authorization-unused",
    "alternative-unknown",
    "wildcard-without-parent",
  ],
  dns: ["zone-missing", "zone-unused"],
  existingAuthorizations: ["zone-missing"],
  traffic: ["zone-unused"],
  loadBalancer: ["traffic-addresses-missing", "traffic-ipv4-missing", "traffic-ipv6-missing"],
};

/** Parts whose checks depend on kind and region of the load balancer. */
const dependentParts = ["/certificates", "/authorizationType", "/existingCertificateMap", "/traffic"];

/** Returns whether a mistake at one place may be the reason of a finding at another. */
function mayCause(cause: string, code: Code, subject: string): boolean {
  const [part = "", ...more] = stepsOf(cause);
  if ((comparisons[part] ?? []).includes(code as CheckCode)) return true;
  const scope = scopeOf(cause);
  if (isWithin(subject, scope) || isWithin(scope, subject)) return subject !== "" || scope === "";
  return (
    part === "loadBalancer" &&
    more.length <= 1 &&
    dependentParts.some((dependentPart) => isWithin(subject, dependentPart))
  );
}

/** Properties with a mapping whose keys are the user's. */
const mappings = ["labels", "zones", "previous", "existingAuthorizations"];

/**
 * Returns the value whose checks read the value at a place: the pair of its mapping, its certificate, or the object or
 * list around it.
 */
function scopeOf(cause: string): string {
  const steps = stepsOf(cause);
  const mapping = steps.findIndex((step) => mappings.includes(step));
  if (mapping !== -1 && steps.length > mapping + 1) return pointerTo("", ...steps.slice(0, mapping + 2));
  if (steps.length <= 1) return cause;
  return pointerTo("", ...(steps[0] === "certificates" ? steps.slice(0, 2) : steps.slice(0, -1)));
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
