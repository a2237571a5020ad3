import type { LiveCertificate } from "../../google";
import { groupBy } from "../../json/group-by";
import type { RenewalFinding, RenewalObstacle } from "../../renewal";
import { authorizedDomain, servedCertificateIds } from "../../source";
import type { RecordCheck } from "../records";
import { assessLiveRenewal, describeRecord, isValidatedByDns, whyUnreadable } from "../renewal";
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
  const ids = new Set(servedCertificateIds(migration));
  return observed.certificates
    .filter(({ name }) => ids.has(name))
    .flatMap((live) => assessLiveRenewal(live, now, obstaclesOf(live, observed)));
}

function obstaclesOf(live: LiveCertificate, { records, obstacles = new Map() }: Observed): readonly RenewalObstacle[] {
  // Another certificate for the same domains, for example of a private CA, needs no CNAME.
  const domains = isValidatedByDns(live) ? live.domains : [];
  const ofRecords = [...groupBy(domains, authorizedDomain)].flatMap(([domain, hostnames]) => {
    const check = records.get(domain);
    const cause = check === undefined || check === "published" ? undefined : faultOf(check);
    return cause === undefined ? [] : { hostnames, cause };
  });
  return [...ofRecords, ...(obstacles.get(live.name) ?? [])];
}

/** Returns why a record is not published; undefined if this machine has no answer, which shows nothing about it. */
function faultOf(check: RecordCheck): string | undefined {
  const { verdict, record, found } = check;
  if (verdict === "record-unanswered") return whyUnreadable(describeRecord(record.name), found.join(", "));
  const reason = recordReason(check);
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, "")}`;
}
