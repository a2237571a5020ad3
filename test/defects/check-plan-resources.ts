import { certificate, cm, entry, type Fields, id } from "../check-plan/plans";

/** Resources of the plans in this folder. */
export const managedFor = (name: string, state: string, ...domains: readonly string[]): Fields => ({
  ...certificate(name),
  managed: [{ domains, state }],
});

export const entryAt = (label: string) => `${cm}_certificate_map_entry.${label}`;

export const certificateAt = (label: string) => `${cm}_certificate.${label}`;

export const configured = (...resources: readonly object[]) => ({ configuration: { root_module: { resources } } });

export const regionalAt = "google_compute_region_target_https_proxy.r";

export const regional = (...names: readonly string[]): Fields => ({
  name: "r",
  certificate_manager_certificates: names.map(id),
});

export const anyWild = { [entryAt("any")]: entry("*.example.com", "any") };

export const wildCertificate = { [certificateAt("any")]: managedFor("any", "ACTIVE", "*.example.com") };
