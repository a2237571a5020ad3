export { watchCodes } from "./codes";
export type {
  WatchGap,
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
export { authoritativeResolver, type ResolverAnswer, resolverAt, type WatchResolver } from "./resolvers";
export { findStandIns, type StandIns } from "./stand-ins";
export type { WatchChange, WatchStanding } from "./tally";
export { type WatchOptions, watchTraffic } from "./watch";
