import type { DescriptionDocument } from "../document";
import type { Method } from "../method";
import { isFlatPathOf, pathBelowRoot } from "../paths";

/** A method and its description. */
export interface Placed {
  readonly method: Method;
  readonly document: DescriptionDocument;
}

/**
 * Returns whether a method has another URL, or takes a value from another part of the URL.
 *
 * The names of variables do not matter, unless a name of both paths is at another position. The way that variables
 * divide the path does not matter either, if the flat path is the same. The flat path has one variable per segment; it
 * is used only if it matches the path.
 */
export function hasMoved(old: Placed, now: Placed): boolean {
  const [before, after] = [flatAddress(old), flatAddress(now)];
  const isFlat = before !== undefined && after !== undefined;
  const isSame = isFlat
    ? addressShape(old.document, before) === addressShape(now.document, after)
    : addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  return !isSame || hasSwapped(old, now);
}

/** Returns an address without the names of its variables. */
export function addressShape(document: DescriptionDocument, path: string): string {
  return pathBelowRoot(document, path).replace(variable, "{$1}");
}

const variable = /\{(\+?)[^{}]*\}/g;

/** Returns the address with one variable per segment; undefined if it is unknown. */
function flatAddress({ method: { path, document } }: Placed): string | undefined {
  if (!path.includes("{+")) return path;
  const { flatPath } = document;
  return flatPath !== undefined && isFlatPathOf(path, flatPath) ? flatPath : undefined;
}

/** Returns whether a variable of both methods is at another position. */
function hasSwapped(old: Placed, now: Placed): boolean {
  const [before, after] = [variablesOf(old.method), variablesOf(now.method)];
  const isSameForm = addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  if (isSameForm) return before.some((name, at) => after.includes(name) && after[at] !== name);
  // A variable of several segments replaces several positions, so only the order can be compared.
  const inOrder = before.filter((name) => after.includes(name));
  return after.filter((name) => before.includes(name)).some((name, at) => name !== inOrder[at]);
}

function variablesOf({ path }: Method): readonly string[] {
  return [...path.matchAll(/\{\+?([^{}]*)\}/g)].map((match) => match[1] ?? "");
}
