import { certificateManagerRows } from "./certificate-manager";
import { backendRows } from "./compute-backends";
import { frontendRows } from "./compute-frontends";
import { proxyRows } from "./compute-proxies";
import { recordSetKind, zoneKind, zoneRow } from "./dns";
import type { ResourceKind } from "./kind";
import { projectServiceKind } from "./project-service";
import { restKind } from "./rest";
import type { RestRow } from "./rest-row";

export { dataKinds } from "./data";
export { anyKeptRow, keptKind, keptRows } from "./kept";
export { type Call, type DataKind, type ProviderSettings, type ResourceKind, UnreadError } from "./kind";
export { logBucketKind } from "./log-bucket";

/** What the cloud has by one pattern. */
const restRows: readonly RestRow[] = [...certificateManagerRows, ...proxyRows, ...frontendRows, ...backendRows];

/** Every type that is described by a row. */
export const describedRows: readonly RestRow[] = [...restRows, zoneRow];

/** What the cloud has. */
export const cloudKinds: readonly ResourceKind[] = [
  ...restRows.map(restKind),
  zoneKind,
  recordSetKind,
  projectServiceKind,
];
