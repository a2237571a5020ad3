export { type CursorStore, cursorFile, type TailCursor } from "./cursor";
export { fileSink, streamSink, type TailSink } from "./sink";
export type { TailEntry } from "./sweep";
export { type SweepNotice, type TailOptions, tailActivities } from "./tail";
