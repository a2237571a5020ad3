/**
 * Administrative audit events (specification 2): a typed catalog, lenient and strict reading, the console's messages,
 * and documents of the Elastic Common Schema. Also a client, a tail that writes each event once, a change-freeze guard,
 * and the service itself for tests and rehearsals.
 *
 * @packageDocumentation
 */
export * from "./catalogue";
export * from "./client";
export * from "./ecs";
export * from "./freeze";
export * from "./messages";
export {
  type ActivityFilter,
  type ActivityPage,
  type ActivityQuery,
  type ActivitySource,
  checkQuery,
  type FilterOperator,
  type FurtherFilter,
  formatFilters,
  isFilterQuery,
  matchingEvents,
  meetsFilter,
  parseFilters,
  retentionDays,
  retentionStart,
  type UnreadableRecord,
} from "./query";
export {
  type Activity,
  type ActivityEvent,
  type ActivityId,
  type Actor,
  allParameters,
  eventKey,
  eventKeys,
  type KnownEvent,
  type OtherParameter,
  type ParameterValue,
  parseActivity,
  type ReadOptions,
  type RecordedTime,
  type RecordFinding,
  type RecordReading,
  readJson,
  readRecords,
  readTime,
  type UnknownEvent,
} from "./reading";
export * from "./service";
export * from "./tail";
