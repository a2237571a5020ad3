import { textValue } from "../value";
import { links, type RestRow } from "./rest-row";

/**
 * Resource types of Certificate Manager. Source: the provider's source code at 6.50.0; `self_managed` became mutable
 * only in 7.41.
 */
export const certificateManagerRows: readonly RestRow[] = [
  {
    type: "google_certificate_manager_dns_authorization",
    service: "certificatemanager",
    collection: "projects/{project}/locations/{location}/dnsAuthorizations",
    nameParameter: "dnsAuthorizationId",
    forceNew: ["name", "location", "domain", "type", "project"],
    defaults: { location: "global" },
    unsentDefaults: { type: "FIXED_RECORD" },
    update: "mask",
    // If no type is configured, the service chooses the type by the location.
    finishPlan: (planned, prior) =>
      prior === undefined && typeof planned.type !== "string" && textValue(planned, "location") === "global"
        ? { ...planned, type: "FIXED_RECORD" }
        : planned,
  },
  {
    type: "google_certificate_manager_certificate",
    service: "certificatemanager",
    collection: "projects/{project}/locations/{location}/certificates",
    nameParameter: "certificateId",
    forceNew: ["name", "location", "scope", "managed", "self_managed", "project"],
    apiNames: {
      // These are the older names of the two attributes.
      "self_managed.certificate_pem": "pemCertificate",
      "self_managed.private_key_pem": "pemPrivateKey",
      "self_managed.pem_private_key_wo": "pemPrivateKey",
    },
    defaults: { location: "global", scope: "DEFAULT" },
    unsentDefaults: { scope: "DEFAULT" },
    equivalences: links("managed.dns_authorizations", "managed.issuance_config"),
    exactlyOne: [["managed", "self_managed"]],
    answers: { neverReturned: ["self_managed"] },
    sensitive: ["self_managed.pem_private_key", "self_managed.private_key_pem", "self_managed.certificate_pem"],
    update: "mask",
  },
  {
    type: "google_certificate_manager_certificate_issuance_config",
    service: "certificatemanager",
    collection: "projects/{project}/locations/{location}/certificateIssuanceConfigs",
    nameParameter: "certificateIssuanceConfigId",
    forceNew: [
      ...["name", "location", "description", "key_algorithm", "lifetime"],
      ...["rotation_window_percentage", "certificate_authority_config", "project"],
    ],
    defaults: { location: "global" },
    equivalences: links("certificate_authority_config.certificate_authority_service_config.ca_pool"),
    update: "mask",
  },
  {
    type: "google_certificate_manager_certificate_map",
    service: "certificatemanager",
    collection: "projects/{project}/locations/global/certificateMaps",
    nameParameter: "certificateMapId",
    forceNew: ["name", "project"],
    update: "mask",
  },
  {
    type: "google_certificate_manager_certificate_map_entry",
    service: "certificatemanager",
    collection: "projects/{project}/locations/global/certificateMaps/{map}/certificateMapEntries",
    nameParameter: "certificateMapEntryId",
    nameInBody: true,
    forceNew: ["name", "map", "hostname", "matcher", "project"],
    exactlyOne: [["hostname", "matcher"]],
    equivalences: links("map", "certificates"),
    update: "mask",
  },
  {
    type: "google_certificate_manager_trust_config",
    service: "certificatemanager",
    collection: "projects/{project}/locations/{location}/trustConfigs",
    nameParameter: "trustConfigId",
    forceNew: ["name", "location", "project"],
    sensitive: ["trust_stores.intermediate_cas.pem_certificate", "trust_stores.trust_anchors.pem_certificate"],
    update: "maskless",
  },
];
