import { type AskedType, bareName, type DelegationReading, type DnsView, parentOf, type Resolution } from "../../dns";
import type { LiveAuthorization } from "../../google";
import { dig } from "../../text/command-line";
import type { DoctorCode } from "./codes";
import { type CheckResult, type DoctorFinding, finding } from "./model";
import type { DoctorSubject, ProvedDomain } from "./subject";

const ownTarget = /\.authorize\.certificatemanager\.goog$/;
/** Types that are looked for where a CNAME has to be alone. */
const others = ["TXT", "A", "AAAA"] as const;

export interface ChallengeOptions {
  readonly dns: DnsView;
  readonly delegationOf: (name: string) => Promise<DelegationReading>;
  /** What the name's zone is authoritative for. */
  readonly zone: string;
  /** Targets of all authorizations of the project, without trailing dot. */
  readonly targetsOfProject: ReadonlySet<string>;
  /** A label that nobody uses, to tell records from what a wildcard stands in with. */
  readonly unusedLabel: string;
}

/** Looks for what stands where the CNAME of an authorization has to be. */
export async function checkChallenge(proved: ProvedDomain, options: ChallengeOptions): Promise<CheckResult> {
  const { domain, challenge } = proved;
  if (challenge === undefined) {
    return { findings: [], unknown: [`the record for ${domain} has no name yet: the service makes it up`] };
  }
  const delegation = await options.delegationOf(challenge);
  if (delegation.ok && delegation.apex === challenge) {
    const servers = delegation.nameServers.join(", ");
    return said(challenge, "challenge-delegated", `${challenge} is delegated to ${servers}`);
  }
  const alias = await options.dns.resolve(challenge, "CNAME");
  if (!alias.ok) {
    if (alias.detail === "bogus") return said(challenge, "dnssec-bogus", `${challenge} fails DNSSEC validation`);
    return { findings: [], unknown: [`whether there is a record at ${challenge} (${alias.detail})`] };
  }
  if (alias.records.length > 0) {
    const isOwn = !(await isOfWildcard(alias, "CNAME", parentOf(challenge), options));
    return isOwn
      ? judgeAlias(challenge, proved.target, await targetsOf(challenge, alias, options), options)
      : { findings: [] };
  }
  return (await findOthers(challenge, options)) ?? (await findDoubled(challenge, options)) ?? { findings: [] };
}

type Found = Resolution & { readonly ok: true };

function said(challenge: string, code: DoctorCode, what: string, remedy?: string): CheckResult {
  const command = dig(["CNAME", "TXT", "NS"].map((type) => [challenge, type]));
  return { findings: [finding(code, challenge, what, { remedy, command })] };
}

/** Where a CNAME leads: an authorization's target that it reaches by other aliases, as where challenges have a zone of their own, else what it says. */
async function targetsOf(challenge: string, { records }: Found, { dns }: ChallengeOptions): Promise<readonly string[]> {
  const stated = records.map(({ data }) => data);
  if (stated.every((data) => ownTarget.test(data))) return stated;
  const { chain } = await dns.resolve(challenge, "TXT");
  const reached = chain.map(({ data }) => data).filter((data) => ownTarget.test(data));
  return reached.length > 0 ? reached : stated;
}

/** @param found targets that the CNAME leads to */
function judgeAlias(
  challenge: string,
  target: string | undefined,
  found: readonly string[],
  { targetsOfProject }: ChallengeOptions,
): CheckResult {
  const what = `${challenge} leads to ${found.join(", ")}`;
  if (found.includes(target ?? "")) return { findings: [] };
  if (!found.every((data) => ownTarget.test(data))) return said(challenge, "challenge-cname-elsewhere", what);
  if (target !== undefined) {
    const remedy = `publish ${challenge}. CNAME ${target}.`;
    return said(challenge, "challenge-wrong", `${what}, and has to lead to ${target}`, remedy);
  }
  // Another authorization of the same project is a finding of its own.
  if (found.every((data) => targetsOfProject.has(data))) return { findings: [] };
  return said(challenge, "challenge-of-other-project", what);
}

/** A CNAME is alone at its name. */
async function findOthers(challenge: string, options: ChallengeOptions): Promise<CheckResult | undefined> {
  for (const type of others) {
    const found = await options.dns.resolve(challenge, type);
    if (!found.ok || found.records.length === 0) continue;
    if (await isOfWildcard(found, type, parentOf(challenge), options)) continue;
    const code = type === "TXT" ? "challenge-txt" : "challenge-not-alone";
    return said(challenge, code, `${challenge} has ${type} records`);
  }
  return undefined;
}

/** Some add the zone to what is typed, and some type it all the same. */
async function findDoubled(challenge: string, options: ChallengeOptions): Promise<CheckResult | undefined> {
  const doubled = `${challenge}.${options.zone}`;
  const found = await options.dns.resolve(doubled, "CNAME");
  if (!found.ok || !found.records.some(({ data }) => ownTarget.test(data))) return undefined;
  if (await isOfWildcard(found, "CNAME", options.zone, options)) return undefined;
  return said(challenge, "challenge-doubled", `the record is published as ${doubled}`);
}

/** Whether a wildcard stands in: then a name that nobody has made has the same, or at each question other addresses, where it leads to a pool. */
async function isOfWildcard(
  resolution: Found,
  type: AskedType,
  domain: string | undefined,
  { dns, unusedLabel }: ChallengeOptions,
): Promise<boolean> {
  const sibling = await dns.resolve(`${unusedLabel}.${domain}`, type);
  if (!sibling.ok || sibling.records.length === 0) return false;
  if (dataOf(sibling) === dataOf(resolution)) return true;
  if (type !== "A" && type !== "AAAA") return false;
  const other = await dns.resolve(`${unusedLabel}-2.${domain}`, type);
  return other.ok && dataOf(other) !== dataOf(sibling);
}

function dataOf({ records, chain }: Found): string {
  const data = [...chain, ...records].map((record) => `${record.type} ${record.data}`);
  return data.sort().join("\n");
}

/** A domain with the record that its authorization wants published, where that is made already. */
export function withLiveTarget(
  domain: ProvedDomain,
  records: ReadonlyMap<string, LiveAuthorization["record"]>,
): ProvedDomain {
  const made = records.get(domain.authorization ?? "");
  return made === undefined ? domain : { ...domain, challenge: bareName(made.name), target: bareName(made.data) };
}

/** Authorizations of the project for a domain of the migration, which are not the migration's own. */
export function judgeAuthorizations(
  { domains, authorizations }: DoctorSubject,
  live: readonly LiveAuthorization[],
): readonly DoctorFinding[] {
  const own = new Set(authorizations.map(({ id }) => id));
  const proved = new Map(domains.map((domain) => [domain.domain, domain]));
  return live.flatMap(({ name, domain, record }) => {
    const wanted = proved.get(domain);
    // Records of a project and location have names of their own, and don't collide.
    if (wanted === undefined || own.has(name) || bareName(record.name) !== wanted.challenge) return [];
    const what = `${name} is for ${domain} already`;
    const remedy = `set existingAuthorizations to { ${domain}: ${name} }`;
    return [finding("authorization-exists", domain, what, { remedy })];
  });
}
