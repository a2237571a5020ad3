export type { Question, RecordSet, Zone, ZoneSource } from "./answer";
export { canonicalName, isAtOrBelow, parentName, readDomainName } from "./domain-name";
export type { AnswerFault } from "./respond";
export { isRecordType, parseRrdata, type Rrdata, readRrdata } from "./rrdata/rrdata";
export { type NameServer, type NameServerOptions, type QueryRecord, startNameServer } from "./server";
