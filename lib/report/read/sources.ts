import type { Problem } from "../../errors";

/** A file of the command line, as it was read. */
export interface SourceText {
  /** As it is told in problems and in the report. */
  readonly source: string;
  readonly text: string;
  /** When the file was written last: its time where it tells none of its own. */
  readonly modifiedAt: Date;
}

/** What a file says, or everything that is wrong with it. */
export type Read<Part> = { readonly part: Part } | { readonly problems: readonly Problem[] };

/** Note for a time that the file itself does not tell. */
export const timeOfFile = "its time is that of the file";
