export type { Timeline } from "./model";
export { createTimelineRecorder, type TimelineRecorder } from "./recorder";
