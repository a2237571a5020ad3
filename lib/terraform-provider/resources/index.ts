import { certificateManagerRows } from "./certificate-manager";
import { backendRows } from "./compute-backends";
import { frontendRows } from "./compute-frontends";
import { proxyRows } from "./compute-proxies";
import { recordSetKind, zoneRow } from "./dns";
import type { ResourceKind } from "./kind";
import { restKind } from "./rest";

export { dataKinds } from "./data";
export { anyKeptRow, keptKind, keptRows } from "./kept";
export type { Call, DataKind, ProviderSettings, ResourceKind } from "./kind";

/** What the cloud has. */
export const cloudKinds: readonly ResourceKind[] = [
  ...[...certificateManagerRows, ...proxyRows, ...frontendRows, ...backendRows, zoneRow].map(restKind),
  recordSetKind,
];
