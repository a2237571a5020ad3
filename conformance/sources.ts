/** Addresses of the pages and files that behaviors name as their sources. */

const manager = "https://cloud.google.com/certificate-manager/docs";
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
} as const;

/** Returns the address of a file of the provider. @param path below `google/` */
export function providerFile(path: string): string {
  return `${provider}/${path}`;
}

/** Returns the address of a proposal of API design that Google's services follow. */
export function aip(number: number): string {
  return `https://google.aip.dev/${number}`;
}
