import { withoutDot } from "../../dns";
import type { LiveAuthorization, LiveCertificate } from "../../google";
import { groupBy } from "../../json/group-by";
import type { RenewalObstacle } from "../../renewal";
import { authorizedDomain } from "../../source";
import { isRenewedByDns, stoppedPool } from "../renewal";
import { checkCaa } from "./caa-checks";
import type { CheckContext } from "./check-row";
import { orUnknown } from "./check-task";
import type { DoctorFinding } from "./model";

/** Findings of CAA records by which the CA has to refuse a certificate. */
const refusals: ReadonlySet<string> = new Set(["caa-forbids", "caa-forbids-wildcard", "caa-critical"]);

/** Reports whether the CA has to refuse a certificate because of CAA records. */
export function isRefusal({ code }: Pick<DoctorFinding, "code">): boolean {
  return refusals.has(code);
}

/** Returns what would stop the renewal of a certificate today: its CA pool, CNAMEs that are not published, CAA records. */
export async function renewalObstacles(
  live: LiveCertificate,
  { shared, options: { dns, google, signal } }: CheckContext,
): Promise<readonly RenewalObstacle[]> {
  const { caPool } = live;
  if (caPool !== undefined) {
    const { known = [] } = await orUnknown(google.privateCas.authorities(caPool, signal), "whether a CA is enabled");
    const isStopped = known.length > 0 && known.every(({ state }) => state !== "ENABLED");
    return isStopped ? [{ hostnames: live.domains, cause: stoppedPool(caPool) }] : [];
  }
  if (!isRenewedByDns(live)) return [];
  const parent = live.name.slice(0, live.name.indexOf("/certificates/"));
  const authorizations = groupBy(await shared.authorizationsIn(parent), ({ domain }) => domain);
  const ofRecords = [...groupBy(live.domains, authorizedDomain)].map(async ([domain, hostnames]) => {
    const cause = await recordFault(authorizations.get(domain) ?? [], dns);
    return cause === undefined ? [] : [{ hostnames, cause }];
  });
  const ofCaa = live.domains.map(async (name) => {
    const { findings } = await checkCaa(name, dns);
    return findings.filter(isRefusal).map(({ message }) => ({ hostnames: [name], cause: message }));
  });
  return (await Promise.all([...ofRecords, ...ofCaa])).flat();
}

/**
 * Returns why no authorization of a domain has its CNAME record; undefined if one has it, and if DNS does not answer.
 */
async function recordFault(
  authorizations: readonly LiveAuthorization[],
  dns: CheckContext["options"]["dns"],
): Promise<string | undefined> {
  const faults = await Promise.all(
    authorizations.map(async ({ record: { name, data } }) => {
      const found = await dns.resolve(withoutDot(name), "CNAME");
      if (!found.ok) return undefined;
      const targets = found.records.map((record) => withoutDot(record.data));
      if (targets.includes(withoutDot(data))) return undefined;
      const where = `the CNAME record ${withoutDot(name)}`;
      return targets.length === 0 ? `${where} is missing` : `${where} leads elsewhere: ${targets.join(", ")}`;
    }),
  );
  return faults.includes(undefined) ? undefined : faults[0];
}
