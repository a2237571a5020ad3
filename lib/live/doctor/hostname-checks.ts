import type { DnsRecord, DnsView, NameServerAddress, Resolution } from "../../dns";
import { canonicalAddress } from "../../hostnames";
import { dig } from "../../text/command-line";
import { answeredWith, explainDnsFailure } from "./dns-failure";
import { type CheckResult, type DoctorFinding, doctorFinding, merge } from "./model";
import type { DoctorOptions } from "./options";
import type { DnsContext } from "./shared";
import type { DoctorSubject } from "./subject";

/** TTL in seconds. A longer TTL makes a cut-over and a rollback slow. */
const longTtlSeconds = 300;
/** Recommended TTL before a cut-over, in seconds. */
const shortTtlSeconds = 60;

type HostnameOptions = DnsContext & Pick<DoctorOptions, "now">;

export async function checkHostname(
  hostname: string,
  subject: DoctorSubject,
  options: HostnameOptions,
): Promise<CheckResult> {
  if (hostname.startsWith("*.")) return checkWildcard(hostname, subject, options);
  const { dns, now } = options;
  const [ipv4, ipv6] = await Promise.all([dns.resolve(hostname, "A"), dns.resolve(hostname, "AAAA")]);
  const records = [...ownRecords([ipv4, ipv6]), ...(await authoritativeRecords(hostname, options))];
  return {
    findings: [
      ...judgeTtl(hostname, records, now),
      ...(subject.dns.moved.includes(hostname)
        ? judgePrevious(hostname, ipv4, ipv6, subject)
        : judgeAlias(hostname, ipv4)),
      ...judgeAnswers(hostname, ipv4, ipv6, subject),
    ],
    notes: describeOwn(records, now),
  };
}

/** Checks that the name has addresses, and that their families match the load balancer. */
function judgeAnswers(
  hostname: string,
  ipv4: Resolution,
  ipv6: Resolution,
  subject: DoctorSubject,
): readonly DoctorFinding[] {
  const alias = ipv4.chain.at(-1)?.data;
  const asked = alias === undefined ? hostname : `${hostname}, an alias of ${alias},`;
  if (ipv4.ok && ipv6.ok) {
    if (ipv4.records.length + ipv6.records.length > 0) return judgeFamilies(hostname, ipv4, ipv6, subject);
    const what = `${asked} ${ipv4.exists ? "has no address" : "does not exist"}`;
    const command = digAddresses(hostname);
    return [doctorFinding("hostname-unresolved", hostname, what, { command })];
  }
  const [type, detail] = ipv4.ok ? ["AAAA", ipv6.ok ? "" : ipv6.detail] : ["A", ipv4.detail];
  const what = `${type} of ${asked} ${answeredWith(detail)}`;
  const failure = { what: hostname, name: hostname, type, detail };
  return [explainDnsFailure(failure, { code: "hostname-unanswered", subject: hostname, what })];
}

type Found = Resolution & { readonly ok: true };

/** Returns the CNAME of the name, or its addresses: their TTL determines the duration of a cut-over. */
function ownRecords(resolutions: readonly Resolution[]): readonly DnsRecord[] {
  return resolutions.flatMap((resolution) => {
    const [alias] = resolution.chain;
    if (alias !== undefined) return [alias];
    return resolution.ok ? resolution.records : [];
  });
}

/** Asks the zone's own name servers, because resolvers return only the remaining TTL. */
async function authoritativeRecords(
  hostname: string,
  { dns, delegationOf }: HostnameOptions,
): Promise<readonly DnsRecord[]> {
  const zone = await delegationOf(hostname);
  for (const server of zone.ok ? zone.nameServers : []) {
    const answers = await Promise.all([
      dns.askNameServer(server, hostname, "A"),
      dns.askNameServer(server, hostname, "AAAA"),
    ]);
    const records = answers.flatMap((answer) => (answer.kind === "answer" ? answer.message.answers : []));
    if (records.length > 0) return records.filter(({ name }) => name === hostname);
  }
  return [];
}

function describeOwn(records: readonly DnsRecord[], now: Date): readonly string[] {
  const longest = new Map<string, number>();
  for (const { type, data, ttlSeconds } of records) {
    const record = `${type} ${data}`;
    longest.set(record, Math.max(ttlSeconds, longest.get(record) ?? 0));
  }
  return [...longest].map(
    ([record, ttlSeconds]) =>
      `${record}, TTL ${ttlSeconds} s: a change made now reaches all clients by ${after(now, ttlSeconds)}`,
  );
}

function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}

function judgeTtl(hostname: string, records: readonly DnsRecord[], now: Date): readonly DoctorFinding[] {
  const longest = Math.max(0, ...records.map(({ ttlSeconds }) => ttlSeconds));
  if (longest <= longTtlSeconds) return [];
  const types = [
    ...new Set(records.filter(({ ttlSeconds }) => ttlSeconds > longTtlSeconds).map(({ type }) => type)),
  ].sort();
  const effective = after(now, longest);
  const what = `the TTL of ${types.join(" and ")} of ${hostname} is ${longest} s`;
  const remedy = `lower the TTL to ${shortTtlSeconds} s now, and move traffic after ${effective}, when the caches of resolvers have expired`;
  return [doctorFinding("ttl-long", hostname, what, { remedy })];
}

/** Checks for a CNAME at a hostname whose records step 8 does not change. The plan has no data about these records. */
function judgeAlias(hostname: string, resolution: Resolution): readonly DoctorFinding[] {
  const [alias] = resolution.chain;
  if (alias === undefined) return [];
  const what = `${hostname} is an alias of ${alias.data}`;
  const remedy = `state { cname: ${alias.data}. } for ${hostname} in traffic.previous: then its target is changed in place, without a gap`;
  return [doctorFinding("hostname-alias", hostname, what, { remedy })];
}

/** Compares the adopted records with DNS. If they differ, the first apply changes them. */
function judgePrevious(
  hostname: string,
  ipv4: Resolution,
  ipv6: Resolution,
  subject: DoctorSubject,
): readonly DoctorFinding[] {
  const previous = subject.dns.previous.filter((record) => record.hostname === hostname);
  if (previous.length === 0) return [];
  const planned = (type: string) => previous.filter((record) => record.type === type).flatMap(({ data }) => data);
  const differ: string[] = [];
  const hold = (type: string, liveData: readonly string[]) => {
    const wanted = [...new Set(planned(type))].sort();
    const found = [...new Set(liveData.map(canonicalAddress))].sort();
    if (wanted.map(canonicalAddress).sort().join() === found.join()) return;
    differ.push(`${type} ${list(wanted)} in the plan, ${list(found)} in DNS`);
  };
  const alias = (ipv4.chain[0] ?? ipv6.chain[0])?.data;
  // Without an answer, the records in DNS are unknown.
  const isKnown = alias !== undefined || ipv4.ok || ipv6.ok;
  if (isKnown && (alias !== undefined || planned("CNAME").length > 0))
    hold("CNAME", alias === undefined ? [] : [alias]);
  if (alias === undefined) {
    const dataIn = ({ records }: Found) => records.map(({ data }) => data);
    if (ipv4.ok) hold("A", dataIn(ipv4));
    if (ipv6.ok) hold("AAAA", dataIn(ipv6));
  }
  if (differ.length === 0) return [];
  return [doctorFinding("previous-differs", hostname, `${hostname} has ${differ.join("; ")}`)];
}

function list(data: readonly string[]): string {
  return data.length === 0 ? "nothing" : data.join(", ");
}

function judgeFamilies(hostname: string, ipv4: Found, ipv6: Found, subject: DoctorSubject): readonly DoctorFinding[] {
  const { addresses, servingProxies } = subject.balancer;
  // A migration in place keeps the addresses of each name, so that nothing is cut over.
  if (servingProxies.length > 0 || addresses.ipv4.length + addresses.ipv6.length === 0) return [];
  const findings: DoctorFinding[] = [];
  if (ipv4.records.length > 0 && addresses.ipv4.length === 0) {
    findings.push(doctorFinding("ipv4-lost", hostname, `${hostname} has ${addressesOf(ipv4)}`));
  }
  if (ipv6.records.length > 0 && addresses.ipv6.length === 0) {
    findings.push(doctorFinding("ipv6-lost", hostname, `${hostname} has ${addressesOf(ipv6)}`));
  }
  if (ipv6.records.length === 0 && ipv4.records.length > 0 && addresses.ipv6.length > 0) {
    findings.push(doctorFinding("ipv6-new", hostname, `${hostname} has no AAAA record`));
  }
  return findings;
}

function addressesOf({ records }: Found): string {
  return records.map(({ type, data }) => `${type} ${data}`).join(", ");
}

/** Checks the target of a wildcard record. Nothing moves its traffic unless the plan includes the wildcard. */
async function checkWildcard(
  hostname: string,
  { dns: { moved } }: DoctorSubject,
  { dns, unusedLabel }: HostnameOptions,
): Promise<CheckResult> {
  const probe = `${unusedLabel}${hostname.slice(1)}`;
  const { found, failure } = await destinationOf(dns, probe);
  if (found === "") {
    const unknown = failure === undefined ? [] : [`whether names below ${hostname.slice(2)} resolve (${failure})`];
    return { findings: [], unknown };
  }
  if (moved.includes(hostname)) return { findings: [] };
  const what = `names below ${hostname.slice(2)} resolve to ${found}`;
  const command = digAddresses(hostname);
  return { findings: [doctorFinding("wildcard-not-moved", hostname, what, { command })] };
}

async function destinationOf(
  dns: DnsView,
  name: string,
): Promise<{ readonly found: string; readonly failure: string | undefined }> {
  const found = await Promise.all([dns.resolve(name, "A"), dns.resolve(name, "AAAA")]);
  const data = found.flatMap((resolution) =>
    resolution.ok ? [...resolution.chain.slice(0, 1), ...resolution.records] : resolution.chain.slice(0, 1),
  );
  const failure = found.flatMap((resolution) => (resolution.ok ? [] : resolution.detail))[0];
  return { found: [...new Set(data.map((record) => record.data))].join(", "), failure };
}

export async function checkResolvers(
  hostname: string,
  resolvers: readonly NameServerAddress[],
  dns: DnsView,
): Promise<CheckResult> {
  const results = await Promise.all(
    (["A", "AAAA"] as const).map(async (type): Promise<CheckResult> => {
      const ownResolution = await dns.resolve(hostname, type);
      const theirs = await Promise.all(resolvers.map((server) => dns.resolveAt(server, hostname, type)));
      const differ = resolvers.flatMap((server, index) => {
        const theirResolution = theirs[index];
        if (theirResolution === undefined || dataOf(ownResolution) === dataOf(theirResolution)) return [];
        return [`${server.address} port ${server.port} says ${dataOf(theirResolution)}`];
      });
      if (differ.length === 0) return { findings: [] };
      const what = `${type} of ${hostname}: ${dataOf(ownResolution)} here, ${differ.join(", ")}`;
      const command = dig([[hostname, type]]);
      return { findings: [doctorFinding("resolvers-disagree", hostname, what, { command })] };
    }),
  );
  return merge(results);
}

function digAddresses(hostname: string): string {
  return dig([
    [hostname, "A"],
    [hostname, "AAAA"],
  ]);
}

function dataOf(resolution: Resolution): string {
  if (!resolution.ok) return resolution.detail;
  const data = resolution.records.map((record) => record.data).sort();
  return data.length === 0 ? "nothing" : data.join(", ");
}
