import { InputError } from "../../errors";
import { writeComputeScope } from "../../resource-names";
import { type ValueObject, withoutNull } from "../value";
import { certificateManagerRows } from "./certificate-manager";
import { backendRows } from "./compute-backends";
import { frontendRows } from "./compute-frontends";
import { sslRows } from "./compute-ssl";
import { recordSetKind, zoneRow } from "./dns";
import { type KeptRow, keptRows } from "./kept";
import type { DataKind } from "./kind";
import { projectData } from "./project-service";
import { fill, given } from "./resource-id";
import { restData } from "./rest";

const readable = new Set([
  "google_certificate_manager_certificate_map",
  "google_compute_address",
  "google_compute_backend_service",
  "google_compute_forwarding_rule",
  "google_compute_global_address",
  "google_compute_global_forwarding_rule",
  "google_compute_health_check",
  "google_compute_region_backend_service",
  "google_compute_region_ssl_certificate",
  "google_compute_ssl_certificate",
  "google_compute_ssl_policy",
  "google_dns_managed_zone",
]);

const recordSetData: DataKind = {
  type: "google_dns_record_set",
  read: async (config, call) => {
    const values = { ...given(call.settings), ...withoutNull(config) };
    const found = await recordSetKind.read(values, call);
    if (found !== undefined) return found;
    const name = fill("{managed_zone}/{name}/{type}", values);
    throw new InputError("not-found", `google_dns_record_set: ${name} is not there`);
  },
};

/** Returns the settings of the provider block. */
const clientConfigData: DataKind = {
  type: "google_client_config",
  sensitive: ["access_token"],
  read: async (_, { settings }) => ({
    id: `${writeComputeScope({ project: settings.project ?? "", region: settings.region ?? "" })}/zones/${settings.zone ?? ""}`,
    project: settings.project ?? null,
    region: settings.region ?? null,
    zone: settings.zone ?? null,
    access_token: settings.accessToken,
    default_labels: settings.defaultLabels,
  }),
};

/**
 * Returns a data source for a type that the cloud does not have. Every name exists, and all attributes are derived from
 * the name.
 */
function madeUpData(row: KeptRow): DataKind {
  return {
    type: row.type,
    read: async (config, { settings }) => {
      const values: ValueObject = { ...given(settings), ...withoutNull(config) };
      const computed = Object.entries(row.computed ?? {}).map(([name, template]) => [name, fill(template, values)]);
      return { ...values, ...Object.fromEntries(computed), id: fill(row.id, values) };
    },
  };
}

/** Types that the cloud does not have: every name exists, and the values are derived from the name. */
export const derivedDataTypes: ReadonlySet<string> = new Set(["google_compute_network", "google_compute_subnetwork"]);

export const dataKinds: readonly DataKind[] = [
  ...[...certificateManagerRows, ...frontendRows, ...backendRows, ...sslRows, zoneRow]
    .filter(({ type }) => readable.has(type))
    .map(restData),
  ...keptRows.filter(({ type }) => derivedDataTypes.has(type)).map(madeUpData),
  recordSetData,
  clientConfigData,
  projectData,
];
