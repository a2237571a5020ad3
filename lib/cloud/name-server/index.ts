export { type Answer, answerQuestion, type Question } from "./answer";
export { canonicalName, isAtOrBelow, parentName, readDomainName } from "./domain-name";
export { createResolver, type Resolution, type Resolver, type ResolverOptions } from "./resolver/resolver";
export type { AnswerFault } from "./respond";
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
