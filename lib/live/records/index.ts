export { checkRecord, checkRecords, type RecordCheck } from "./check";
export { type RecordVerdict, recordCodes } from "./codes";
export { type DnsHost, dnsHostOf } from "./dns-hosts";
export { formatRecords, type RecordFormat, recordFormats } from "./formats";
export {
  authorizationParents,
  type ChallengeRecord,
  gatherRecords,
  needsAuthorizations,
  type Records,
  zoneFile,
} from "./records";
