import type { RehearsalOptions } from "../../../rehearsal";

/** Shows the progress of a rehearsal: a moving board on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface RehearsalBoard {
  /** Hooks to pass to the rehearsal. */
  readonly hooks: Pick<RehearsalOptions, "onProbe" | "onPart" | "onTerraform">;
  /** Prints a line that stays; made safe here. */
  readonly say: (line: string) => void;
  /**
   * Prints a text, made safe by the caller, and stops moving output, so that the text can be copied.
   *
   * @returns a function that continues the output
   */
  readonly freeze: (text: string) => () => void;
  /** Removes the board. */
  readonly end: () => void;
}
