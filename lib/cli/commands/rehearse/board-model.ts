import type { RehearsalOptions } from "../../../rehearsal";

/** How a rehearsal is shown while it goes on: a board that moves on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface RehearsalBoard {
  /** To be given to the rehearsal. */
  readonly hooks: Pick<RehearsalOptions, "onProbe" | "onStretch" | "onTerraform">;
  /** A line that stays; made safe here. */
  readonly say: (line: string) => void;
  /** Takes the board away. */
  readonly end: () => void;
}
