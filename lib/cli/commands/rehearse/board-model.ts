import type { RehearsalOptions } from "../../../rehearsal";

/** Shows the progress of a rehearsal: a moving board on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface RehearsalBoard {
  /** Hooks to pass to the rehearsal. */
  readonly hooks: Pick<RehearsalOptions, "onProbe" | "onStretch" | "onTerraform">;
  /** Prints a line that stays; made safe here. */
  readonly say: (line: string) => void;
  /** Removes the board. */
  readonly end: () => void;
}
