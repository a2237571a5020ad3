import type { LiveCertificate } from "../../google";
import { groupBy } from "../../json/group-by";
import type { RenewalFinding, RenewalObstacle } from "../../renewal";
import { authorizedDomain } from "../../source";
import { assessLiveRenewal } from "../renewal";
import type { ObservedMigration } from "./handshakes";
import type { Observed } from "./model";
import { recordReason } from "./reasons";

/**
 * Returns what threatens the certificates of a migration that serve traffic: also a CNAME record, CAA
 * records or a CA pool that would stop the next renewal, long before the service tries.
 *
 * @param now time of the service
 */
export function assessRenewals([migration, observed]: ObservedMigration, now: Date): readonly RenewalFinding[] {
  const ids = new Set(migration.certificates.map(({ id }) => id));
  return observed.certificates
    .filter(({ name }) => ids.has(name))
    .flatMap((live) => assessLiveRenewal(live, now, obstaclesOf(live, observed)));
}

function obstaclesOf(
  { name, domains }: LiveCertificate,
  { records, obstacles = new Map() }: Observed,
): readonly RenewalObstacle[] {
  const ofRecords = [...groupBy(domains, authorizedDomain)].flatMap(([domain, hostnames]) => {
    const check = records.get(domain);
    // An answer that is missing shows nothing about the record.
    if (check === undefined || check === "published" || check.verdict === "record-unanswered") return [];
    const reason = recordReason(check);
    return { hostnames, cause: `${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, "")}` };
  });
  return [...ofRecords, ...(obstacles.get(name) ?? [])];
}
