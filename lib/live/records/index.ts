export { checkRecord, checkRecords, type RecordCheck } from "./check";
export { type RecordVerdict, recordCodes } from "./codes";
export {
  authorizationParents,
  type ChallengeRecord,
  gatherRecords,
  needsAuthorizations,
  type Records,
  zoneFile,
} from "./records";
