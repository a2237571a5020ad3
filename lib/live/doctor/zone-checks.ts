import { type DelegationReading, type DnsView, isAtOrBelow, parentOf } from "../../dns";
import type { LiveZone } from "../../google";
import { longestSuffix, registered } from "../../hostnames";
import { dig, gcloud } from "../../text/command-line";
import { answeredWith, explainDnsFailure } from "./dns-failure";
import { type CheckResult, type DoctorFinding, doctorFinding, merge } from "./model";
import type { DnsContext } from "./shared";
import type { ZoneOfPlan } from "./subject";

/** Compares a zone of the plan with the zones of its project. The check of references reports a missing zone. */
export function judgeZone(
  zone: ZoneOfPlan,
  zones: readonly LiveZone[],
): { readonly findings: readonly DoctorFinding[]; readonly live?: LiveZone } {
  const live = zones.find(({ name }) => name === zone.name);
  if (live === undefined) return { findings: [] };
  if (live.isPrivate) {
    const command = gcloud("dns managed-zones list", `--project=${zone.project}`);
    return {
      findings: [doctorFinding("zone-private", zone.name, `the DNS zone ${zone.name} is private`, { command })],
    };
  }
  const outside = zone.records.filter((record) => !isAtOrBelow(record, live.domain));
  if (live.domain !== zone.domain || outside.length > 0) {
    const what = `the DNS zone ${zone.name} is for ${live.domain}, and the plan writes ${zone.records.join(", ")} to it`;
    const command = gcloud("dns managed-zones describe", zone.name, `--project=${zone.project}`);
    return { findings: [doctorFinding("zone-mismatched", zone.name, what, { command })] };
  }
  return { findings: [], live };
}

/** Returns the public zones with the longest matching suffix of each record. */
export function zonesByName(
  records: readonly string[],
  project: string,
  zones: readonly LiveZone[],
): { readonly zones: readonly ZoneOfPlan[]; readonly without: readonly string[] } {
  const open = zones.filter(({ isPrivate }) => !isPrivate);
  const found = new Map<string, string[]>();
  const without: string[] = [];
  for (const record of records) {
    const domain = longestSuffix(
      record,
      open.map((zone) => zone.domain),
    );
    if (domain === undefined) without.push(record);
    else found.set(domain, [...(found.get(domain) ?? []), record]);
  }
  return {
    zones: [...found].map(([domain, zoneNames]) => ({
      project,
      name: open.find((zone) => zone.domain === domain)?.name ?? "",
      domain,
      records: zoneNames,
    })),
    without,
  };
}

export async function checkDelegation(
  zone: ZoneOfPlan,
  live: LiveZone,
  delegationOf: (name: string) => Promise<DelegationReading>,
  dns: DnsView,
): Promise<CheckResult> {
  const delegation = await delegationOf(live.domain);
  if (!delegation.ok) return unread(live.domain, delegation.at, delegation.detail);
  const results = [await judgeDelegation(zone, live, delegation, dns)];
  if (delegation.apex === live.domain) results.push(await checkSigning(zone, live, dns));
  // A subdomain between the zone and the record may be delegated elsewhere.
  for (const record of zone.records) {
    const cut = await findCut(record, live.domain, delegationOf);
    if (cut !== undefined && cut !== live.domain) {
      const what = `${cut} is a zone of its own, so that ${record} in the zone ${zone.name} (${live.domain}) is not seen`;
      const command = dig([[cut, "NS"]], "+short");
      results.push({ findings: [doctorFinding("delegation-below", record, what, { command })] });
    }
  }
  return merge(results);
}

/** Returns the zone that contains a record. The CNAME of an authorization is not a zone, so its parent is looked up. */
async function findCut(
  record: string,
  domain: string,
  delegationOf: (name: string) => Promise<DelegationReading>,
): Promise<string | undefined> {
  const at = record.startsWith("_acme-challenge.") ? (parentOf(record) ?? record) : record;
  if (at === domain) return undefined;
  const found = await delegationOf(at);
  return found.ok && isAtOrBelow(found.apex, domain) ? found.apex : undefined;
}

async function judgeDelegation(
  { name, project }: ZoneOfPlan,
  live: LiveZone,
  found: DelegationReading & { readonly ok: true },
  dns: DnsView,
): Promise<CheckResult> {
  const command = gcloud("dns managed-zones describe", name, `--project=${project}`);
  const wanted = live.nameServers.join(", ");
  if (found.apex !== live.domain) {
    const what = `nothing delegates ${live.domain}: it is part of ${found.apex}, which is at ${found.nameServers.join(", ")}`;
    const remedy = `have ${found.apex} delegate ${live.domain} to ${wanted}, or write to the zone of ${found.apex}`;
    return { findings: [doctorFinding("zone-not-delegated", live.domain, what, { remedy, command })] };
  }
  const commonServers = found.nameServers.filter((server) => live.nameServers.includes(server));
  const others = found.nameServers.filter((server) => !live.nameServers.includes(server));
  if (commonServers.length === 0) {
    if (await isZoneUnderOtherNames(live, others, dns)) return { findings: [] };
    const what = `${live.domain} is delegated to ${others.join(", ")}, and the zone ${name} is at ${wanted}`;
    return { findings: [doctorFinding("zone-not-delegated", live.domain, what, { command })] };
  }
  if (others.length > 0 || commonServers.length < live.nameServers.length) {
    const lacking = live.nameServers.filter((server) => !commonServers.includes(server));
    const parts = [
      ...(others.length > 0 ? [`also to ${others.join(", ")}`] : []),
      ...(lacking.length > 0 ? [`not to ${lacking.join(", ")}`] : []),
    ];
    const what = `${live.domain} is delegated ${parts.join(" and ")}, beside the name servers of the zone ${name}`;
    return { findings: [doctorFinding("delegation-incomplete", live.domain, what, { command })] };
  }
  return { findings: [] };
}

/** Some owners give the zone's servers names of their own, so the primary server of the SOA record is compared. */
async function isZoneUnderOtherNames(live: LiveZone, servers: readonly string[], dns: DnsView): Promise<boolean> {
  const answers = await Promise.all(servers.map((server) => dns.askNameServer(server, live.domain, "SOA")));
  return answers.some((answer) => {
    if (answer.kind !== "answer" || !answer.message.authoritative) return false;
    return answer.message.answers.some(
      ({ type, data }) => type === "SOA" && live.nameServers.includes(data.split(" ")[0] ?? ""),
    );
  });
}

/** Checks all delegated name servers. A lame server is a finding; if all servers are lame, the zone does not answer. */
async function checkNameServers(
  domain: string,
  servers: readonly string[],
  { dns, unusedLabel }: DnsContext,
): Promise<CheckResult> {
  const readings = await Promise.all(servers.map((server) => readServer(domain, server, dns)));
  if (readings.every(({ how }) => how === "silent") && (await dns.resolve(`${unusedLabel}.${domain}`, "A")).ok) {
    // A resolver just answered a query for a name that cannot be in its cache.
    return { findings: [], unknown: [`${servers.join(", ")}: they answer resolvers and not this machine`] };
  }
  const unknown = readings
    .filter(({ how }) => how === "unqueried")
    .map(({ server }) => `${server} could not be asked from here`);
  const lame = readings.filter(({ how }) => how === "silent" || how === "lame");
  const findings = lame.map(({ server, what }) => {
    const command = dig([[domain, "SOA"]], "+norecurse", `@${server}`);
    return doctorFinding("name-server-lame", domain, `${server}, to which ${domain} is delegated, ${what}`, {
      command,
    });
  });
  if (lame.length === 0 || lame.length < servers.length) return { findings, unknown };
  const command = dig([[domain, "NS"]], "+trace");
  const what = `${domain} is delegated to ${servers.join(", ")}, and none of them answers for it`;
  return { findings: [...findings, doctorFinding("zone-unanswered", domain, what, { command })] };
}

/** A name server that a zone is delegated to must be authoritative for the zone. */
interface ServerReading {
  readonly server: string;
  readonly how: "good" | "lame" | "silent" | "unqueried";
  /** What the server does, as the end of a sentence. */
  readonly what: string;
}

async function readServer(domain: string, server: string, dns: DnsView): Promise<ServerReading> {
  const answer = await dns.askNameServer(server, domain, "SOA");
  if (answer.kind === "unknown") return { server, how: "unqueried", what: "could not be queried" };
  if (answer.kind === "no-address") return { server, how: "lame", what: "has no address" };
  if (answer.kind === "silent") return { server, how: "silent", what: `does not answer (${answer.detail})` };
  const { rcode, authoritative } = answer.message;
  if (rcode !== "NOERROR") return { server, how: "lame", what: `answers ${rcode}` };
  return authoritative
    ? { server, how: "good", what: "is authoritative" }
    : { server, how: "lame", what: "is not authoritative" };
}

async function checkSigning({ name, project }: ZoneOfPlan, live: LiveZone, dns: DnsView): Promise<CheckResult> {
  const announced = await dns.resolve(live.domain, "DS");
  if (!announced.ok) return { findings: [], unknown: [`the DS record of ${live.domain} (${announced.detail})`] };
  if (announced.records.length === 0 || live.isSigned) return { findings: [] };
  const what = `${live.domain} has a DS record, and DNSSEC is off for the zone ${name}`;
  const command = gcloud("dns managed-zones update", name, "--dnssec-state=on", `--project=${project}`);
  return { findings: [doctorFinding("dnssec-unsigned", live.domain, what, { command })] };
}

export async function checkOwnServers(domain: string, options: DnsContext): Promise<CheckResult> {
  const delegation = await options.delegationOf(domain);
  if (!delegation.ok) return unread(domain, delegation.at, delegation.detail);
  if (!isAtOrBelow(delegation.apex, registered(domain))) {
    const what = `no name server answers for ${domain}: ${delegation.apex} does not delegate it`;
    const command = dig([[domain, "NS"]], "+trace");
    return { findings: [doctorFinding("zone-unanswered", domain, what, { command })] };
  }
  return checkNameServers(delegation.apex, delegation.nameServers, options);
}

function unread(domain: string, at: string, detail: string): CheckResult {
  const what = `the zone of ${domain} was not found: ${at} ${answeredWith(detail)}`;
  const failure = { what: at, name: at, type: "NS", detail };
  return { findings: [explainDnsFailure(failure, { code: "zone-unanswered", subject: domain, what })] };
}
