import type { DescriptionDocument } from "../document";
import type { Method } from "../method";
import { isFlatPathOf, pathBelowRoot } from "../paths";

/** A method, and the description that it stands in. */
export interface Placed {
  readonly method: Method;
  readonly document: DescriptionDocument;
}

/**
 * Whether a method answers at other URLs, or takes a value at another place of them.
 *
 * What its variables are called does not matter, as long as no name of both stands elsewhere. How they are split does not matter either where the flat
 * path, which has a variable for each segment, is the same; it is only believed where it is one of the addresses that the path stands for.
 */
export function hasMoved(old: Placed, now: Placed): boolean {
  const [before, after] = [flatAddress(old), flatAddress(now)];
  const isFlat = before !== undefined && after !== undefined;
  const isSame = isFlat
    ? addressShape(old.document, before) === addressShape(now.document, after)
    : addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  return !isSame || hasSwapped(old, now);
}

/** An address with its variables' names left out. */
export function addressShape(document: DescriptionDocument, path: string): string {
  return pathBelowRoot(document, path).replace(variable, "{$1}");
}

const variable = /\{(\+?)[^{}]*\}/g;

/** The address with one variable for each segment; undefined where nothing tells it. */
function flatAddress({ method: { path, document } }: Placed): string | undefined {
  if (!path.includes("{+")) return path;
  const { flatPath } = document;
  return flatPath !== undefined && isFlatPathOf(path, flatPath) ? flatPath : undefined;
}

/** Whether a variable that both have stands at another place. */
function hasSwapped(old: Placed, now: Placed): boolean {
  const [before, after] = [variablesOf(old.method), variablesOf(now.method)];
  const isSameForm = addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  if (isSameForm) return before.some((name, at) => after.includes(name) && after[at] !== name);
  // A variable of several segments takes the place of some: only the order can be told.
  const inOrder = before.filter((name) => after.includes(name));
  return after.filter((name) => before.includes(name)).some((name, at) => name !== inOrder[at]);
}

function variablesOf({ path }: Method): readonly string[] {
  return [...path.matchAll(/\{\+?([^{}]*)\}/g)].map((match) => match[1] ?? "");
}
