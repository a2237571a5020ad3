export { assessPass } from "./assess";
export { certificatesPerPage, keptOf } from "./kept";
export { type MetricsFormat, type MetricsPage, metricsPage, type PassOutcome } from "./metrics";
export type { MonitoredHostname, MonitorPass } from "./model";
export { isInShard, migrationsOfShard, type Shard } from "./shard";
