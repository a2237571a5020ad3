import type { NameMap, SchemaDocument } from "../document";
import type { Method } from "../method";
import { type Report, reportsOf } from "./changes";
import { namesOf, ownOf } from "./fields";
import type { Pair } from "./pairs";
import type { SchemaPairs } from "./schema-pairs";

interface ParameterSet {
  readonly own: NameMap<SchemaDocument>;
  readonly ofApi: NameMap<SchemaDocument> | undefined;
}

/** Reports the differences of a method's parameters. A parameter that moved between method and API still exists. */
export function compareParameters(
  methodId: string,
  old: ParameterSet,
  now: ParameterSet,
  pairs: SchemaPairs,
  report: Report,
): readonly Pair[] {
  const compared: Pair[] = [];
  const keep = (pair: Pair | undefined) => pair !== undefined && compared.push(pair);
  for (const name of namesOf(old.own, now.own)) {
    const before = ownOf(old.own, name) ?? ownOf(old.ofApi, name);
    const after = ownOf(now.own, name) ?? ownOf(now.ofApi, name);
    const subject = `${methodId} ?${name}`;
    if (before !== undefined && after !== undefined) keep(compareParameter(subject, before, after, pairs, report));
    else if (after !== undefined) reportAdded(subject, after, report);
    else reportRemoved(subject, "breaking", report);
  }
  return compared;
}

/** Reports the differences of the parameters of the whole API. */
export function compareApiParameters(
  old: NameMap<SchemaDocument> | undefined,
  now: NameMap<SchemaDocument> | undefined,
  common: readonly (readonly [Method, Method])[],
  pairs: SchemaPairs,
  report: Report,
): readonly Pair[] {
  const compared: Pair[] = [];
  const keep = (pair: Pair | undefined) => pair !== undefined && compared.push(pair);
  for (const name of namesOf(old, now)) {
    const [before, after] = [ownOf(old, name), ownOf(now, name)];
    const subject = `?${name}`;
    if (before !== undefined && after !== undefined) {
      keep(compareParameter(subject, before, after, pairs, report));
    } else if (after !== undefined) {
      reportAdded(subject, after, report);
    } else {
      const isKept = common.length > 0 && common.every(([, method]) => ownOf(method.parameters, name) !== undefined);
      reportRemoved(subject, isKept ? "noise" : "breaking", report);
    }
  }
  return compared;
}

function reportAdded(subject: string, parameter: SchemaDocument, report: Report): void {
  const say = reportsOf(subject, report);
  if (isRequired(parameter)) say("parameter-added", "breaking", "is new and required");
  else say("parameter-added", "compatible", "is new");
}

function reportRemoved(subject: string, inClass: "breaking" | "noise", report: Report): void {
  const text = inClass === "noise" ? "was removed, and every method declares it itself" : "was removed";
  reportsOf(subject, report)("parameter-removed", inClass, text);
}

function compareParameter(
  subject: string,
  old: SchemaDocument,
  now: SchemaDocument,
  pairs: SchemaPairs,
  report: Report,
): Pair | undefined {
  const say = reportsOf(subject, report);
  const [wasRequired, required] = [isRequired(old), isRequired(now)];
  if (required && !wasRequired) say("required-gained", "breaking", "is required now");
  if (wasRequired && !required) say("required-lost", "compatible", "is not required any longer");
  const [before, after] = [old.location ?? "query", now.location ?? "query"];
  if (before !== after) {
    const text = `goes into the ${after === "path" ? "path" : "query"} now`;
    say("location-changed", "breaking", text, before, after);
  }
  const [wasRepeated, repeated] = [old.repeated === true, now.repeated === true];
  if (repeated && !wasRepeated) say("repeated-gained", "compatible", "may occur several times now");
  if (wasRepeated && !repeated) say("repeated-lost", "breaking", "may occur only once now");
  return pairs.addPlace({ old, now, subject });
}

function isRequired({ required, location }: SchemaDocument): boolean {
  return required === true || location === "path";
}
