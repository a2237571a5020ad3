export { checkRecord, checkRecords, type RecordCheck, type RecordVerdict, recordVerdicts } from "./check";
export {
  authorizationParents,
  type ChallengeRecord,
  gatherRecords,
  needsAuthorizations,
  type Records,
  zoneFile,
} from "./records";
