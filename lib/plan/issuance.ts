import { type Hostname, isPrivateHostname } from "../hostnames";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { type LocatedName, lastPart, parseLocatedName } from "../resource-names";
import { describe } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedCertificate, PlannedIssuanceConfig } from "./model";
import { deriveResourceName } from "./names";
import { type Planning, readResourceId } from "./planning";
import { isReference } from "./shape/reference";
import type { IssuedBySpec } from "./spec";

const daySeconds = 86_400;
const shortestDays = 21;
const longestDays = 30;
/** Minimum time from the issuance to the renewal, and from the renewal to the expiry. */
const marginDays = 7;
const defaultLifetime = `${longestDays}d`;
const defaultRotationWindowPercentage = 66;

/** Where a certificate of a private CA comes from: a config of the plan, or an existing one. */
export interface ReadIssuance {
  readonly config?: PlannedIssuanceConfig;
  readonly existingId?: string;
  /** Identity in the hash of the certificate's name. */
  readonly identity: string;
}

/** Reads and checks the issuer of a certificate. */
export function readIssuedBy(
  planning: Planning,
  spec: IssuedBySpec,
  project: string | undefined,
  owner: string,
  at: string,
): ReadIssuance {
  const { findings, identityOf } = planning;
  const { caPool, existingIssuanceConfig, lifetime, rotationWindowPercentage, keyAlgorithm } = spec;
  const settings = [lifetime, rotationWindowPercentage, keyAlgorithm].some((setting) => setting !== undefined);
  if ((caPool === undefined) === (existingIssuanceConfig === undefined)) {
    const what = caPool === undefined ? "names no CA pool" : "names a CA pool and an existing issuance config";
    findings.report("issued-by-ambiguous", at, `${owner} ${what}`);
  } else if (existingIssuanceConfig !== undefined && settings) {
    findings.report("issued-by-ambiguous", at, `${owner} has settings of an existing issuance config`);
  }
  if (existingIssuanceConfig !== undefined) {
    const existingId = readExisting(planning, existingIssuanceConfig, pointerTo(at, "existingIssuanceConfig"));
    return { existingId, identity: identityOf(existingId) ?? existingId };
  }
  const pool = caPool ?? "";
  checkPool(planning, pool, pointerTo(at, "caPool"));
  const seconds = readLifetime(planning, lifetime ?? defaultLifetime, pointerTo(at, "lifetime"));
  const percentage = rotationWindowPercentage ?? defaultRotationWindowPercentage;
  checkRotation(planning, seconds / daySeconds, percentage, pointerTo(at, "rotationWindowPercentage"));
  const values = {
    caPool: pool,
    location: planning.location,
    lifetimeSeconds: seconds,
    rotationWindowPercentage: percentage,
    keyAlgorithm: keyAlgorithm ?? "RSA_2048",
  } as const;
  const suggested = deriveResourceName({
    prefix: planning.spec.namePrefix,
    readable: isReference(pool) ? "issuance" : lastPart(pool),
    identity: [planning.identityOf(planning.spec.name), ...Object.values({ ...values, caPool: identityOf(pool) })],
  });
  const name = planning.nameOf("issuanceConfig", suggested);
  const described = describe(planning, `Issues certificates from ${isReference(pool) ? "a CA pool" : lastPart(pool)}`);
  return { config: { ...values, ...described, name, ...defined({ project }) }, identity: name };
}

/** Warns about certificates that clients don't trust without the root of the private CA. */
export function checkPrivateNames(
  { findings, loadBalancer }: Planning,
  domains: readonly Hostname[],
  owner: string,
  at: string,
): void {
  const names = domains.filter((domain) => !isPrivateHostname(domain));
  if (names.length > 0) {
    const some = names.slice(0, 5).join(", ");
    findings.report("private-ca-public-name", at, `${owner} has ${some}, which a public CA could certify`);
  } else if (!traitsOf(loadBalancer).isInternal) {
    findings.report("private-ca-external", at, `${owner} is served by a ${loadBalancer} load balancer`);
  }
}

function readExisting({ findings, location }: Planning, id: string, at: string): string {
  const read = readResourceId(id, "certificateIssuanceConfigs");
  if (read === undefined) {
    findings.report("issuance-config-malformed", at, `'${id}' is not the id of an issuance config`);
  } else if (read.location !== undefined && read.location !== location) {
    const what = `issuance config '${read.id}' is in '${read.location}' and the certificate is in '${location}'`;
    findings.report("certificate-location-mismatch", at, what, "use an issuance config in the certificate's location");
  }
  return read?.id ?? id;
}

function checkPool({ findings, location }: Planning, pool: string, at: string): void {
  if (pool === "" || isReference(pool)) return;
  const found = parseLocatedName(pool);
  if (found === undefined || !isPool(found))
    findings.report("ca-pool-malformed", at, `'${pool}' is not the name of a CA pool`);
  else if (location !== "global" && found.location !== location)
    findings.report("ca-pool-location-mismatch", at, `'${pool}' is not in '${location}', where the certificate is`);
}

function isPool({ project, location, collection, name }: LocatedName): boolean {
  const hasValidPlace = /^[A-Za-z0-9.:_-]{1,100}$/.test(project) && /^[a-z0-9-]{1,32}$/.test(location);
  return hasValidPlace && collection === "caPools" && /^[A-Za-z0-9_-]{1,63}$/.test(name);
}

function readLifetime({ findings }: Planning, lifetime: string, at: string): number {
  const [, digits = "", unit] = /^(\d{1,9})([ds])$/.exec(lifetime) ?? [];
  const seconds = Number(digits) * (unit === "d" ? daySeconds : 1);
  if (seconds < shortestDays * daySeconds || seconds > longestDays * daySeconds)
    findings.report("issuance-lifetime-invalid", at, `'lifetime' is '${lifetime}'`);
  return seconds;
}

function checkRotation({ findings }: Planning, days: number, percentage: number, at: string): void {
  const renewedAfter = (days * percentage) / 100;
  if (Number.isInteger(percentage) && renewedAfter >= marginDays && days - renewedAfter >= marginDays) return;
  const what = `'rotationWindowPercentage' ${percentage} renews after ${renewedAfter.toFixed(1)} of ${days} days`;
  findings.report("issuance-rotation-invalid", at, what);
}

/** Issuer of a certificate of a private CA; values that Terraform knows are references. */
export type PlannedIssuer =
  | Pick<PlannedIssuanceConfig, "caPool" | "lifetimeSeconds" | "keyAlgorithm">
  | { readonly existingIssuanceConfig: string };

/** Returns the private CA of a planned certificate; undefined for a certificate that no private CA issues. */
export function plannedIssuer(certificate: PlannedCertificate, plan: MigrationPlan): PlannedIssuer | undefined {
  if (certificate.kind !== "managed" || certificate.issuance === undefined) return undefined;
  const { issuance, project } = certificate;
  if ("existingId" in issuance) return { existingIssuanceConfig: issuance.existingId };
  const config = plan.issuanceConfigs?.find(
    (issuanceConfig) => issuanceConfig.name === issuance.config && issuanceConfig.project === project,
  );
  if (config === undefined) return undefined;
  const { caPool, lifetimeSeconds, keyAlgorithm } = config;
  return { caPool, lifetimeSeconds, keyAlgorithm };
}
