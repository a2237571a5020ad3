import type { MarkedState } from "../text/state-marks";
import type { Tone } from "./style";

/** Colors of states, the same in every command. */
export const stateTones: Readonly<Record<MarkedState, Tone>> = {
  done: "good",
  waiting: "pending",
  todo: "faint",
  failed: "bad",
  stopped: "pending",
  unknown: "pending",
  none: "faint",
};
