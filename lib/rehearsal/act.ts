import type { Stage } from "./stage";

/** An action on a migration, and its expected result. */
export interface Act {
  readonly name: string;
  /** Runs the action. @returns whether it succeeded; failed handshakes are counted separately */
  readonly run: (stage: Stage) => Promise<boolean>;
}
