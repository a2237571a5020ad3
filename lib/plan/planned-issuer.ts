import type { MigrationPlan, PlannedCertificate, PlannedIssuanceConfig } from "./model";

/** Issuer of a certificate of a private CA; values that Terraform knows are references. */
export type PlannedIssuer =
  | Pick<PlannedIssuanceConfig, "caPool" | "lifetimeSeconds" | "keyAlgorithm">
  | { readonly existingIssuanceConfig: string };

/** Returns the private CA of a planned certificate; undefined for a certificate that no private CA issues. */
export function plannedIssuer(certificate: PlannedCertificate, plan: MigrationPlan): PlannedIssuer | undefined {
  if (certificate.kind !== "managed" || certificate.issuance === undefined) return undefined;
  const { issuance, project } = certificate;
  if ("existingId" in issuance) return { existingIssuanceConfig: issuance.existingId };
  const config = plan.issuanceConfigs?.find((one) => one.name === issuance.config && one.project === project);
  if (config === undefined) return undefined;
  const { caPool, lifetimeSeconds, keyAlgorithm } = config;
  return { caPool, lifetimeSeconds, keyAlgorithm };
}
