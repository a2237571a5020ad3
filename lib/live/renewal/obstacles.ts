import { onceForEach } from "../../async/once";
import { type LookUp, withDot } from "../../dns";
import type { LiveAuthority, LiveAuthorization, LiveCertificate } from "../../google";
import { groupBy } from "../../json/group-by";
import type { RenewalObstacle } from "../../renewal";
import { withoutProject } from "../../resource-names";
import { authorizedDomain } from "../../source";
import { caaRefusal } from "./caa";
import { whyUnreadable } from "./server-fault";

/** The sources from which the obstacles to a renewal are read. */
export interface RenewalSources {
  readonly lookUp: LookUp;
  /** Lists the authorizations in `projects/P/locations/L`. */
  readonly authorizationsIn: (parent: string) => Promise<readonly LiveAuthorization[]>;
  /** Returns the CAs of a pool; undefined if they can't be read. */
  readonly authoritiesOf: (pool: string) => Promise<readonly LiveAuthority[] | undefined>;
  /** Whether the CNAME of a domain is checked elsewhere. @default - no CNAME is */
  readonly isChecked?: (domain: string) => boolean;
}

/** Reports whether Google renews a certificate by its DNS authorizations. */
export function isRenewedByDns(live: LiveCertificate): boolean {
  return live.state === "ACTIVE" && isValidatedByDns(live);
}

/** Reports whether a certificate has DNS authorizations, in any state. */
export function isValidatedByDns({ kind, issuanceConfig, validation }: LiveCertificate): boolean {
  return kind === "managed" && issuanceConfig === undefined && validation === undefined;
}

/**
 * Returns a function that reads what would stop the renewal of a certificate today: its CA pool, CNAMEs that are not
 * published, and CAA records. What can't be read is no obstacle.
 */
export function createObstacleReader({
  lookUp,
  authorizationsIn,
  authoritiesOf,
  isChecked = () => false,
}: RenewalSources): (live: LiveCertificate) => Promise<readonly RenewalObstacle[]> {
  const authorizationsByDomain = onceForEach(async (parent) =>
    groupBy(await authorizationsIn(parent), ({ domain }) => domain),
  );
  // Names have some of the names above them in common.
  const caaOf = onceForEach((name) => lookUp(name, "CAA"));
  return async (live) => {
    const { name, domains, caPool } = live;
    if (caPool !== undefined) {
      const authorities = await authoritiesOf(caPool);
      const isStopped = authorities?.every(({ state }) => state !== "ENABLED");
      return isStopped === true ? [{ hostnames: domains, cause: `the CA pool ${caPool} has no enabled CA` }] : [];
    }
    if (!isRenewedByDns(live)) return [];
    const parent = name.slice(0, name.indexOf("/certificates/"));
    const unchecked = [...groupBy(domains, authorizedDomain)].filter(([domain]) => !isChecked(domain));
    const ofRecords = unchecked.map(async ([domain, hostnames]) => {
      const ofDomain = (await authorizationsByDomain(parent)).get(domain) ?? [];
      return { hostnames, cause: await recordFault(usedBy(live, ofDomain), lookUp) };
    });
    const ofCaa = domains.map(async (domain) => ({ hostnames: [domain], cause: await caaRefusal(domain, caaOf) }));
    const all = await Promise.all([...ofRecords, ...ofCaa]);
    return all.flatMap(({ hostnames, cause }) => (cause === undefined ? [] : { hostnames, cause }));
  };
}

/** A domain can have several authorizations, of which a certificate uses one. */
function usedBy(
  { authorizations }: LiveCertificate,
  ofDomain: readonly LiveAuthorization[],
): readonly LiveAuthorization[] {
  const used = authorizations && new Set(authorizations.map(withoutProject));
  return used === undefined ? ofDomain : ofDomain.filter(({ name }) => used.has(withoutProject(name)));
}

/**
 * Returns why no authorization of a domain has its CNAME record; undefined if one has it, and if no DNS server answers.
 */
async function recordFault(authorizations: readonly LiveAuthorization[], lookUp: LookUp): Promise<string | undefined> {
  const faults = await Promise.all(
    authorizations.map(async ({ record: { name, data } }) => {
      const found = await lookUp(name, "CNAME");
      const where = describeRecord(name);
      // As for CAA records, the failure of a server concerns the CA as well; silence may concern this machine only.
      if (!found.ok) return whyUnreadable(where, found.detail);
      if (found.data.map(withDot).includes(withDot(data))) return undefined;
      const targets = found.data.map((target) => target.replace(/\.$/, ""));
      return targets.length === 0 ? `${where} is missing` : `${where} leads elsewhere: ${targets.join(", ")}`;
    }),
  );
  return faults.includes(undefined) ? undefined : faults[0];
}

/** @param name with or without its trailing dot */
export function describeRecord(name: string): string {
  return `the CNAME record ${name.replace(/\.$/, "")}`;
}
