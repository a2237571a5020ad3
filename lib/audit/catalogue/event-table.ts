import type { ParameterName } from "./parameters";

/** A row of one of the four tables of events. */
export interface EventRow {
  /** Parameters that specification 2 shows, in its order. */
  readonly parameters: readonly ParameterName[];
  /** Parameters that the specification does not show but published records have. */
  readonly observed?: readonly ParameterName[];
  /** Text of the console: `{PARAMETER}` stands for a value, `<VENDOR>` and `<PARTNER>` for the name of a company. */
  readonly message: string;
}

/** One type's events by name. */
export type EventTable = Readonly<Record<string, EventRow>>;
