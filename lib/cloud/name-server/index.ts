export { type Answer, type AnsweredRecords, answerQuestion, type Question } from "./answer";
export { canonicalName, parentName, readDomainName } from "./domain-name";
export type { Rcode } from "./numbers";
export type { ReceivedRecord } from "./resolver/message";
export { createResolver, type Resolution, type Resolver, type ResolverOptions } from "./resolver/resolver";
export type { AnswerFault, Transport } from "./respond";
export {
  formatRrdata,
  isRecordType,
  parseRrdata,
  type RecordType,
  type Rrdata,
  readRrdata,
  recordTypes,
} from "./rrdata/rrdata";
export { type NameServer, type NameServerOptions, type QueryRecord, startNameServer } from "./server";
export { createZone, createZoneSource, type RecordSet, type Zone, type ZoneSource } from "./zone";
