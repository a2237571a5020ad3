import { ServiceError } from "../../errors";
import { groupBy } from "../../json/group-by";
import { lastPart } from "../../resource-names";
import { editDistance } from "../../text/edit-distance";
import { type CheckContext, type CheckRow, row } from "./check-row";
import { placeOf } from "./compute-names";
import { type CheckResult, doctorFinding } from "./model";
import type { ReferenceKind, ReferenceLookUp } from "./reference-kind";
import { referenceKinds } from "./references";
import { projectsInStack, type Reference, referencesInStack } from "./stack-references";

const typesInTable: ReadonlySet<string> = new Set(
  referenceKinds.flatMap(({ inStack }) =>
    inStack === undefined ? [] : [...inStack.types, ...Object.keys(inStack.namedBy)],
  ),
);

/** Kinds of resources that stacks refer to and their outputs do not contain. */
const nounsNotInOutputs = new Set(
  referenceKinds.flatMap(({ noun, inStack, inOutputs }) =>
    inStack === undefined || inOutputs !== undefined ? [] : noun,
  ),
);

/** The checks of references: one for each kind, and one for the kinds that outputs do not contain. */
export const referenceChecks: readonly CheckRow<CheckResult>[] = [
  ...referenceKinds.map((kind) =>
    row<Reference, LookUp, CheckResult>({
      check: kind.check?.name ?? "references",
      of: (context) => referencesOf(kind, context),
      subject: ({ id }, { subject }) => kind.check?.subject(id, subject) ?? (placeOf(id) || id),
      ask: ({ id }, context) => lookUp(id, kind, context),
      judge: (found, reference) => judgeLookUp(found, reference, kind),
    }),
  ),
  row({
    check: "references",
    of: ({ subject: { path }, options: { source } }) => (source?.isFromOutputs ? [path] : []),
    subject: (path) => path,
    ask: async () => [...nounsNotInOutputs].join(", "),
    judge: (nouns, path) => {
      const what = `the outputs name no ${nouns}, although the stack of ${path} may refer to them`;
      return { findings: [doctorFinding("references-not-in-outputs", path, what)] };
    },
  }),
];

function referencesOf(kind: ReferenceKind, { subject, options }: CheckContext): readonly Reference[] {
  const { plan, stack, isFromOutputs = false } = options.source ?? {};
  const all = [
    ...kind.of(subject, plan),
    ...(stack === undefined || kind.inStack === undefined ? [] : referencesInStack(kind.inStack, stack)),
    ...(stack === undefined || kind.noun !== "project"
      ? []
      : projectsInStack(stack, typesInTable).map((id) => ({ id }))),
    ...(isFromOutputs ? (kind.inOutputs?.(subject) ?? []).map((id) => ({ id, isApplied: true })) : []),
  ];
  return [...groupBy(all, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

/** An answer, with the remedy of the kind if the resource is missing; or why it is unknown. */
type LookUp = (ReferenceLookUp & { readonly remedy?: string | undefined }) | { readonly unknown: string };

async function lookUp(id: string, kind: ReferenceKind, context: CheckContext): Promise<LookUp> {
  try {
    const found = await kind.find(id, context);
    return found.isThere ? found : { ...found, remedy: await kind.missing?.remedy?.(id, context) };
  } catch (error) {
    // A stand-in for the Google services may lack this service.
    if (!(error instanceof ServiceError) || error.status !== 501) throw error;
    return { unknown: `whether there is the ${kind.noun} ${id}: ${error.message}` };
  }
}

function judgeLookUp(found: LookUp, { id, by, isApplied = false }: Reference, kind: ReferenceKind): CheckResult {
  if ("unknown" in found) return { findings: [], unknown: [found.unknown] };
  if (found.isThere) return { findings: [] };
  const { noun, check, missing = {}, command } = kind;
  const named = isApplied ? ", which the outputs contain" : by === undefined ? "" : `, which is the ${by}`;
  const { subject, what } = missing.describe?.(id) ?? { subject: id, what: `there is no ${id}${named}` };
  const near = nearest(id, found.others ?? []);
  const remedy = isApplied
    ? `run 'terraform plan': the ${noun} was deleted after the outputs were written, or the outputs are of another stack`
    : near !== undefined
      ? `change it to ${near} if that is meant, or create the ${noun} first`
      : check === undefined
        ? `correct the name, the project or the region, or create the ${noun} first`
        : found.remedy;
  const code = missing.code ?? "existing-missing";
  return { findings: [doctorFinding(code, subject, what, { remedy, command: command?.(id) })] };
}

/** Returns the same name in another location, or a name that differs in a few letters. */
function nearest(id: string, others: readonly string[]): string | undefined {
  const name = lastPart(id);
  const most = Math.max(1, Math.floor(name.length / 3));
  const scored = others.map((candidate) => ({ other: candidate, distance: distanceOf(name, lastPart(candidate)) }));
  const least = Math.min(...scored.map(({ distance }) => distance));
  return least > most ? undefined : scored.find(({ distance }) => distance === least)?.other;
}

function distanceOf(name: string, candidate: string): number {
  // Names with such different lengths are not typing errors, and the comparison is slow.
  return Math.abs(name.length - candidate.length) > 3 ? Number.POSITIVE_INFINITY : editDistance(name, candidate);
}
