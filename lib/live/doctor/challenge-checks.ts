import { type AskedType, parentOf, type Resolution, withoutDot } from "../../dns";
import type { LiveAuthorization } from "../../google";
import { dig } from "../../text/command-line";
import type { DoctorCode } from "./codes";
import { type CheckResult, type DoctorFinding, doctorFinding } from "./model";
import type { DnsContext } from "./shared";
import type { DoctorSubject, DomainToValidate } from "./subject";

const ownTarget = /\.authorize\.certificatemanager\.goog$/;
/** Matches the target of an authorization with a zone appended, as name servers append it without a trailing dot. */
const authorizationWithZone = /^(.*\.authorize\.certificatemanager\.goog)\../;
/** Record types that must not exist at the name of a CNAME. */
const others = ["TXT", "A", "AAAA"] as const;

interface ChallengeOptions extends DnsContext {
  readonly zone: string;
  /** Targets of all authorizations of the project, without trailing dot. */
  readonly targetsOfProject: ReadonlySet<string>;
}

export async function checkChallenge(validated: DomainToValidate, options: ChallengeOptions): Promise<CheckResult> {
  const { domain, challenge } = validated;
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
    const targets = new Set(alias.records.map(({ data }) => data));
    if (isOwn && targets.size > 1) return severalAliases(challenge, [...targets], validated.target);
    return isOwn
      ? judgeAlias(challenge, validated.target, await targetsOf(challenge, alias, options), options)
      : { findings: [] };
  }
  return (await findOthers(challenge, options)) ?? (await findDoubled(challenge, options)) ?? { findings: [] };
}

type Found = Resolution & { readonly ok: true };

function said(challenge: string, code: DoctorCode, what: string, remedy?: string): CheckResult {
  const command = dig(["CNAME", "TXT", "NS"].map((type) => [challenge, type]));
  return { findings: [doctorFinding(code, challenge, what, { remedy, command })] };
}

/** Reports several CNAMEs at one name, of which a CA may follow any. */
function severalAliases(challenge: string, targets: readonly string[], target: string | undefined): CheckResult {
  const wanted = target === undefined ? "the authorization" : `${target}.`;
  const remedy = `remove every CNAME of ${challenge}. except the CNAME to ${wanted}: DNS allows one CNAME at a name`;
  return said(challenge, "challenge-wrong", `${challenge} has several CNAMEs: ${targets.join(", ")}`, remedy);
}

/** Returns the target of an authorization that a CNAME reaches, also through other aliases; otherwise its data. */
async function targetsOf(challenge: string, { records }: Found, { dns }: ChallengeOptions): Promise<readonly string[]> {
  const stated = records.map(({ data }) => data);
  if (stated.every((data) => ownTarget.test(data))) return stated;
  const { chain } = await dns.resolve(challenge, "TXT");
  const reached = chain.map(({ data }) => data).filter((data) => ownTarget.test(data));
  return reached.length > 0 ? reached : stated;
}

/** Compares the targets of a CNAME with the expected target. @param found targets of the CNAME */
function judgeAlias(
  challenge: string,
  target: string | undefined,
  found: readonly string[],
  { targetsOfProject }: ChallengeOptions,
): CheckResult {
  const what = `${challenge} leads to ${found.join(", ")}`;
  if (found.includes(target ?? "")) return { findings: [] };
  const relative = found.find(
    (data) => authorizationWithZone.test(data) && (target === undefined || data.startsWith(`${target}.`)),
  );
  if (relative !== undefined) {
    const label = authorizationWithZone.exec(relative)?.[1] ?? "";
    const remedy = `the target lacks its trailing dot, so that the zone was appended: replace it, publish ${challenge}. CNAME ${target ?? label}., with the dot`;
    return said(challenge, "challenge-wrong", what, remedy);
  }
  if (!found.every((data) => ownTarget.test(data))) return said(challenge, "challenge-cname-elsewhere", what);
  if (target !== undefined) {
    const remedy = `publish ${challenge}. CNAME ${target}.`;
    return said(challenge, "challenge-wrong", `${what}, and has to lead to ${target}`, remedy);
  }
  // Another authorization of the same project has its own finding.
  if (found.every((data) => targetsOfProject.has(data))) return { findings: [] };
  return said(challenge, "challenge-of-other-project", what);
}

/** Checks for other records at the name of the CNAME, which allows none. */
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

/** Some DNS providers append the zone to the name that the user enters, even if the name ends with the zone. */
async function findDoubled(challenge: string, options: ChallengeOptions): Promise<CheckResult | undefined> {
  const doubled = `${challenge}.${options.zone}`;
  const found = await options.dns.resolve(doubled, "CNAME");
  if (!found.ok || !found.records.some(({ data }) => ownTarget.test(data) || authorizationWithZone.test(data)))
    return undefined;
  if (await isOfWildcard(found, "CNAME", options.zone, options)) return undefined;
  return said(challenge, "challenge-doubled", `the record is published as ${doubled}`);
}

/**
 * Checks whether the records come from a wildcard. If so, a name that does not exist has the same records. A wildcard
 * that points to a pool of addresses can return other addresses for each query.
 */
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
  const second = await dns.resolve(`${unusedLabel}-2.${domain}`, type);
  return second.ok && dataOf(second) !== dataOf(sibling);
}

function dataOf({ records, chain }: Found): string {
  const data = [...chain, ...records].map((record) => `${record.type} ${record.data}`);
  return data.sort().join("\n");
}

/** Adds the target of the CNAME record to a domain, if its authorization exists already. */
export function withLiveTarget(
  domain: DomainToValidate,
  records: ReadonlyMap<string, LiveAuthorization["record"]>,
): DomainToValidate {
  const made = records.get(domain.authorization ?? "");
  return made === undefined ? domain : { ...domain, challenge: withoutDot(made.name), target: withoutDot(made.data) };
}

/** Finds authorizations of the project for the migration's domains that do not belong to the migration. */
export function judgeAuthorizations(
  { dns: { domains }, certificates: { authorizations } }: DoctorSubject,
  live: readonly LiveAuthorization[],
): readonly DoctorFinding[] {
  const authorizationIds = new Set(authorizations.map(({ id }) => id));
  const validated = new Map(domains.map((domain) => [domain.domain, domain]));
  return live.flatMap(({ name, domain, record }) => {
    const wanted = validated.get(domain);
    // Records of type PER_PROJECT_RECORD have separate names for each project and location, so they do not collide.
    if (wanted === undefined || authorizationIds.has(name) || withoutDot(record.name) !== wanted.challenge) return [];
    const what = `${name} is for ${domain} already`;
    const remedy = `set existingAuthorizations to { ${domain}: ${name} }`;
    return [doctorFinding("authorization-exists", domain, what, { remedy })];
  });
}
