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
