import type { MigrationPlan } from "../../plan";
import { lastPart } from "../../resource-names";
import { gcloud } from "../../text/command-line";
import type { CheckName } from "./check-names";
import type { CheckContext } from "./check-row";
import type { DoctorCode } from "./codes";
import { canBeName, computePath, placeOf, projectOfPath } from "./compute-names";
import { literal, type Mention } from "./plan-mentions";
import { computeIdOf, type Reference, type StackColumns } from "./stack-references";
import type { DoctorSubject } from "./subject";

/** Result of a look-up. */
export interface ReferenceLookUp {
  readonly isThere: boolean;
  /** IDs of the same kind in the same location; the user may have meant another ID. @default - unknown */
  readonly others?: readonly string[];
}

/** A kind of reference: where migrations name it, how to look it up, and what to report if the resource is missing. */
export interface ReferenceKind {
  readonly noun: string;
  /** Returns all references of this kind in a spec. Values that are known only to Terraform are left out. */
  readonly of: (subject: DoctorSubject, plan: MigrationPlan | undefined) => readonly Reference[];
  /** Where synthesized stacks have resources of this kind. @default - stacks name none */
  readonly inStack?: StackColumns;
  /** Returns the IDs in the outputs of an applied stack. @default - outputs contain none */
  readonly inOutputs?: (subject: DoctorSubject) => readonly string[];
  readonly find: (id: string, context: CheckContext) => Promise<ReferenceLookUp>;
  /** The check that looks the reference up, and its subject. @default - `references` for the parent of the ID */
  readonly check?: {
    readonly name: CheckName;
    readonly subject: (id: string, subject: DoctorSubject) => string;
  };
  /** @default - `existing-missing`, with the ID and the field that names it */
  readonly missing?: MissingReference;
  readonly command?: (id: string) => string;
}

/** How a missing resource is reported. */
interface MissingReference {
  /** @default "existing-missing" */
  readonly code?: DoctorCode;
  /** Returns subject and text of the finding. @default - the ID, and the field that names it */
  readonly describe?: (id: string) => { readonly subject: string; readonly what: string };
  readonly remedy?: (id: string, context: CheckContext) => Promise<string | undefined>;
}

/** @param command words of the `gcloud` commands for the kind */
export function computeKind(
  noun: string,
  collection: string,
  command: string,
  mentions: (plan: MigrationPlan) => readonly Mention[],
  inStack: Omit<StackColumns, "idOf"> & Partial<StackColumns>,
  find = findInList,
): ReferenceKind {
  return {
    noun,
    of: ({ balancer: { project: balancerProject, region } }, plan) =>
      (plan === undefined ? [] : mentions(plan)).flatMap(({ text, by, project = balancerProject, isGlobal = false }) =>
        project === undefined || !literal(text)
          ? []
          : [{ id: computePath(text, collection, { project, region: isGlobal ? undefined : region }), by }],
      ),
    inStack: { idOf: computeIdOf([collection]), ...inStack },
    find,
    command: (id) => gcloud(`compute ${command} list`, `--project=${projectOfPath(id)}`),
  };
}

export const findInList: ReferenceKind["find"] = async (id, { options: { google, signal } }) =>
  canBeName(lastPart(id)) ? among(id, await google.balancers.ids(placeOf(id), signal)) : { isThere: false };

/** Looks an ID up among named resources. */
export async function amongNames(
  id: string,
  listed: Promise<readonly { readonly name: string }[]>,
): Promise<ReferenceLookUp> {
  const names = (await listed).map(({ name }) => name);
  return among(id, names);
}

export function among(id: string, ids: readonly string[]): ReferenceLookUp {
  return { isThere: ids.includes(id), others: ids };
}
