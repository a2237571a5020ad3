import { links } from "./links";
import type { RestRow, Setter } from "./rest-row";

const labels: Setter = { action: "setLabels", attributes: ["effective_labels"], withLabelFingerprint: true };

const ruleEquivalences = {
  ...links("target", "network", "subnetwork"),
  ip_address: "address",
  ip_protocol: "caseless",
  port_range: "portRange",
} as const;

const references = {
  network: "projects/{project}/global/networks",
  subnetwork: "projects/{project}/regions/{region}/subnetworks",
} as const;

const ruleNames = {
  ip_address: "IPAddress",
  ip_protocol: "IPProtocol",
  forwarding_rule_id: "id",
} as const;

/**
 * Forwarding rules and addresses. Source: the provider's source code at 6.50.0.
 */
export const frontendRows: readonly RestRow[] = [
  {
    type: "google_compute_global_forwarding_rule",
    service: "compute",
    collection: "projects/{project}/global/forwardingRules",
    apiNames: ruleNames,
    forceNew: [
      "name",
      "description",
      "ip_address",
      "ip_protocol",
      "ip_version",
      "metadata_filters",
      "network",
      "network_tier",
      "no_automate_dns_zone",
      "port_range",
      "project",
      "service_directory_registrations",
      "source_ip_ranges",
      "subnetwork",
    ],
    defaults: { load_balancing_scheme: "EXTERNAL" },
    equivalences: ruleEquivalences,
    references,
    foreign: ["no_automate_dns_zone", "service_directory_registrations"],
    withoutAttribution: true,
    labelsAfterCreation: true,
    setters: [labels, { action: "setTarget", attributes: ["target"] }],
    patches: [
      {
        attributes: [
          "load_balancing_scheme",
          "external_managed_backend_bucket_migration_state",
          "external_managed_backend_bucket_migration_testing_percentage",
        ],
      },
    ],
  },
  {
    type: "google_compute_forwarding_rule",
    service: "compute",
    collection: "projects/{project}/regions/{region}/forwardingRules",
    apiNames: ruleNames,
    forceNew: [
      "name",
      "all_ports",
      "backend_service",
      "description",
      "ip_address",
      "ip_collection",
      "ip_protocol",
      "ip_version",
      "is_mirroring_collector",
      "load_balancing_scheme",
      "network",
      "network_tier",
      "no_automate_dns_zone",
      "port_range",
      "ports",
      "project",
      "region",
      "service_directory_registrations",
      "service_label",
      "source_ip_ranges",
      "subnetwork",
    ],
    defaults: { load_balancing_scheme: "EXTERNAL" },
    equivalences: { ...ruleEquivalences, ...links("backend_service") },
    references,
    foreign: ["no_automate_dns_zone", "service_directory_registrations", "recreate_closed_psc"],
    withoutAttribution: true,
    labelsAfterCreation: true,
    setters: [{ action: "setTarget", attributes: ["target"] }, labels],
    patches: [
      { attributes: ["allow_global_access"] },
      { attributes: ["allow_psc_global_access"], withFingerprint: true },
    ],
  },
  {
    type: "google_compute_global_address",
    service: "compute",
    collection: "projects/{project}/global/addresses",
    forceNew: [
      "name",
      "address",
      "address_type",
      "description",
      "ip_version",
      "network",
      "prefix_length",
      "project",
      "purpose",
    ],
    defaults: { address_type: "EXTERNAL" },
    unsentDefaults: { address_type: "EXTERNAL" },
    // Global external addresses always have the premium tier.
    encode: (body) => (body.addressType === "INTERNAL" ? body : { ...body, networkTier: "PREMIUM" }),
    equivalences: links("network"),
    onlyIfConfigured: ["ip_version"],
    labelsAfterCreation: true,
    setters: [labels],
  },
  {
    type: "google_compute_address",
    service: "compute",
    collection: "projects/{project}/regions/{region}/addresses",
    apiNames: { address_id: "id" },
    forceNew: [
      "name",
      "address",
      "address_type",
      "description",
      "ip_version",
      "ipv6_endpoint_type",
      "network",
      "network_tier",
      "prefix_length",
      "project",
      "purpose",
      "region",
      "subnetwork",
    ],
    defaults: { address_type: "EXTERNAL" },
    equivalences: links("network", "subnetwork"),
    onlyIfConfigured: ["ip_version"],
    labelsAfterCreation: true,
    setters: [labels],
  },
];
