import { apiDisturbances } from "./api";
import type { Disturbance } from "./disturbance";
import { gateDisturbances } from "./gates";
import { killDisturbances } from "./kills";
import { validationDisturbances } from "./validation";

export { beginnings } from "./creations";
export type { Disturbance };

/** Values of `rehearse --faults NAME`. The fault matrix also runs each of them. */
export const disturbances: readonly Disturbance[] = [
  ...apiDisturbances,
  ...validationDisturbances,
  ...killDisturbances,
  ...gateDisturbances,
];
