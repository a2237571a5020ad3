import { durationMs, type LeafRequest } from "../../issuance-policy";
import { parseLocatedName } from "../../resource-names";
import { type Call, invalidField, isJsonObject, type Json } from "../front";
import { locationOf } from "./names";

export interface IssuanceConfig extends Json {
  readonly name: string;
  readonly keyAlgorithm: LeafRequest["keyAlgorithm"];
  /** For example `1814400s`. */
  readonly lifetime: string;
  /** Share of the lifetime, in percent, after which a certificate is renewed. */
  readonly rotationWindowPercentage: number;
}

const dayMs = 24 * 3_600_000;
const shortestDays = 21;
const longestDays = 30;
/** Minimum time from the issuance to the renewal, and from the renewal to the expiry. */
const marginDays = 7;

const field = "certificate_issuance_config";

export function poolOf({ certificateAuthorityConfig: config }: Json): string {
  const service = isJsonObject(config) ? config.certificateAuthorityServiceConfig : undefined;
  return isJsonObject(service) && typeof service.caPool === "string" ? service.caPool : "";
}

export function newIssuanceConfig({ body }: Call, name: string, hasPool: (pool: string) => boolean): IssuanceConfig {
  const { keyAlgorithm, lifetime, rotationWindowPercentage: percentage } = body;
  if (keyAlgorithm !== "RSA_2048" && keyAlgorithm !== "ECDSA_P256")
    throw invalidField(`${field}.key_algorithm`, "is required: RSA_2048 or ECDSA_P256");
  const days = (durationMs(String(lifetime)) ?? 0) / dayMs;
  if (typeof lifetime !== "string" || days < shortestDays || days > longestDays)
    throw invalidField(`${field}.lifetime`, `must be ${shortestDays} to ${longestDays} days, in seconds with an 's'`);
  if (typeof percentage !== "number" || !(percentage >= 1 && percentage <= 99))
    throw invalidField(`${field}.rotation_window_percentage`, "must be 1 to 99");
  const renewedAfter = (days * percentage) / 100;
  if (renewedAfter < marginDays || days - renewedAfter < marginDays) {
    const what = `renews after ${renewedAfter} of ${days} days: at least ${marginDays} days are needed before and after`;
    throw invalidField(`${field}.rotation_window_percentage`, what);
  }
  checkPool(poolOf(body), name, hasPool);
  return { ...body, name, keyAlgorithm, lifetime, rotationWindowPercentage: percentage };
}

function checkPool(pool: string, name: string, hasPool: (pool: string) => boolean): void {
  const poolField = `${field}.certificate_authority_config.certificate_authority_service_config.ca_pool`;
  const parsed = parseLocatedName(pool);
  if (parsed?.collection !== "caPools")
    throw invalidField(poolField, `'${pool.slice(0, 300)}' is not projects/PROJECT/locations/LOCATION/caPools/POOL`);
  const { location } = locationOf(name);
  if (location !== "global" && location !== parsed.location)
    throw invalidField(poolField, `'${pool}' is not in ${location}, where the config is`);
  if (!hasPool(pool)) throw invalidField(poolField, `'${pool}' does not exist`);
}
