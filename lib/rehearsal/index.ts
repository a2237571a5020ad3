export type { Probe } from "./prober";
export { type RehearsalOptions, type RehearsalResult, rehearse, type StepResult } from "./rehearsal";
export { type Script, type StackVariant, scriptOf } from "./script";
export type { StackJson } from "./stack";
