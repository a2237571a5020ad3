import type { Method } from "./method";
import { mistakesBetween } from "./nearest-name";

/** Suggestions that are as near as each other, at most. */
const mostSuggestions = 3;
/** What a segment costs that was left out, as `projects.locations` in `certificates.get`; less than a typing mistake. */
const leftOut = 0.25;

/**
 * The methods that a mistyped id may have meant, nearest first; ids may be short of segments, as in `certificates.get`.
 *
 * A suggestion never turns a read into a write: for the id of a read only reads are suggested, and where a read and a write are as near, the read is.
 * Where the method's name is right, only methods of that name are suggested. Of methods that are as near, those of the same HTTP verb come first.
 */
export function nearestMethods(typed: string, methods: Iterable<Method>): readonly Method[] {
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
  return (reads.length > 0 ? reads : nearest).slice(0, mostSuggestions);
}

interface Meaning {
  readonly allows: (method: Method) => boolean;
  readonly verbs: ReadonlySet<string>;
}

/** What the last word of an id says about the method, as far as the API's other methods tell. */
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

/** Names of methods that only read, also where a POST carries the question. */
const readingName =
  /^(?:aggregated|batchget|check|count|describe|download|export|fetch|find|get|list|look|query|read|search|show|test)/i;

function isRead(method: Method): boolean {
  return method.httpMethod === "GET" || method.httpMethod === "HEAD" || readingName.test(lastSegment(method.id));
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}

/** How far an id is from what was typed: typing mistakes over the whole of it, or segment by segment where some were left out. */
function nearness(typed: string, id: string): number | undefined {
  const whole = mistakesBetween(typed, id);
  // Two methods of one resource may be as near as a few letters: the last word has to be near by itself.
  const isNear =
    whole !== undefined && (whole <= 1 || mistakesBetween(lastSegment(typed), lastSegment(id)) !== undefined);
  const [segments, known] = [typed.split("."), id.split(".")];
  const bySegments = nearnessBySegments(segments, known) ?? (isReordered(segments, known) ? reordered : undefined);
  if (!isNear) return bySegments;
  return bySegments === undefined ? whole : Math.min(whole, bySegments);
}

/** What segments in another order cost. */
const reordered = 2;

/** Each segment that was typed has to be near one of the id's, in their order, and the last one near the last one. */
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
      if (mistakes === undefined) cost += leftOut;
    } while (mistakes === undefined && at > which && !isLast);
    if (mistakes === undefined) return undefined;
    cost += mistakes;
  }
  return cost + at * leftOut;
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
