export { reportCodes } from "./codes";
export type {
  DoctorRecord,
  RehearsalRecord,
  Rehearsed,
  RehearsedInput,
  RehearsedMigration,
  ReportData,
  StatusSnapshot,
  Verification,
  WatchRecord,
} from "./model";
export { renderReport } from "./page/page";
export {
  createWatchLogReader,
  type Read,
  readDoctorFile,
  readRehearsalFile,
  readStatusFile,
  readVerifyFile,
  type SourceText,
  type WatchLogReader,
} from "./read";
export { summarizeReport, titleOf } from "./summary";
