import { ServiceError } from "../../errors";
import type { MigrationPlan } from "../../plan";
import { editDistance } from "../../text/edit-distance";
import { lastPart, placeOf } from "./compute-names";
import type { Look } from "./look";
import { type CheckResult, finding, merge } from "./model";
import { type LookUpContext, type Reference, type ReferenceKind, referenceKinds } from "./references";

/** Returns checks of all resources that a migration expects to exist. */
export function referenceLooks(context: LookUpContext, plan: MigrationPlan | undefined): readonly Look[] {
  return referenceKinds.flatMap((kind) =>
    kind.of(context.subject, plan).map((reference): Look => {
      const { check, subject } = kind.check?.(reference.id, context.subject) ?? {
        check: "references" as const,
        subject: placeOf(reference.id) || reference.id,
      };
      return { check, subject, work: () => lookUp(reference, kind, context) };
    }),
  );
}

async function lookUp({ id, by }: Reference, kind: ReferenceKind, context: LookUpContext): Promise<CheckResult> {
  const { noun, find, code = "existing-missing", missing, remedy, command } = kind;
  try {
    const { isThere, others = [] } = await find(id, context);
    if (isThere) return { findings: [] };
    const named = by === undefined ? "" : `, which is the ${by}`;
    const { subject, what } = missing?.(id) ?? { subject: id, what: `there is no ${id}${named}` };
    const near = nearest(id, others);
    const advice =
      near === undefined
        ? kind.check === undefined
          ? `correct the name, the project or the region, or create the ${noun} first`
          : await remedy?.(id, context)
        : `change it to ${near} if that is meant, or create the ${noun} first`;
    return { findings: [finding(code, subject, what, { remedy: advice, command: command?.(id) })] };
  } catch (error) {
    // A stand-in for the Google services may lack this service.
    if (!(error instanceof ServiceError) || error.status !== 501) throw error;
    return { findings: [], unknown: [`whether there is the ${noun} ${id}: ${error.message}`] };
  }
}

/**
 * Returns the ID that the user most likely meant: the same name in another location, or a name that differs in a few
 * letters.
 */
function nearest(id: string, others: readonly string[]): string | undefined {
  const name = lastPart(id);
  const most = Math.max(1, Math.floor(name.length / 3));
  const scored = others.map((other) => ({ other, distance: distanceOf(name, lastPart(other)) }));
  const least = Math.min(...scored.map(({ distance }) => distance));
  return least > most ? undefined : scored.find(({ distance }) => distance === least)?.other;
}

function distanceOf(name: string, other: string): number {
  // Names with such different lengths are not typing errors, and the comparison is slow.
  return Math.abs(name.length - other.length) > 3 ? Number.POSITIVE_INFINITY : editDistance(name, other);
}

/** Combines checks of the same kind and subject, so that each is reported once. */
export function combine(looks: readonly Look[]): readonly Look[] {
  const groups = new Map<string, Look[]>();
  for (const look of looks) {
    const key = `${look.check}\n${look.subject}`;
    groups.set(key, [...(groups.get(key) ?? []), look]);
  }
  return [...groups.values()].map(([first, ...others]): Look => {
    const { check, subject, work } = first as Look;
    if (others.length === 0) return { check, subject, work };
    return { check, subject, work: async () => merge(await Promise.all([work(), ...others.map((one) => one.work())])) };
  });
}
