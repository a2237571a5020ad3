import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiDescription } from "./api-description";

const files = {
  "certificatemanager:v1": "certificatemanager.v1.json",
  "dns:v1": "dns.v1.json",
  "compute:v1": "compute.v1.json",
  "admin:reports_v1": "admin.reports_v1.json",
  "discovery:v1": "discovery.v1.json",
  "cloudbilling:v1": "cloudbilling.v1.json",
  "serviceusage:v1": "serviceusage.v1.json",
  "cloudresourcemanager:v1": "cloudresourcemanager.v1.json",
  "cloudresourcemanager:v3": "cloudresourcemanager.v3.json",
  "logging:v2": "logging.v2.json",
  "privateca:v1": "privateca.v1.json",
  "storage:v1": "storage.v1.json",
  "networksecurity:v1": "networksecurity.v1.json",
  "monitoring:v3": "monitoring.v3.json",
  "monitoring:v1": "monitoring.v1.json",
} as const;

/** Id of a description that is part of this project. */
export type OwnDescriptionId = keyof typeof files;

/** Ids of the descriptions that this package contains. */
export const ownDescriptionIds = Object.keys(files) as readonly OwnDescriptionId[];

const read = new Map<OwnDescriptionId, ApiDescription>();

/**
 * Returns a description that this project wrote in its own words; each is read once.
 *
 * They describe Certificate Manager, the pools and CAs of CA Service, Cloud DNS, the part of Compute Engine that a
 * migration uses, server TLS policies, buckets and entries of Cloud Logging, alert policies, uptime checks and
 * dashboards of Cloud Monitoring, and objects of Cloud Storage (upload, download, deletion). They also describe the
 * Reports API and the description service itself, and the methods of Service Usage, Cloud Resource Manager and Cloud
 * Billing that are called before a migration.
 */
export function ownDescription(id: OwnDescriptionId): ApiDescription {
  const known = read.get(id);
  if (known !== undefined) return known;
  const description = ApiDescription.parse(readFileSync(join(__dirname, "descriptions", files[id]), "utf8"));
  read.set(id, description);
  return description;
}

/** Returns whether this project has a description with this id. */
export function isOwnDescriptionId(id: string): id is OwnDescriptionId {
  return Object.hasOwn(files, id);
}

/**
 * Returns the numbers of an API's enums, by `Schema.property` and name. Protocol buffer clients send these numbers,
 * which no description contains. Empty for an API whose clients send names.
 */
export function ownEnumNumbers(id: OwnDescriptionId): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const all = JSON.parse(readFileSync(join(__dirname, "descriptions", "enum-numbers.json"), "utf8"));
  return Object.hasOwn(all, id) ? all[id] : {};
}
