import { createHash } from "node:crypto";
import { InputError } from "../../errors";
import { type Overlay, settle } from "../planning";
import { textValue, type ValueObject } from "../value";
import type { ResourceKind } from "./kind";
import { fill, given, parseImportId, placesOf, type Template } from "./resource-id";

/** A resource type that the cloud does not have. */
export interface KeptRow extends Overlay {
  readonly type: string;
  /** Template of the id; `{number}` stands for a number that the service would assign. */
  readonly id: Template;
  /** Computed attributes, by templates. @default none: they are null */
  readonly computed?: Readonly<Record<string, Template>>;
}

/**
 * Returns a resource type that the stand-in itself keeps. Its resources exist only in the state and in the memory of
 * the stand-in, so they never drift.
 *
 * @param kept resources by id, shared by all types
 */
export function keptKind(row: KeptRow, kept: Map<string, ValueObject>): ResourceKind {
  const key = (id: string) => `${row.type} ${id}`;
  const write = (values: ValueObject): ValueObject => {
    const settled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, settle(value)]));
    kept.set(key(textValue(values, "id")), settled);
    return settled;
  };
  return {
    type: row.type,
    overlay: row,
    create: async (planned) => {
      const numbered = { ...planned, number: numberOf(row.type, planned) };
      const id = fill(row.id, numbered);
      const computed = Object.entries(row.computed ?? {}).map(([name, template]) => [name, fill(template, numbered)]);
      return write({ ...planned, ...Object.fromEntries(computed), id });
    },
    // A resource that another process of the stand-in kept is unchanged.
    read: async (state) => write(state),
    update: async (_, planned) => write(planned),
    delete: async (state) => void kept.delete(key(textValue(state, "id"))),
    identify: (importId, settings) => {
      const places = placesOf(row.id);
      const id = places.includes("number")
        ? importId
        : fill(row.id, parseImportId(row.type, row.id, importId, given(settings)));
      const found = kept.get(key(id));
      if (found !== undefined) return found;
      const reason = "the stand-in stores this type itself, and no apply created it";
      throw new InputError("not-found", `${row.type} '${id}' does not exist; ${reason}`);
    },
  };
}

/** Returns a row for any type of the bindings. */
export function anyKeptRow(type: string): KeptRow {
  return { type, id: `${type}/{number}`, forceNew: [] };
}

/** Returns a number from a hash of the planned values, so that a resource has the same number in every run. */
function numberOf(type: string, planned: ValueObject): string {
  const text = JSON.stringify([type, planned], (_, value) => (typeof value === "bigint" ? String(value) : value));
  return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 15)}`).toString();
}

/**
 * Types other than certificates, load balancers and DNS that stacks of a migration contain. Source: the provider's
 * source code at 6.50.0.
 */
export const keptRows: readonly KeptRow[] = [
  // A changed name is updated in place. The metric with the previous name remains in the project, unmanaged.
  {
    type: "google_logging_metric",
    id: "{name}",
    forceNew: ["project", "metric_descriptor.labels.key", "metric_descriptor.labels.value_type"],
    defaults: { "metric_descriptor.unit": "1" },
  },
  {
    type: "google_logging_project_sink",
    id: "projects/{project}/sinks/{name}",
    forceNew: ["name", "project", "unique_writer_identity"],
    defaults: { unique_writer_identity: true },
    computed: { writer_identity: "serviceAccount:service-{number}@gcp-sa-logging.iam.gserviceaccount.com" },
  },
  {
    type: "google_logging_organization_sink",
    id: "organizations/{org_id}/sinks/{name}",
    forceNew: ["name", "org_id", "include_children"],
    defaults: { include_children: false },
    computed: { writer_identity: "serviceAccount:service-org-{number}@gcp-sa-logging.iam.gserviceaccount.com" },
  },
  {
    type: "google_logging_organization_bucket_config",
    id: "organizations/{organization}/locations/{location}/buckets/{bucket_id}",
    forceNew: ["organization", "location", "bucket_id"],
    defaults: { retention_days: 30 },
    computed: {
      name: "organizations/{organization}/locations/{location}/buckets/{bucket_id}",
      lifecycle_state: "ACTIVE",
    },
  },
  {
    type: "google_monitoring_notification_channel",
    id: "projects/{project}/notificationChannels/{number}",
    forceNew: ["project"],
    defaults: { enabled: true, force_delete: false },
    sensitive: ["sensitive_labels.auth_token", "sensitive_labels.password", "sensitive_labels.service_key"],
    computed: { name: "projects/{project}/notificationChannels/{number}" },
  },
  {
    type: "google_project_iam_member",
    id: "{project}/{role}/{member}",
    forceNew: ["project", "role", "member", "condition"],
    computed: { etag: "BwYAAAAAAAA=" },
  },
  {
    type: "google_storage_bucket",
    id: "{name}",
    forceNew: [
      ...["name", "project", "location", "custom_placement_config.data_locations"],
      ...["enable_object_retention", "hierarchical_namespace"],
    ],
    defaults: {
      force_destroy: false,
      storage_class: "STANDARD",
      default_event_based_hold: false,
      "soft_delete_policy.retention_duration_seconds": 604_800,
    },
    computed: { self_link: "https://www.googleapis.com/storage/v1/b/{name}", url: "gs://{name}" },
  },
  {
    type: "google_compute_network",
    id: "projects/{project}/global/networks/{name}",
    forceNew: [
      ...["name", "auto_create_subnetworks", "description", "enable_ula_internal_ipv6"],
      ...["internal_ipv6_range", "network_profile", "params", "project"],
    ],
    defaults: {
      auto_create_subnetworks: true,
      delete_default_routes_on_create: false,
      network_firewall_policy_enforcement_order: "AFTER_CLASSIC_FIREWALL",
    },
    computed: { self_link: "https://www.googleapis.com/compute/v1/projects/{project}/global/networks/{name}" },
  },
  {
    type: "google_compute_subnetwork",
    id: "projects/{project}/regions/{region}/subnetworks/{name}",
    forceNew: [
      ...["name", "description", "external_ipv6_prefix", "ip_collection", "network"],
      ...["params", "project", "region", "reserved_internal_range"],
    ],
    defaults: {
      "log_config.aggregation_interval": "INTERVAL_5_SEC",
      "log_config.filter_expr": "true",
      "log_config.flow_sampling": 0.5,
      "log_config.metadata": "INCLUDE_ALL_METADATA",
    },
    equivalences: { network: "link" },
    computed: {
      self_link: "https://www.googleapis.com/compute/v1/projects/{project}/regions/{region}/subnetworks/{name}",
    },
  },
];
