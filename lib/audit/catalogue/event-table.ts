import type { ParameterName } from "./parameters";

/** A row of one of the four tables of events. */
export interface EventRow {
  /** Parameters that specification 2 shows, in its order. */
  readonly parameters: readonly ParameterName[];
  /** Parameters that published records have although the specification does not show them. */
  readonly observed?: readonly ParameterName[];
  /**
   * Message of the console. `{PARAMETER}` is replaced by a value, `<VENDOR>` and `<PARTNER>` by the name of a company.
   */
  readonly message: string;
}

/** Events of one type, by name. */
export type EventTable = Readonly<Record<string, EventRow>>;
