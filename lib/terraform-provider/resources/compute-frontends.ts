import { links, type RestRow, type Setter } from "./rest-row";

const labels: Setter = { action: "setLabels", attributes: ["effective_labels"], withLabelFingerprint: true };

const ruleEquivalences = {
  ...links("target", "network", "subnetwork"),
  ip_address: "address",
  ip_protocol: "caseless",
  port_range: "portRange",
} as const;

/** Attributes that replace forwarding rules, global or regional. */
const ruleForceNew = [
  ...["name", "description", "ip_address", "ip_protocol", "ip_version", "network", "network_tier"],
  ...["no_automate_dns_zone", "port_range", "project", "service_directory_registrations", "source_ip_ranges"],
  "subnetwork",
];

const forwardingRule = {
  service: "compute",
  apiNames: { ip_address: "IPAddress", ip_protocol: "IPProtocol", forwarding_rule_id: "id" },
  defaults: { load_balancing_scheme: "EXTERNAL" },
  references: {
    network: "projects/{project}/global/networks",
    subnetwork: "projects/{project}/regions/{region}/subnetworks",
  },
  withoutAttribution: true,
  labelsAfterCreation: true,
} as const satisfies Partial<RestRow>;

/** Attributes that replace addresses, global or regional. */
const addressForceNew = [
  ...["name", "address", "address_type", "description", "ip_version", "network"],
  ...["prefix_length", "project", "purpose"],
];

const address = {
  service: "compute",
  defaults: { address_type: "EXTERNAL" },
  answers: { onlyIfConfigured: ["ip_version"] },
  labelsAfterCreation: true,
  setters: [labels],
} as const satisfies Partial<RestRow>;

/** Forwarding rules and addresses. Source: the provider's source code at 6.50.0. */
export const frontendRows: readonly RestRow[] = [
  {
    ...forwardingRule,
    type: "google_compute_global_forwarding_rule",
    collection: "projects/{project}/global/forwardingRules",
    forceNew: [...ruleForceNew, "metadata_filters"],
    equivalences: ruleEquivalences,
    foreign: ["no_automate_dns_zone", "service_directory_registrations"],
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
    ...forwardingRule,
    type: "google_compute_forwarding_rule",
    collection: "projects/{project}/regions/{region}/forwardingRules",
    forceNew: [
      ...[...ruleForceNew, "all_ports", "backend_service", "ip_collection", "is_mirroring_collector"],
      ...["load_balancing_scheme", "ports", "region", "service_label"],
    ],
    equivalences: { ...ruleEquivalences, ...links("backend_service") },
    foreign: ["no_automate_dns_zone", "service_directory_registrations", "recreate_closed_psc"],
    setters: [{ action: "setTarget", attributes: ["target"] }, labels],
    patches: [
      { attributes: ["allow_global_access"] },
      { attributes: ["allow_psc_global_access"], withFingerprint: true },
    ],
  },
  {
    ...address,
    type: "google_compute_global_address",
    collection: "projects/{project}/global/addresses",
    forceNew: addressForceNew,
    unsentDefaults: { address_type: "EXTERNAL" },
    // Global external addresses always have the premium tier.
    encode: (body) => (body.addressType === "INTERNAL" ? body : { ...body, networkTier: "PREMIUM" }),
    equivalences: links("network"),
  },
  {
    ...address,
    type: "google_compute_address",
    collection: "projects/{project}/regions/{region}/addresses",
    apiNames: { address_id: "id" },
    forceNew: [...addressForceNew, "ipv6_endpoint_type", "network_tier", "region", "subnetwork"],
    equivalences: links("network", "subnetwork"),
  },
];
