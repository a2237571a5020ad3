import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import type { Findings } from "./findings";
import type { Described } from "./model";
import type { Planning } from "./planning";
import { isReference } from "./shape/reference";

type Labels = Readonly<Record<string, string>>;

const maxLabels = 64;
const maxDescriptionLength = 1024;
// The API accepts international letters without upper case.
const keyPattern = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const valuePattern = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

/**
 * Returns labels and description of one resource. Its own labels override the migration's; the default description is
 * the purpose of the resource.
 */
export function describe(
  planning: Planning,
  purpose: string,
  own?: { readonly description?: string | undefined; readonly labels?: Labels | undefined; readonly at: string },
): Described {
  if (own?.labels !== undefined) checkLabels(own.labels, pointerTo(own.at, "labels"), planning.findings);
  if (own?.description !== undefined)
    checkDescription(own.description, pointerTo(own.at, "description"), planning.findings);
  const text = own?.description || planning.spec.description || purpose;
  const labels = mergeLabels(planning.spec.labels, own?.labels);
  return {
    description: text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength - 1)}…` : text,
    ...defined({ labels }),
  };
}

export function checkDescription(description: string, at: string, findings: Findings): void {
  if (description.length > maxDescriptionLength) {
    findings.report("description-too-long", at, `'description' has ${description.length} characters`);
  }
}

export function checkLabels(labels: Labels, at: string, findings: Pick<Findings, "report">): void {
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) findings.report("labels-too-many", at, `there are ${entries.length} labels`);
  for (const [key, value] of entries) {
    if (!keyPattern.test(key))
      findings.report("label-key-invalid", pointerTo(at, key), `'${key}' can't be the key of a label`);
    if (!isReference(value) && !valuePattern.test(value)) {
      findings.report("label-value-invalid", pointerTo(at, key), `'${value}' can't be the value of label '${key}'`);
    }
  }
}

/** Merges labels, sorted by key. Empty values are dropped because the provider ignores them. */
function mergeLabels(general: Labels | undefined, specific: Labels | undefined): Labels | undefined {
  if (general === undefined && specific === undefined) return undefined;
  const kept = Object.entries({ ...general, ...specific }).filter(([, value]) => value !== "");
  if (kept.length === 0) return undefined;
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}
