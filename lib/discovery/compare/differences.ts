import type { ChangeClass, ChangeKind } from "./changes";

/** What a difference means where its place is sent by callers, and where it is received by them. */
export interface Effect {
  readonly request: ChangeClass;
  readonly response: ChangeClass;
}

export type Direction = keyof Effect;

/** Fewer values than before: callers may send a wrong one, readers see nothing new. */
export const narrows: Effect = { request: "breaking", response: "compatible" };
/** More values than before, of a kind that readers pass on unseen. */
export const widens: Effect = { request: "compatible", response: "compatible" };
/** More values than before, which readers may be unable to read. */
export const loosens: Effect = { request: "compatible", response: "breaking" };
export const breaks: Effect = { request: "breaking", response: "breaking" };
export const isCompatible: Effect = { request: "compatible", response: "compatible" };
export const isNoise: Effect = { request: "noise", response: "noise" };

/** A difference between two schemas, as long as it isn't known whether their place is sent or received. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  /** Follows the subject, as in "is gone". */
  readonly text: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Ends the subject, where only a part is meant, as in `=FAILED`. */
  readonly part?: string;
}

export type Say = (difference: Difference) => void;
