import type { NameMap, SchemaDocument } from "../document";
import type { Method } from "../method";
import { ownOf } from "../own-of";
import { type ChangeClass, type ReportChange, reportsOf } from "./changes";
import { namesOfBoth } from "./fields";
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
  report: ReportChange,
): readonly Pair[] {
  return namesOfBoth(old.own, now.own).flatMap((name) => {
    const before = ownOf(old.own, name) ?? ownOf(old.ofApi, name);
    const after = ownOf(now.own, name) ?? ownOf(now.ofApi, name);
    return compareParameter(`${methodId} ?${name}`, before, after, removed, pairs, report);
  });
}

export function compareApiParameters(
  old: NameMap<SchemaDocument> | undefined,
  now: NameMap<SchemaDocument> | undefined,
  common: readonly (readonly [Method, Method])[],
  pairs: SchemaPairs,
  report: ReportChange,
): readonly Pair[] {
  return namesOfBoth(old, now).flatMap((name) => {
    const inMethods = common.length > 0 && common.every(([, method]) => ownOf(method.parameters, name) !== undefined);
    const removal = inMethods ? movedIntoMethods : removed;
    return compareParameter(`?${name}`, ownOf(old, name), ownOf(now, name), removal, pairs, report);
  });
}

interface Removal {
  readonly class: ChangeClass;
  readonly text: string;
}

const removed: Removal = { class: "breaking", text: "was removed" };
const movedIntoMethods: Removal = { class: "noise", text: "was removed, and every method declares it itself" };

/** @param removal change to report if the new description lacks the parameter */
function compareParameter(
  subject: string,
  old: SchemaDocument | undefined,
  now: SchemaDocument | undefined,
  removal: Removal,
  pairs: SchemaPairs,
  report: ReportChange,
): readonly Pair[] {
  const say = reportsOf(subject, report);
  if (now === undefined) {
    say("parameter-removed", removal.class, removal.text);
    return [];
  }
  if (old === undefined) {
    if (isRequired(now)) say("parameter-added", "breaking", "is new and required");
    else say("parameter-added", "compatible", "is new");
    return [];
  }
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
  const pair = pairs.addPlace({ old, now, subject });
  return pair === undefined ? [] : [pair];
}

function isRequired({ required, location }: SchemaDocument): boolean {
  return required === true || location === "path";
}
