import { InputError } from "../errors";
import { editDistance } from "../text/edit-distance";
import { escapeUnsafe, quote } from "../text/quote";
import type { Method } from "./method";

/** Maximum length of a compared name. A longer name is not a typing mistake, and the comparison would take too long. */
const longestName = 300;
/** Maximum number of mistakes. With more mistakes, the names are different. */
const mostMistakes = 3;

/**
 * Counts missing, added, changed or swapped letters without regard to case. Returns undefined if the names are
 * different: more than 3 mistakes, or more than one in three letters.
 */
function mistakesBetween(typed: string, known: string): number | undefined {
  if (typed.length > longestName) return undefined;
  const allowed = Math.min(mostMistakes, Math.floor(Math.min(typed.length, known.length) / 3));
  if (Math.abs(typed.length - known.length) > allowed) return undefined;
  const mistakes = editDistance(typed.toLowerCase(), known.toLowerCase());
  return mistakes <= allowed ? mistakes : undefined;
}

/** Returns the known name with the fewest typing mistakes, the first of several; undefined if no name is similar. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly mistakes: number } | undefined;
  for (const name of known) {
    const mistakes = mistakesBetween(typed, name);
    if (mistakes !== undefined && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY)) best = { name, mistakes };
  }
  return best?.name;
}

const mostSuggestions = 3;
/** Distance of a missing segment, as in `certificates.get`; less than a typing mistake. */
const missingSegment = 0.25;

/**
 * Returns the methods that a mistyped id may mean, most similar first. Ids may omit segments, for example
 * `certificates.get`. A suggestion never replaces a read with a write, and a deletion never stands beside another
 * write. If the method's name is correct, only methods of that name are suggested. Of equally similar methods, those
 * with the same HTTP verb come first.
 */
function nearestMethods(typed: string, methods: Iterable<Method>): readonly Method[] {
  const all = [...methods];
  const meant = meaningOf(typed, all);
  const scored = all.flatMap((method) => {
    if (!meant.allows(method)) return [];
    const score = nearness(typed, method.id);
    return score === undefined ? [] : [{ method, score: score + (meant.verbs.has(method.httpMethod) ? 0 : 0.1) }];
  });
  const best = Math.min(...scored.map(({ score }) => score));
  const nearest = scored.flatMap(({ method, score }) => (score === best ? [method] : []));
  const reads = nearest.filter(isRead);
  const kept = nearest.filter(({ httpMethod }) => httpMethod !== "DELETE");
  return ([reads, kept].find(({ length }) => length > 0) ?? nearest).slice(0, mostSuggestions);
}

/** Returns a method by id. @throws {@link InputError} `method-unknown` */
export function findMethod(methods: ReadonlyMap<string, Method>, id: string, api: string): Method {
  const method = methods.get(id);
  if (method !== undefined) return method;
  const near = nearestMethods(id, methods.values()).map((candidate) => quote(candidate.id));
  const hint =
    near.length === 0 ? `it has ${methods.size}, none with a name like it` : `did you mean ${near.join(" or ")}?`;
  throw new InputError("method-unknown", `${escapeUnsafe(api)} has no method ${quote(id)}; ${hint}`);
}

interface Meaning {
  readonly allows: (method: Method) => boolean;
  readonly verbs: ReadonlySet<string>;
}

function meaningOf(typed: string, methods: readonly Method[]): Meaning {
  const name = lastSegment(typed).toLowerCase();
  const namesakes = methods.filter((method) => lastSegment(method.id).toLowerCase() === name);
  if (namesakes.length > 0) return { allows: (method) => namesakes.includes(method), verbs: verbsOf(namesakes) };
  const near = withFewestMistakes(name, methods);
  const isReading = readingName.test(name) || (near.length > 0 && near.every(isRead));
  return { allows: isReading ? isRead : () => true, verbs: verbsOf(near) };
}

function withFewestMistakes(name: string, methods: readonly Method[]): readonly Method[] {
  const counted = methods.flatMap((method) => {
    const mistakes = mistakesBetween(name, lastSegment(method.id));
    return mistakes === undefined ? [] : [{ method, mistakes }];
  });
  const fewest = Math.min(...counted.map(({ mistakes }) => mistakes));
  return counted.flatMap(({ method, mistakes }) => (mistakes === fewest ? [method] : []));
}

function verbsOf(methods: readonly Method[]): ReadonlySet<string> {
  return new Set(methods.map(({ httpMethod }) => httpMethod));
}

/** Matches names of methods that only read, including reads with a POST request. */
const readingName =
  /^(?:aggregated|batchget|check|count|describe|download|export|fetch|find|get|list|look|preview|query|read|search|show|test)/i;

function isRead(method: Method): boolean {
  return method.httpMethod === "GET" || method.httpMethod === "HEAD" || readingName.test(lastSegment(method.id));
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}

function nearness(typed: string, id: string): number | undefined {
  const whole = mistakesBetween(typed, id);
  // Two methods of one resource can differ by a few letters only, so the last word must be similar by itself.
  const isNear =
    whole !== undefined && (whole <= 1 || mistakesBetween(lastSegment(typed), lastSegment(id)) !== undefined);
  const [segments, known] = [typed.split("."), id.split(".")];
  const bySegments = nearnessBySegments(segments, known) ?? (isReordered(segments, known) ? reordered : undefined);
  if (!isNear) return bySegments;
  return bySegments === undefined ? whole : Math.min(whole, bySegments);
}

/** Distance of segments in another order. */
const reordered = 2;

/** Each typed segment must be similar to a segment of the id, in the same order, and the last two to each other. */
function nearnessBySegments(typed: readonly string[], known: readonly string[]): number | undefined {
  if (typed.length > known.length) return undefined;
  let cost = 0;
  let at = known.length;
  for (let which = typed.length - 1; which >= 0; which--) {
    const isLast = which === typed.length - 1;
    let mistakes: number | undefined;
    do {
      at--;
      mistakes = at < which ? undefined : mistakesBetween(typed[which] ?? "", known[at] ?? "");
      if (mistakes === undefined) cost += missingSegment;
    } while (mistakes === undefined && at > which && !isLast);
    if (mistakes === undefined) return undefined;
    cost += mistakes;
  }
  return cost + at * missingSegment;
}

function isReordered(typed: readonly string[], known: readonly string[]): boolean {
  const [a, b] = [typed, known].map((segments) =>
    segments
      .map((text) => text.toLowerCase())
      .sort()
      .join("."),
  );
  return typed.length === known.length && typed.at(-1) === known.at(-1) && a === b;
}
