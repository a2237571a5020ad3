/** A deviation of a value from its description, or a use that the description advises against. */
export interface Finding {
  /** Stable code, kebab-case. */
  readonly code: FindingCode;
  /**
   * `error`: the service would refuse the value. `warning`: the service ignores the value, or the value is newer than
   * the description.
   */
  readonly severity: "error" | "warning";
  /** JSON Pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  /** Problem and allowed values. One line, lower case, no final period. */
  readonly message: string;
}

export type FindingCode =
  | "type"
  | "format"
  | "pattern"
  | "pattern-unchecked"
  | "enum"
  | "minimum"
  | "maximum"
  | "required"
  | "unknown-property"
  | "read-only"
  | "deprecated"
  | "too-deep"
  | "too-large"
  | "reference-dangling";
