/** Something about a value that its description doesn't allow, or advises against. */
export interface Finding {
  /** Stable, kebab-case. */
  readonly code: FindingCode;
  /** `error`: the service would refuse it. `warning`: it is ignored, or newer than the description. */
  readonly severity: "error" | "warning";
  /** JSON Pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  /** What is wrong and what is allowed. One line, lower case, no final period. */
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
