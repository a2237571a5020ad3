export { parseActivity, type ReadOptions } from "./activity";
export { readJson } from "./json";
export { eventKey, eventKeys } from "./key";
export type {
  Activity,
  ActivityEvent,
  ActivityId,
  Actor,
  KnownEvent,
  OtherParameter,
  ParameterValue,
  RecordFinding,
  UnknownEvent,
} from "./model";
export { type RecordReading, readRecords } from "./records";
export { type RecordedTime, readTime } from "./time";
export { allParameters } from "./values";
