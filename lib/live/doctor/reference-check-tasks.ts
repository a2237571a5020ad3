import { ServiceError } from "../../errors";
import { groupBy } from "../../json/group-by";
import type { MigrationPlan } from "../../plan";
import { lastPart } from "../../resource-names";
import type { StackContents } from "../../source";
import { editDistance } from "../../text/edit-distance";
import { type CheckTask, checkTask } from "./check-task";
import { placeOf } from "./compute-names";
import { type CheckResult, type DoctorFinding, finding, merge } from "./model";
import type { LookUpContext, ReferenceKind } from "./reference-kind";
import { referenceKinds } from "./references";
import { projectsInStack, type Reference, referencesInStack } from "./stack-references";
import type { DoctorSubject } from "./subject";

export interface ReferenceSource {
  readonly plan: MigrationPlan | undefined;
  readonly stack: StackContents | undefined;
  readonly isFromOutputs: boolean;
}

export function referenceCheckTasks(context: LookUpContext, source: ReferenceSource): readonly CheckTask[] {
  const tasks = referenceKinds.flatMap((kind) =>
    referencesOf(kind, context.subject, source).map((reference) => {
      const own = kind.check?.(reference.id, context.subject);
      const subject = own?.subject ?? (placeOf(reference.id) || reference.id);
      return checkTask(own?.check ?? "references", subject, () => lookUp(reference, kind, context));
    }),
  );
  if (!source.isFromOutputs) return tasks;
  const { path } = context.subject;
  return [...tasks, checkTask("references", path, async () => ({ findings: [notInOutputs(path)] }))];
}

function referencesOf(kind: ReferenceKind, subject: DoctorSubject, source: ReferenceSource): readonly Reference[] {
  const { plan, stack, isFromOutputs } = source;
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

function notInOutputs(path: string): DoctorFinding {
  const what = `the outputs name no ${[...nounsNotInOutputs].join(", ")}, although the stack of ${path} may refer to them`;
  return finding("references-not-in-outputs", path, what);
}

async function lookUp(
  { id, by, isApplied = false }: Reference,
  kind: ReferenceKind,
  context: LookUpContext,
): Promise<CheckResult> {
  const { noun, find, code = "existing-missing", missing, remedy, command } = kind;
  try {
    const { isThere, others = [] } = await find(id, context);
    if (isThere) return { findings: [] };
    const named = isApplied ? ", which the outputs contain" : by === undefined ? "" : `, which is the ${by}`;
    const { subject, what } = missing?.(id) ?? { subject: id, what: `there is no ${id}${named}` };
    const near = nearest(id, others);
    const advice = isApplied
      ? `run 'terraform plan': the ${noun} was deleted after the outputs were written, or the outputs are of another stack`
      : near === undefined
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

/** Returns the same name in another location, or a name that differs in a few letters. */
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
export function combine(tasks: readonly CheckTask[]): readonly CheckTask[] {
  return [...groupBy(tasks, ({ check, subject }) => `${check}\n${subject}`).values()].map((group) => {
    const { check, subject, work } = group[0] as CheckTask;
    if (group.length === 1) return checkTask(check, subject, work);
    return checkTask(check, subject, async () => merge(await Promise.all(group.map((one) => one.work()))));
  });
}
