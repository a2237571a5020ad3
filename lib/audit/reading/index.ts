export { parseActivity, type ReadOptions } from "./activity";
export { readLosslessJson } from "./json";
export { eventKey, eventKeys } from "./key";
export type {
  Activity,
  ActivityEvent,
  ActivityId,
  Actor,
  AuditParameterValue,
  KnownEvent,
  OtherParameter,
  RecordFinding,
  UnknownEvent,
} from "./model";
export { type RecordReading, readRecords } from "./records";
export { type RecordedTime, readTime } from "./time";
export { allParameters } from "./values";
