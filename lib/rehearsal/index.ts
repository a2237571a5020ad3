export { openKnownTypes } from "../terraform-provider";
export { checkEvidence } from "./evidence/check-evidence";
export { checkVersion } from "./evidence/check-version";
export { keepEvidence } from "./evidence/evidence";
export { findTerraform } from "./find-terraform";
export { checkFolder, openFolder } from "./folder";
export { type OwnStackOptions, ownStackOf, refuseUnrehearsed, type Unrehearsed } from "./own-stack";
export type { StepResult, Stretch } from "./play";
export type { Probe } from "./probe";
export { type RehearsalOptions, type RehearsalResult, rehearse } from "./rehearsal";
export {
  disturbances,
  renewalUnderGates,
  runScenario,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
  scenarios,
} from "./scenarios";
export { type Script, type StackVariant, scriptOf } from "./script";
export type { StackJson } from "./stack";
