export { reportCodes } from "./codes";
export type {
  DoctorRecord,
  EndedPart,
  RehearsalEvent,
  RehearsalRecord,
  RehearsalTimeline,
  Rehearsed,
  RehearsedCertificate,
  RehearsedInput,
  RehearsedMigration,
  ReportData,
  ServedRun,
  StatusSnapshot,
  Verification,
  WatchRecord,
} from "./model";
export { renderReport } from "./page/page";
export { partRows, partStateLabel } from "./part-rows";
export type { Read, SourceText } from "./read/field-reader";
export { readDoctorFile, readStatusFile, readVerifyFile } from "./read/files";
export { readRehearsalFile } from "./read/rehearsal";
export { createWatchLogReader, type WatchLogReader } from "./read/watch-log";
export { judgeReport, summarizeReport, titleOf } from "./summary";
