export { readDoctorFile } from "./doctor";
export { readRehearsalFile } from "./rehearsed";
export type { Read, SourceText } from "./sources";
export { readStatusFile } from "./status";
export { readVerifyFile } from "./verify";
export { createWatchLogReader, type WatchLogReader } from "./watch-log";
