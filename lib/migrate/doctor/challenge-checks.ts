import type { LiveAuthorization } from "../../google";
import { bareName, type DelegationReading, type DnsView, parentOf, type Resolution } from "../dns-view";
import { commandLine } from "./command-line";
import { type CheckResult, type DoctorFinding, finding } from "./model";
import type { DoctorSubject, ProvedDomain } from "./subject";

const ownTarget = /\.authorize\.certificatemanager\.goog$/;
/** Types that are looked for beside a CNAME; NS and TXT have findings of their own. */
const others = ["A", "AAAA"] as const;

export interface ChallengeOptions {
  readonly dns: DnsView;
  readonly delegationOf: (name: string) => Promise<DelegationReading>;
  /** What the name's zone is authoritative for; absent where it is not known. */
  readonly zone?: string | undefined;
  /** Targets of all authorizations of the project, without trailing dot. */
  readonly targetsOfProject: ReadonlySet<string>;
  /** A label that nobody uses, to tell records from what a wildcard stands in with. */
  readonly unusedLabel: string;
}

/** Looks for what stands where the CNAME of an authorization has to be. */
export async function checkChallenge(
  { domain, challenge, target }: ProvedDomain,
  { dns, delegationOf, zone, targetsOfProject, unusedLabel }: ChallengeOptions,
): Promise<CheckResult> {
  if (challenge === undefined) {
    return { findings: [], unknown: [`the record for ${domain} has no name yet: the service makes it up`] };
  }
  const command = commandLine("dig", challenge, "CNAME", challenge, "TXT", challenge, "NS");
  const say = (code: DoctorFinding["code"], what: string, remedy?: string): CheckResult => ({
    findings: [finding(code, challenge, what, { remedy, command })],
  });
  const beside = `${unusedLabel}.${parentOf(challenge) ?? ""}`;
  const isOfWildcard = async (resolution: Resolution & { readonly ok: true }, type: "CNAME" | "TXT" | "A" | "AAAA") => {
    const sibling = await dns.resolve(beside, type);
    return sibling.ok && sibling.exists && dataOf(sibling) === dataOf(resolution);
  };

  const zoneOfName = await delegationOf(challenge);
  if (zoneOfName.ok && zoneOfName.apex === challenge) {
    return say("challenge-delegated", `${challenge} is delegated to ${zoneOfName.nameServers.join(", ")}`);
  }
  const alias = await dns.resolve(challenge, "CNAME");
  if (!alias.ok) {
    if (alias.detail === "bogus") return say("dnssec-bogus", `${challenge} fails DNSSEC validation`);
    return { findings: [], unknown: [`whether there is a record at ${challenge} (${alias.detail})`] };
  }
  const found = alias.records.map(({ data }) => data);
  if (found.length > 0) {
    if (found.includes(target ?? "")) return { findings: [] };
    if (await isOfWildcard(alias, "CNAME")) return { findings: [] };
    const what = `${challenge} leads to ${found.join(", ")}`;
    if (!found.every((data) => ownTarget.test(data))) return say("challenge-cname-elsewhere", what);
    // Another authorization of the same project is a finding of its own.
    if (target === undefined && found.every((data) => targetsOfProject.has(data))) return { findings: [] };
    if (target === undefined) return say("challenge-of-other-project", what);
    return say("challenge-wrong", `${what}, and has to lead to ${target}`, `publish ${challenge}. CNAME ${target}.`);
  }
  const text = await dns.resolve(challenge, "TXT");
  if (text.ok && text.records.length > 0 && !(await isOfWildcard(text, "TXT"))) {
    return say(
      "challenge-txt",
      `${challenge} has ${text.records.length} TXT record${text.records.length > 1 ? "s" : ""}`,
    );
  }
  for (const type of others) {
    const other = await dns.resolve(challenge, type);
    if (other.ok && other.records.length > 0 && !(await isOfWildcard(other, type))) {
      return say("challenge-not-alone", `${challenge} has ${type} records`);
    }
  }
  if (zone === undefined) return { findings: [] };
  const doubled = `${challenge}.${zone}`;
  const twice = await dns.resolve(doubled, "CNAME");
  if (twice.ok && twice.records.some(({ data }) => ownTarget.test(data)) && !(await sameAsSibling(twice, zone))) {
    return say("challenge-doubled", `the record is published as ${doubled}`);
  }
  return { findings: [] };

  async function sameAsSibling(resolution: Resolution & { readonly ok: true }, apex: string) {
    const sibling = await dns.resolve(`${unusedLabel}.${apex}`, "CNAME");
    return sibling.ok && sibling.exists && dataOf(sibling) === dataOf(resolution);
  }
}

function dataOf({ records, chain }: Resolution & { readonly ok: true }): string {
  return [...chain, ...records]
    .map(({ type, data }) => `${type} ${data}`)
    .sort()
    .join("\n");
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
