import type { ApiObject } from "../cloud-api";
import type { RestRow } from "./rest-row";

const sslCertificate = {
  service: "compute",
  apiNames: { certificate_id: "id", private_key_wo: "privateKey" },
  answers: { neverReturned: ["private_key"] },
  foreign: ["name_prefix"],
  sensitive: ["private_key", "certificate"],
} as const satisfies Partial<RestRow>;

const sslPolicy = {
  service: "compute",
  defaults: { min_tls_version: "TLS_1_0", profile: "COMPATIBLE" },
  update: "patch",
} as const satisfies Partial<RestRow>;

/** Certificates and TLS settings of Compute Engine. Source: the provider's source code at 6.50.0. */
export const sslRows: readonly RestRow[] = [
  {
    ...sslCertificate,
    type: "google_compute_ssl_certificate",
    collection: "projects/{project}/global/sslCertificates",
    forceNew: ["name", "name_prefix", "certificate", "description", "private_key", "project"],
  },
  {
    ...sslCertificate,
    type: "google_compute_region_ssl_certificate",
    collection: "projects/{project}/regions/{region}/sslCertificates",
    forceNew: ["name", "name_prefix", "certificate", "description", "private_key", "region", "project"],
  },
  {
    type: "google_compute_managed_ssl_certificate",
    service: "compute",
    collection: "projects/{project}/global/sslCertificates",
    apiNames: { certificate_id: "id" },
    forceNew: ["name", "description", "managed", "type", "project"],
    defaults: { type: "MANAGED" },
    equivalences: { "managed.domains": "domainNames" },
  },
  {
    ...sslPolicy,
    type: "google_compute_ssl_policy",
    collection: "projects/{project}/global/sslPolicies",
    forceNew: ["name", "description", "project"],
    // Only null removes the features of an earlier profile.
    encodeUpdate: (body) => ({ customFeatures: null, ...body }),
  },
  {
    ...sslPolicy,
    type: "google_compute_region_ssl_policy",
    collection: "projects/{project}/regions/{region}/sslPolicies",
    forceNew: ["name", "description", "region", "project"],
    encode: (body): ApiObject => ({ customFeatures: [], ...body }),
  },
];
