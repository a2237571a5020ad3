import { apiDisturbances } from "./api";
import type { Disturbance } from "./disturbance";
import { gateDisturbances } from "./gates";
import { killDisturbances } from "./kills";
import { validationDisturbances } from "./validation";

export { beginnings } from "./creations";
export type { Disturbance };

/** What `rehearse --faults NAME` knows. The fault matrix runs each of them, too. */
export const disturbances: readonly Disturbance[] = [
  ...apiDisturbances,
  ...validationDisturbances,
  ...killDisturbances,
  ...gateDisturbances,
];
