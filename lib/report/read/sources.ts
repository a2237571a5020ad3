import type { Problem } from "../../errors";

/** A file from the command line, as it was read. */
export interface SourceText {
  /** Name of the file in problems and in the report. */
  readonly source: string;
  readonly text: string;
  /** When the file was last modified. The report uses this time if the file itself contains no time. */
  readonly modifiedAt: Date;
}

/** The content of a file, or all of its problems. */
export type Read<Part> = { readonly part: Part } | { readonly problems: readonly Problem[] };

/** Note for a part whose file contains no time. */
export const timeOfFile = "its time is that of the file";
