import type { ChangeClass, ChangeKind } from "./changes";

/** Class of a difference for a place that callers send, and for a place that callers receive. */
export interface Effect {
  readonly request: ChangeClass;
  readonly response: ChangeClass;
}

export type Direction = keyof Effect;

/** Fewer values than before. Callers may send a value that is now invalid; readers get no new values. */
export const narrows: Effect = { request: "breaking", response: "compatible" };
/** More values than before, of a kind that readers pass on without reading. */
export const widens: Effect = { request: "compatible", response: "compatible" };
/** More values than before, which readers may be unable to read. */
export const loosens: Effect = { request: "compatible", response: "breaking" };
export const breaks: Effect = { request: "breaking", response: "breaking" };
export const isCompatible: Effect = { request: "compatible", response: "compatible" };
export const isNoise: Effect = { request: "noise", response: "noise" };

/** A difference between two schemas, before it is known whether the schemas are sent or received. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  /** Text after the subject, for example "was removed". */
  readonly text: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Suffix of the subject if the difference concerns only a part, for example `=FAILED`. */
  readonly part?: string;
}

export type Say = (difference: Difference) => void;
