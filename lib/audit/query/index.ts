export { type ActivityFilter, type FilterOperator, formatFilters, meetsFilter, parseFilters } from "./filters";
export { likeness, nearest } from "./nearest";
export {
  type ActivityQuery,
  checkQuery,
  type FurtherFilter,
  isFilterQuery,
  maxResultsLimit,
  retentionDays,
  retentionStart,
} from "./query";
export { type ActivityPage, type ActivitySource, matchingEvents, type UnreadableRecord } from "./source";
