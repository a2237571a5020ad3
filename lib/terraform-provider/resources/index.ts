import { behaviorOf, type ProviderBehavior } from "../provider-version";
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

const globalSchemeTypes: ReadonlySet<string> = new Set([
  "google_compute_global_forwarding_rule",
  "google_compute_backend_service",
]);

/** What the cloud has, as one version of the provider treats it. */
export function cloudKindsOf(behavior: ProviderBehavior): readonly ResourceKind[] {
  return [...restRows.map((row) => restKind(asOf(row, behavior))), zoneKind, recordSetKind, projectServiceKind];
}

/** What the cloud has, as the oldest version treats it. */
export const cloudKinds: readonly ResourceKind[] = cloudKindsOf(behaviorOf("6.50.0"));

/** Rows say what 6.50.0 does. */
function asOf(row: RestRow, { updatesSelfManaged, sslProxyHoldsBoth, globalScheme }: ProviderBehavior): RestRow {
  if (row.type === "google_certificate_manager_certificate" && updatesSelfManaged) {
    return { ...row, forceNew: row.forceNew.filter((name) => name !== "self_managed") };
  }
  if (row.type === "google_compute_target_ssl_proxy" && sslProxyHoldsBoth) {
    const { exactlyOne: _, ...others } = row;
    return others;
  }
  if (!globalSchemeTypes.has(row.type)) return row;
  return { ...row, defaults: { ...row.defaults, load_balancing_scheme: globalScheme } };
}
