export { assessPass } from "./assess";
export { type FallbackChecks, fallbackChecks } from "./fallbacks";
export { keepLittle, pageSizes } from "./kept";
export { type MetricsFormat, type MetricsPage, metricsPage, type PassOutcome } from "./metrics";
export type { MonitoredHostname, MonitorPass } from "./model";
export { joinPasses, type MonitoredPart, partsOf } from "./parts";
export { isInShard, migrationsOfShard, type Shard } from "./shard";
