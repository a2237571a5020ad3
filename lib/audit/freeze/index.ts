export { type EvaluateOptions, evaluateFreeze } from "./evaluate";
export { type FreezeEvidence, type GatherOptions, gatherEvidence } from "./gather";
export { compareVerdicts, recordVerdict, type VerdictChange, type VerdictRecord } from "./history";
export {
  type AllowedChange,
  type AllowRule,
  type EvidenceGap,
  type ExpectedChange,
  type Freeze,
  type FreezeReport,
  isViolation,
  notWatched,
  type Violation,
} from "./model";
export { readFreeze } from "./read";
