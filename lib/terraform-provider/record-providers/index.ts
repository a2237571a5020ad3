export {
  type HostedRecord,
  hostedRecordOf,
  hostedRecordTypes,
  recordProviderSources,
  zoneLookups,
} from "./record-types";
export { type RecordHost, type RecordProviders, startRecordProviders } from "./start";
