export { type WatchCode, watchCodes } from "./codes";
export type {
  WatchAbsence,
  WatchAnswer,
  WatchGap,
  WatchGapBegin,
  WatchGapReason,
  WatchHostname,
  WatchLine,
  WatchSample,
  WatchShare,
  WatchSide,
  WatchStart,
  WatchSummary,
  WatchVerdict,
} from "./model";
export type { WatchObservers, WatchOptions, WatchSchedule, WatchSubjects } from "./options";
export {
  type AuthoritativeOptions,
  authoritativeResolver,
  type ResolverAnswer,
  resolverAt,
  type WatchResolver,
} from "./resolvers";
export { findStandIns, type StandInOptions, type StandIns } from "./stand-ins";
export type { WatchChange, WatchFailing, WatchProgress } from "./tally";
export { watchTraffic } from "./watch";
