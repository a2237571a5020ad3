export type { Question, ServedRecordSet, Zone, ZoneSource } from "./answer";
export { canonicalName, isDomainAtOrBelow, parentName, readDomainName } from "./domain-name";
export type { AnswerFault } from "./respond";
export { isRecordType, parseRrdata, type Rrdata, readRrdata } from "./rrdata/rrdata";
export { type NameServer, type NameServerOptions, type QueryRecord, startNameServer } from "./server";
