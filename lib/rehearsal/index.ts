export type { Probe } from "./prober";
export { type RehearsalOptions, type RehearsalResult, rehearse, type StackVariant, type StepResult } from "./rehearsal";
export type { StackJson } from "./terraform";
