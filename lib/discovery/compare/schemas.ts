import { quote } from "../../text/quote";
import type { SchemaDocument } from "../document";
import type { Method } from "../method";
import { childrenOf, type Schemas } from "../schemas";
import { type ChangeClass, changeOf, type Effect, type Reach, type ReportChange, worse } from "./changes";
import { missingFrom } from "./fields";
import {
  classOfReplacements,
  closureOf,
  type Pair,
  type PlacedDifference,
  type Replacement,
  reachedBy,
  type Start,
} from "./pairs";
import type { SchemaPairs } from "./schema-pairs";

interface MethodsAndSchemas {
  readonly methods: Iterable<Method>;
  readonly schemas: Schemas;
}

interface Places {
  /** Requests, responses and parameters of the methods in both descriptions. */
  readonly ofMethods: readonly Start<Pair>[];
  /** Parameters of methods and of the API. They are sent, but not in a body. */
  readonly ofParameters: ReadonlySet<Pair>;
}

/**
 * Reports each difference of the schemas once. Its class depends on how the methods use the schema.
 *
 * @returns whether all schemas could be compared, and all methods could be listed
 */
export function compareSchemas(
  old: MethodsAndSchemas,
  now: MethodsAndSchemas,
  pairs: SchemaPairs,
  places: Places,
  report: ReportChange,
): { readonly isWhole: boolean; readonly hasAllMethods: boolean } {
  for (const [name, schema] of old.schemas) {
    const otherSchema = now.schemas.get(name);
    if (otherSchema !== undefined) pairs.addNamed(name, schema, otherSchema);
  }
  const named = { old: namesByMethods(old), now: namesByMethods(now) };
  const uses = usesOf(pairs.pairs, places, named.old.used);
  const meaning = classOfReplacements(pairs.pairs);
  const reported = pairs.pairs.filter(
    ({ relation, differences }) => relation === "renamed" || (relation !== "replaced" && differences.length > 0),
  );
  const reaches = reachedBy(places.ofMethods, ({ next }) => next, reported);
  for (const pair of reported) {
    const reach = places.ofParameters.has(pair) ? undefined : reaches.byNode.get(pair);
    for (const difference of pair.differences) reportDifference(difference, uses(pair), meaning, reach, report);
    if (pair.relation === "renamed") reportRenamed(pair, reach, report);
  }
  const isCarried = (name: string) => uses.carriesAny && !named.old.used.has(name);
  const isComplete = reportAddedAndRemoved(old, now, pairs.pairs, named, isCarried, report);
  return { isWhole: !pairs.isCut, hasAllMethods: isComplete && !reaches.isCut };
}

interface Use {
  readonly request: boolean;
  readonly response: boolean;
}

/** Returns the pairs that are sent and the pairs that are received. */
function usesOf(
  pairs: readonly Pair[],
  { ofMethods, ofParameters }: Places,
  named: ReadonlySet<string>,
): ((pair: Pair) => Use) & { readonly carriesAny: boolean } {
  const next = (pair: Pair) => pair.next;
  const starts = (direction: "request" | "response") =>
    ofMethods.filter((start) => start.direction === direction).map(({ node }) => node);
  const sent = closureOf([...starts("request"), ...ofParameters], next);
  const received = closureOf(starts("response"), next);
  const carriesAny = [...received].some(({ holdsAny }) => holdsAny);
  // No method refers to the schemas inside values of any type, for example the metadata of an operation.
  const carried = carriesAny
    ? pairs.filter(({ relation, names }) => relation === "same" && !named.has(names[0] ?? ""))
    : [];
  const receivedAtAll = closureOf([...received, ...carried], next);
  const use = (pair: Pair): Use => ({ request: sent.has(pair), response: receivedAtAll.has(pair) });
  return Object.assign(use, { carriesAny });
}

function reportDifference(
  { kind, effect, subject, replacement, text, before, after }: PlacedDifference,
  use: Use,
  meaning: ReturnType<typeof classOfReplacements>,
  reaches: Reach | undefined,
  report: ReportChange,
): void {
  if (replacement === undefined) {
    report(changeOf({ kind, class: classOf(effect, use), subject, text, before, after, reaches }));
    return;
  }
  const [sent, received] = [meaning(replacement, "request"), meaning(replacement, "response")];
  const inClass = classOf({ request: sent.class, response: received.class }, use);
  const decisive = use.request && sent.class === inClass ? sent : received;
  const likeness = inClass === "noise" ? "which is the same on the wire" : compatibilityOf(decisive);
  const whole = `${text}, ${likeness}`;
  report(changeOf({ kind, class: inClass, subject, text: whole, before, after, reaches }));
}

function compatibilityOf(replacement: Replacement): string {
  if (replacement.class === "noise") return "which is the same on the wire";
  const { subject, text } = replacement.cause;
  return `which is ${replacement.class === "breaking" ? "not " : ""}compatible with it: ${quote(subject)} ${text}`;
}

function classOf(effect: Effect, use: Use): ChangeClass {
  return worse(use.request ? effect.request : "noise", use.response ? effect.response : "noise");
}

function reportRenamed(
  { names: [before = "", after = ""] }: Pair,
  reaches: Reach | undefined,
  report: ReportChange,
): void {
  const text = `is called ${quote(after)} now`;
  report(changeOf({ kind: "schema-renamed", class: "noise", subject: before, text, before, after, reaches }));
}

interface NamedSchemas {
  readonly starts: readonly Start<string>[];
  readonly next: (name: string) => ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

function namesByMethods({ methods, schemas }: MethodsAndSchemas): NamedSchemas {
  const starts = [...methods].flatMap(({ id, request, response }) =>
    (["request", "response"] as const).flatMap((direction) =>
      [...namesIn(direction === "request" ? request : response)].map((node) => ({ methodId: id, direction, node })),
    ),
  );
  const inside = new Map([...schemas].map(([name, schema]) => [name, namesIn(schema)]));
  const next = (name: string) => inside.get(name) ?? none;
  const nodes = starts.map(({ node }) => node);
  return { starts, next, used: closureOf(nodes, next) };
}

const none: ReadonlySet<string> = new Set();

function namesIn(schema: SchemaDocument | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = schema === undefined ? [] : [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.$ref !== undefined) names.add(next.$ref);
    for (const child of childrenOf(next)) waiting.push(child);
  }
  return names;
}

/**
 * Reports added and removed schemas. Requests and responses contain no schema names, so both are compatible: the
 * references to a schema have their own changes. A removed schema without references is breaking if values of any type
 * may contain it.
 *
 * @param isCarried whether only values of any type may contain the old schema with a name
 */
function reportAddedAndRemoved(
  old: MethodsAndSchemas,
  now: MethodsAndSchemas,
  pairs: readonly Pair[],
  named: { readonly old: NamedSchemas; readonly now: NamedSchemas },
  isCarried: (name: string) => boolean,
  report: ReportChange,
): boolean {
  const renamed = pairs
    .filter(({ relation }) => relation === "renamed")
    .flatMap(({ names }) => names.filter((name) => name !== undefined));
  const [before, after] = [[...old.schemas.keys()], [...now.schemas.keys()]];
  const removed = missingFrom(missingFrom(before, after), renamed);
  const added = missingFrom(missingFrom(after, before), renamed);
  const removedFrom = reachedBy(named.old.starts, named.old.next, removed);
  const addedTo = reachedBy(named.now.starts, named.now.next, added);
  for (const name of removed) {
    const breaks = isCarried(name);
    const inClass = breaks ? "breaking" : "compatible";
    const text = breaks ? "was removed, though it may occur in values of any type" : "was removed";
    const reaches = removedFrom.byNode.get(name);
    report(changeOf({ kind: "schema-removed", class: inClass, subject: name, text, reaches }));
  }
  for (const name of added) {
    const reaches = addedTo.byNode.get(name);
    report(changeOf({ kind: "schema-added", class: "compatible", subject: name, text: "is new", reaches }));
  }
  return !removedFrom.isCut && !addedTo.isCut;
}
