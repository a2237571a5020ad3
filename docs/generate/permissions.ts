import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describedRows } from "../../lib/terraform-provider/resources";
import { tableOf, withTables } from "./markdown";

/**
 * API methods that each command calls. `test/docs/permissions.test.ts` compares the methods with the calls in
 * lib/google, and every test of a command in test/cli compares its requests with the row of the command.
 */
export const commandMethods: Readonly<Record<string, readonly string[]>> = {
  // With --project; files and servers need no Google API.
  inventory: [
    // For what would stop renewals.
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "certificatemanager.projects.locations.dnsAuthorizations.list",
    "privateca.projects.locations.caPools.certificateAuthorities.list",
    "compute.forwardingRules.aggregatedList",
    "compute.targetHttpsProxies.aggregatedList",
    "compute.targetSslProxies.list",
    "compute.urlMaps.aggregatedList",
    "compute.addresses.aggregatedList",
    "compute.sslCertificates.aggregatedList",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.certificateMaps.list",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
    // Only for a project with certificates of private CAs.
    "certificatemanager.projects.locations.certificateIssuanceConfigs.list",
    "dns.managedZones.list",
  ],
  records: ["certificatemanager.projects.locations.dnsAuthorizations.list"],
  doctor: [
    "monitoring.projects.uptimeCheckConfigs.list",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.dnsAuthorizations.list",
    "certificatemanager.projects.locations.certificateMaps.get",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "certificatemanager.projects.locations.certificateIssuanceConfigs.list",
    "certificatemanager.projects.locations.trustConfigs.list",
    "privateca.projects.locations.caPools.get",
    "privateca.projects.locations.caPools.list",
    "privateca.projects.locations.caPools.getIamPolicy",
    "privateca.projects.locations.caPools.certificateAuthorities.list",
    "cloudbilling.projects.getBillingInfo",
    "cloudresourcemanager.projects.get",
    "cloudresourcemanager.projects.getIamPolicy",
    "cloudresourcemanager.projects.testIamPermissions",
    "serviceusage.services.batchGet",
    "compute.projects.get",
    "compute.regions.get",
    "compute.addresses.aggregatedList",
    "compute.forwardingRules.aggregatedList",
    "compute.forwardingRules.list",
    "compute.targetHttpsProxies.list",
    "compute.targetSslProxies.list",
    "compute.regionTargetHttpsProxies.list",
    "compute.sslCertificates.list",
    "compute.regionSslCertificates.list",
    "compute.urlMaps.list",
    "compute.regionUrlMaps.list",
    "compute.backendServices.list",
    "compute.regionBackendServices.list",
    "compute.sslPolicies.list",
    "compute.regionSslPolicies.list",
    "compute.addresses.list",
    "compute.globalAddresses.list",
    "compute.networks.list",
    "compute.subnetworks.list",
    "networksecurity.projects.locations.serverTlsPolicies.list",
    "dns.managedZones.list",
    "dns.resourceRecordSets.list",
  ],
  status: [
    // Of certificates of private CAs.
    "privateca.projects.locations.caPools.certificateAuthorities.list",
    // For the renewal of certificates of private CAs; without the permission, two thirds of their lifetime are assumed.
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.dnsAuthorizations.list",
    "certificatemanager.projects.locations.certificateMaps.get",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  ],
  wait: [
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "certificatemanager.projects.locations.certificates.get",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  ],
  verify: [
    // With --trust-pool.
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "privateca.projects.locations.caPools.fetchCaCerts",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  ],
  monitor: [
    // With --trust-pool.
    "privateca.projects.locations.caPools.fetchCaCerts",
    // Of certificates of private CAs.
    "privateca.projects.locations.caPools.certificateAuthorities.list",
    "certificatemanager.projects.locations.certificateIssuanceConfigs.get",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.projects.locations.dnsAuthorizations.list",
    "certificatemanager.projects.locations.certificateMaps.get",
    "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  ],
  watch: [],
};

/** IAM names of the collections of Certificate Manager. */
const managerCollections: Readonly<Record<string, string>> = {
  certificates: "certs",
  dnsAuthorizations: "dnsauthorizations",
  certificateMaps: "certmaps",
  certificateMapEntries: "certmapentries",
  certificateIssuanceConfigs: "certissuanceconfigs",
  trustConfigs: "trustconfigs",
};

/** Methods whose permission has another name than the method. Source: Google's reference of each method. */
const otherPermissions: Readonly<Record<string, readonly string[]>> = {
  "cloudbilling.projects.getBillingInfo": ["resourcemanager.projects.get"],
  "cloudresourcemanager.projects.get": ["resourcemanager.projects.get"],
  "cloudresourcemanager.projects.getIamPolicy": ["resourcemanager.projects.getIamPolicy"],
  "cloudresourcemanager.projects.testIamPermissions": [],
  "privateca.projects.locations.caPools.fetchCaCerts": ["privateca.caPools.get"],
  "serviceusage.services.batchGet": ["serviceusage.services.get"],
  // An aggregated list contains the global resources too.
  "compute.addresses.aggregatedList": ["compute.addresses.list", "compute.globalAddresses.list"],
  "compute.forwardingRules.aggregatedList": ["compute.forwardingRules.list", "compute.globalForwardingRules.list"],
  "compute.sslCertificates.aggregatedList": ["compute.regionSslCertificates.list", "compute.sslCertificates.list"],
  "compute.targetHttpsProxies.aggregatedList": [
    "compute.regionTargetHttpsProxies.list",
    "compute.targetHttpsProxies.list",
  ],
  "compute.urlMaps.aggregatedList": ["compute.regionUrlMaps.list", "compute.urlMaps.list"],
};

/** Returns the IAM permissions of a method. */
export function permissionsOf(method: string): readonly string[] {
  const other = otherPermissions[method];
  if (other !== undefined) return other;
  const [service = "", ...path] = method.split(".");
  const [collection = "", verb = ""] = path.slice(-2);
  return [`${service}.${managerCollections[collection] ?? collection}.${verb}`];
}

export function permissionsOfCommand(command: string): readonly string[] {
  return unique((commandMethods[command] ?? []).flatMap(permissionsOf));
}

/** What Terraform needs for a resource type in addition to the methods of the type itself. */
interface Deployed {
  readonly type: string;
  /** Permissions to refer to other resources, and to poll operations. */
  readonly more: readonly string[];
}

const certificates = ["certificatemanager.certs.use", "compute.sslCertificates.get"];
const globalOperation = "compute.globalOperations.get";
const regionOperation = "compute.regionOperations.get";

/** Types of Cloud Monitoring by their collections. */
const monitoringTypes: Readonly<Record<string, string>> = {
  alertPolicies: "google_monitoring_alert_policy",
  dashboards: "google_monitoring_dashboard",
  uptimeCheckConfigs: "google_monitoring_uptime_check_config",
};

function crud(service: string, collection: string): readonly string[] {
  return ["create", "delete", "get", "update"].map((verb) => `${service}.${collection}.${verb}`);
}

/** Resource types of a migration. `test/docs/permissions.test.ts` compares them with lib/constructs. */
export const deployedTypes: readonly Deployed[] = [
  {
    type: "google_certificate_manager_dns_authorization",
    more: ["certificatemanager.operations.get"],
  },
  {
    type: "google_certificate_manager_certificate",
    more: [
      "certificatemanager.certissuanceconfigs.use",
      "certificatemanager.dnsauthorizations.use",
      "certificatemanager.operations.get",
    ],
  },
  {
    type: "google_certificate_manager_certificate_issuance_config",
    more: ["certificatemanager.operations.get"],
  },
  {
    type: "google_certificate_manager_trust_config",
    more: ["certificatemanager.operations.get"],
  },
  {
    type: "google_network_security_server_tls_policy",
    more: ["certificatemanager.trustconfigs.use", "networksecurity.operations.get"],
  },
  {
    type: "google_certificate_manager_certificate_map",
    // doctor also checks for this list permission, as for the others.
    more: ["certificatemanager.certmaps.list", "certificatemanager.operations.get"],
  },
  {
    type: "google_certificate_manager_certificate_map_entry",
    more: ["certificatemanager.certs.use", "certificatemanager.operations.get"],
  },
  {
    type: "google_compute_target_https_proxy",
    more: [
      "certificatemanager.certmaps.use",
      ...certificates,
      "compute.sslPolicies.use",
      "compute.urlMaps.use",
      "networksecurity.serverTlsPolicies.use",
      globalOperation,
    ],
  },
  {
    type: "google_compute_region_target_https_proxy",
    more: [
      "certificatemanager.certs.use",
      "compute.regionSslCertificates.get",
      "compute.regionSslPolicies.use",
      "compute.regionUrlMaps.use",
      "networksecurity.serverTlsPolicies.use",
      regionOperation,
    ],
  },
  {
    type: "google_compute_target_ssl_proxy",
    more: [
      "certificatemanager.certmaps.use",
      "compute.sslCertificates.get",
      "compute.backendServices.use",
      "compute.sslPolicies.use",
      globalOperation,
    ],
  },
  {
    type: "google_compute_global_forwarding_rule",
    more: [
      "compute.globalAddresses.use",
      "compute.networks.use",
      "compute.subnetworks.use",
      "compute.targetHttpsProxies.use",
      "compute.targetSslProxies.use",
      globalOperation,
    ],
  },
  {
    type: "google_compute_forwarding_rule",
    more: [
      "compute.addresses.use",
      "compute.networks.use",
      "compute.regionTargetHttpsProxies.use",
      "compute.subnetworks.use",
      regionOperation,
    ],
  },
  {
    type: "google_dns_record_set",
    more: [
      "dns.changes.create",
      "dns.changes.get",
      "dns.changes.list",
      "dns.managedZones.get",
      "dns.resourceRecordSets.create",
      "dns.resourceRecordSets.delete",
      "dns.resourceRecordSets.get",
      "dns.resourceRecordSets.list",
      "dns.resourceRecordSets.update",
    ],
  },
  ...["alertPolicies", "dashboards", "uptimeCheckConfigs"].map((collection): Deployed => {
    return { type: monitoringTypes[collection] ?? "", more: crud("monitoring", collection) };
  }),
  {
    type: "google_project_service",
    more: [
      "resourcemanager.projects.get",
      // The provider polls the operation that enables a service.
      "serviceusage.operations.get",
      "serviceusage.services.enable",
      "serviceusage.services.get",
      "serviceusage.services.list",
    ],
  },
];

/** Returns the permissions for all methods that the provider calls for a resource type. */
export function permissionsOfType({ type, more }: Deployed): readonly string[] {
  const row = describedRows.find((described) => described.type === type);
  if (row === undefined) return unique(more);
  const place = row.collection.split("/");
  const name = place.at(-1) ?? "";
  const collection = managerCollections[name] ?? computeCollection(name, place.includes("regions"));
  const isUpdated = row.update !== undefined || (row.patches ?? []).length > 0;
  const verbs = [
    "create",
    "delete",
    "get",
    ...(isUpdated ? ["update"] : []),
    ...(row.setters ?? []).map(({ action }) => action),
  ];
  return unique([...verbs.map((verb) => `${row.service}.${collection}.${verb}`), ...more]);
}

function computeCollection(name: string, isRegional: boolean): string {
  if (name === "forwardingRules") return isRegional ? name : "globalForwardingRules";
  return isRegional ? `region${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** Returns the permissions of a role for plans and all commands that only read. */
export function readerPermissions(): readonly string[] {
  const refreshed = deployedTypes.flatMap(permissionsOfType).filter((permission) => /\.(?:get|list)$/.test(permission));
  return unique([...Object.keys(commandMethods).flatMap(permissionsOfCommand), ...refreshed]);
}

/** Returns the permissions of a role for deployments, including `doctor` before and `verify` after an apply. */
export function deployerPermissions(): readonly string[] {
  return unique([...readerPermissions(), ...deployedTypes.flatMap(permissionsOfType)]);
}

function unique(permissions: readonly string[]): readonly string[] {
  return [...new Set(permissions)].sort();
}

function cellOf(permissions: readonly string[]): string {
  return permissions.length === 0 ? "none" : permissions.map((permission) => `\`${permission}\``).join(", ");
}

function roleFile(title: string, permissions: readonly string[]): string {
  const lines = permissions.map((permission) => `  - ${permission}`);
  return ["```yaml", `title: ${title}`, "stage: GA", "includedPermissions:", ...lines, "```", ""].join("\n");
}

/** Returns docs/permissions.md with its tables and roles. */
export function permissionsPage(): string {
  return withTables(readFileSync(join(__dirname, "..", "permissions.md"), "utf8"), {
    commands: tableOf(
      ["Command", "Permissions"],
      Object.keys(commandMethods).map((command) => [`\`${command}\``, cellOf(permissionsOfCommand(command))]),
    ),
    types: tableOf(
      ["Resource type", "Permissions"],
      deployedTypes.map((deployed) => [`\`${deployed.type}\``, cellOf(permissionsOfType(deployed))]),
    ),
    reader: roleFile("cert-migration reader", readerPermissions()),
    deployer: roleFile("cert-migration deployer", deployerPermissions()),
  });
}
