export { parseActivity, type ReadOptions } from "./activity";
export { elasticFieldOf } from "./forms";
export { isJson, readJson } from "./json";
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
export { allParameters } from "./parameters";
export { type RecordReading, readRecords } from "./records";
export { type RecordedTime, readTime } from "./time";
export { type Data, defined, isData, own, textOf } from "./values";
