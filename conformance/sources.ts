/** Addresses of the pages and files that behaviors name as their sources. */

const manager = "https://cloud.google.com/certificate-manager/docs";
const dnsRest = "https://cloud.google.com/dns/docs/reference/rest/v1";
const computeRest = "https://cloud.google.com/compute/docs/reference/rest/v1";
const balancing = "https://cloud.google.com/load-balancing/docs";
/** Read at the commit of 2026-08-21. */
const provider =
  "https://github.com/hashicorp/terraform-provider-google/blob/e03b7622a26cf4e878f90bdccaca6aa3d03a7999/google";

export const pages = {
  managerProto:
    "https://github.com/googleapis/googleapis/blob/1821985de2cfa4d05590abd0bdf4fef2fde22480/google/cloud/certificatemanager/v1/certificate_manager.proto",
  managerRest: `${manager}/reference/certificate-manager/rest`,
  certificates: `${manager}/certificates`,
  domainAuthorization: `${manager}/domain-authorization`,
  trustConfigs: `${manager}/trust-configs`,
  mapEntries: `${manager}/map-entries`,
  maps: `${manager}/maps`,
  dnsAuthorizations: `${manager}/dns-authorizations`,
  selection: `${manager}/certificate-selection-logic`,
  dnsErrors: "https://cloud.google.com/dns/docs/error-messages",
  dnsRecordFormat: "https://cloud.google.com/dns/records/json-record",
  dnsKeyTerms: "https://cloud.google.com/dns/docs/key-terms",
  dnsChanges: `${dnsRest}/changes`,
  dnsRecordSets: `${dnsRest}/resourceRecordSets/list`,
  dnsPartialAnswers: "https://cloud.google.com/dns/docs/reference/performance",
  regionOperationWait: `${computeRest}/regionOperations/wait`,
  globalOperationWait: `${computeRest}/globalOperations/wait`,
  computeLists:
    "https://developers.google.com/resources/api-libraries/documentation/compute/v1/python/latest/compute_v1.globalOperations.html",
  backendServiceRest: `${computeRest}/backendServices`,
  targetSslProxyFields: "https://docs.cloud.google.com/php/docs/reference/cloud-compute/latest/V1.TargetSslProxy",
  sslCertificates: `${balancing}/ssl-certificates`,
  sslCertificateStates: `${balancing}/ssl-certificates/troubleshooting`,
  managedSslCertificates: `${balancing}/ssl-certificates/google-managed-certs`,
  uploadedSslCertificates: `${balancing}/ssl-certificates/self-managed-certs`,
  sslPolicies: `${balancing}/ssl-policies-concepts`,
  sslPolicyLimits: `${balancing}/use-ssl-policies`,
} as const;

/** Pages of CA Service. */
export const caPages = {
  states: "https://cloud.google.com/certificate-authority-service/docs/certificate-authority-states",
  stateChanges: "https://cloud.google.com/certificate-authority-service/docs/managing-ca-state",
  deletion: "https://cloud.google.com/certificate-authority-service/docs/deleting-certificate-authorities",
  poolDeletion: "https://cloud.google.com/certificate-authority-service/docs/operations-ca-pool",
  issuanceConfigs: `${manager}/issuance-configs`,
} as const;

/** Returns the address of an interface definition of Google. @param path below `google/` */
export function protoFile(path: string): string {
  return `https://github.com/googleapis/googleapis/blob/f8291d2b89f0017ab078a4c7378069bae5686f6f/google/${path}`;
}

/** Returns the address of a file of the provider. @param path below `google/` */
export function providerFile(path: string): string {
  return `${provider}/${path}`;
}

/** Returns the address of an issue that quotes an answer of a service. @param id `OWNER/REPOSITORY/NUMBER` */
export function issue(id: string): string {
  const [owner, repository, number] = id.split("/");
  return `https://github.com/${owner}/${repository}/issues/${number}`;
}

/** Returns the address of a proposal of API design that Google's services follow. */
export function aip(number: number): string {
  return `https://google.aip.dev/${number}`;
}
