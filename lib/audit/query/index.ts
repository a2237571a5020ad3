export { type ActivityFilter, type FilterOperator, formatFilters, meetsFilter, parseFilters } from "./filters";
export {
  type ActivityPage,
  type ActivityQuery,
  type ActivitySource,
  checkQuery,
  type FurtherFilter,
  isFilterQuery,
  matchingEvents,
  retentionDays,
  retentionStart,
  type UnreadableRecord,
} from "./query";
