export type { Check } from "./check";
export { runChecks } from "./run";
