import { InputError } from "../../errors";
import type { ValueObject } from "../value";
import { certificateManagerRows } from "./certificate-manager";
import { backendRows } from "./compute-backends";
import { frontendRows } from "./compute-frontends";
import { recordSetKind, zoneRow } from "./dns";
import { given } from "./given";
import type { DataKind } from "./kind";
import { projectData } from "./project-service";
import { restData } from "./rest";
import type { RestRow } from "./rest-row";
import { fill } from "./template";

/** Networks are read, and never made, in the cloud. */
const networkRow: RestRow = {
  type: "google_compute_network",
  service: "compute",
  collection: "projects/{project}/global/networks",
  apiNames: { network_id: "id", gateway_ipv4: "gatewayIPv4", subnetworks_self_links: "subnetworks" },
  forceNew: [],
};

const readable = new Set([
  "google_certificate_manager_certificate_map",
  "google_compute_address",
  "google_compute_backend_service",
  "google_compute_forwarding_rule",
  "google_compute_global_address",
  "google_compute_global_forwarding_rule",
  "google_compute_health_check",
  "google_compute_network",
  "google_compute_region_backend_service",
  "google_compute_region_ssl_certificate",
  "google_compute_ssl_certificate",
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

/** What the provider itself was given. */
const clientConfigData: DataKind = {
  type: "google_client_config",
  read: async (_, { settings }) => ({
    id: `projects/${settings.project ?? ""}/regions/${settings.region ?? ""}/zones/${settings.zone ?? ""}`,
    project: settings.project ?? null,
    region: settings.region ?? null,
    zone: settings.zone ?? null,
    access_token: settings.accessToken,
    default_labels: settings.defaultLabels,
  }),
};

export const dataKinds: readonly DataKind[] = [
  ...[...certificateManagerRows, ...frontendRows, ...backendRows, zoneRow, networkRow]
    .filter(({ type }) => readable.has(type))
    .map((row) => restData(row)),
  recordSetData,
  clientConfigData,
  projectData,
];

function withoutNull(values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
