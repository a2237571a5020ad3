import { behaviorOf, type ProviderBehavior } from "../provider-version";
import { caPoolRow, certificateAuthorityKind } from "./certificate-authority";
import { certificateManagerRows } from "./certificate-manager";
import { backendRows } from "./compute-backends";
import { frontendRows } from "./compute-frontends";
import { proxyRows } from "./compute-proxies";
import { sslRows } from "./compute-ssl";
import { recordSetKind, zoneKind, zoneRow } from "./dns";
import type { ResourceKind } from "./kind";
import { logBucketKind } from "./log-bucket";
import { monitoringKinds } from "./monitoring";
import { projectServiceKindOf } from "./project-service";
import { restKind } from "./rest";
import type { RestRow } from "./rest-row";

export { dataKinds, derivedDataTypes } from "./data";
export { anyKeptRow, keptKind, keptRows } from "./kept";
export { type DataKind, type ProviderCall, type ProviderSettings, type ResourceKind, UnreadError } from "./kind";

/** Types of the cloud that follow one pattern. */
const restRows: readonly RestRow[] = [
  ...certificateManagerRows,
  caPoolRow,
  ...proxyRows,
  ...frontendRows,
  ...backendRows,
  ...sslRows,
];

/** All types that are described by a row. */
export const describedRows: readonly RestRow[] = [...restRows, zoneRow];

const globalSchemeTypes: ReadonlySet<string> = new Set([
  "google_compute_global_forwarding_rule",
  "google_compute_backend_service",
]);

const sslCertificateTypes: ReadonlySet<string> = new Set([
  "google_compute_ssl_certificate",
  "google_compute_region_ssl_certificate",
]);

/** Returns the types of the cloud, with the behavior of one version of the provider. */
export function cloudKindsOf(behavior: ProviderBehavior): readonly ResourceKind[] {
  return [
    ...restRows.map((row) => restKind(asOf(row, behavior))),
    zoneKind,
    recordSetKind,
    logBucketKind,
    certificateAuthorityKind,
    projectServiceKindOf(behavior),
    ...monitoringKinds,
  ];
}

/** Types of the cloud, with the behavior of the oldest version. */
export const cloudKinds: readonly ResourceKind[] = cloudKindsOf(behaviorOf("6.50.0"));

/** Adapts a row to a version. Rows describe 6.50.0. */
function asOf(row: RestRow, behavior: ProviderBehavior): RestRow {
  const { updatesSelfManaged, sslProxyHoldsBoth, hasWriteOnlyKeys, replacesBackendOfNetwork, globalScheme } = behavior;
  if (row.type === "google_certificate_manager_certificate" && updatesSelfManaged) {
    return { ...row, forceNew: row.forceNew.filter((name) => name !== "self_managed") };
  }
  if (row.type === "google_compute_target_ssl_proxy" && sslProxyHoldsBoth) {
    const { exactlyOne: _, ...others } = row;
    return others;
  }
  if (sslCertificateTypes.has(row.type) && hasWriteOnlyKeys) {
    const forceNew = [...row.forceNew, "private_key_wo_version"];
    return { ...row, forceNew, exactlyOne: [["private_key", "private_key_wo"]] };
  }
  if (row.type === "google_compute_region_backend_service" && replacesBackendOfNetwork) {
    return { ...row, forceNew: [...row.forceNew, "network"] };
  }
  if (!globalSchemeTypes.has(row.type)) return row;
  return { ...row, defaults: { ...row.defaults, load_balancing_scheme: globalScheme } };
}
