import { withoutDot } from "../../dns";
import type { LiveZone } from "../../google";
import { registered } from "../../hostnames";
import { countOf } from "../../text/words";
import { caaRefusal, isRenewedByDns } from "../renewal";
import { checkCaa } from "./caa-checks";
import { checkChallenge, judgeAuthorizations, withLiveTarget } from "./challenge-checks";
import { type CheckContext, type CheckRow, row } from "./check-row";
import { orUnknown } from "./check-task";
import { checkHostname, checkResolvers } from "./hostname-checks";
import { type CheckResult, merge } from "./model";
import { certificateIds, type DnsContext, lookUpOf } from "./shared";
import type { DoctorSubject } from "./subject";
import { checkDelegation, checkOwnServers, judgeZone, zonesByName } from "./zone-checks";

/** Checks of DNS. Each answer leads to further queries, so that most of these checks judge while they ask. */
export const dnsChecks: readonly CheckRow<CheckResult>[] = [
  row({
    check: "zones",
    of: ({ subject }) => subject.dns.zones,
    subject: ({ name, domain }) => `${name} (${domain})`,
    ask: async (zone, { shared, options: { dns } }) => {
      const { findings, live } = judgeZone(zone, await shared.zones(zone.project));
      return live === undefined
        ? { findings }
        : merge([{ findings }, await checkDelegation(zone, live, shared.delegationOf, dns)]);
    },
    judge: (result) => result,
  }),
  row({
    check: "zones",
    of: ({ subject: { project, dns } }) => (dns.zonesUnnamed && project !== undefined ? [project] : []),
    subject: (project) => project,
    ask: checkUnnamedZones,
    judge: (result) => result,
  }),
  row({
    check: "delegation",
    of: ({ subject }) => domainsToDelegate(subject),
    subject: (domain) => domain,
    ask: (domain, context) => checkOwnServers(domain, dnsContext(context)),
    judge: (result) => result,
  }),
  row({
    check: "authorizations",
    of: ({ subject: { dns } }) => (dns.domains.length === 0 ? [] : [dns.domains]),
    subject: (domains) => countOf(domains.length, "domain"),
    ask: (_domains, { shared }) => shared.manager.authorizations(),
    judge: (live, _domains, { subject }) => ({ findings: judgeAuthorizations(subject, live) }),
  }),
  row({
    check: "challenges",
    of: ({ subject }) => subject.dns.domains,
    subject: ({ domain }) => domain,
    ask: async (validated, context) => {
      // A caller without permission to read authorizations still gets the findings about conflicting records.
      const { known = new Map(), unknown } = await orUnknown(
        context.shared.manager.records(),
        "what the record has to be",
      );
      const record = `_acme-challenge.${validated.domain}`;
      const zone = context.subject.dns.zones.filter(({ records }) => records.includes(record)).at(-1);
      const result = await checkChallenge(withLiveTarget(validated, known), {
        ...dnsContext(context),
        zone: zone?.domain ?? registered(validated.domain),
        targetsOfProject: new Set([...known.values()].map(({ data }) => withoutDot(data))),
      });
      return merge([result, { findings: [], unknown }]);
    },
    judge: (result) => result,
  }),
  row({
    check: "caa",
    of: ({ subject }) => subject.certificates.issued,
    subject: (name) => name,
    ask: async (name, { subject, shared, options: { dns } }) => {
      const result = await checkCaa(name, dns);
      if (result.findings.length === 0) return result;
      const refusal = await caaRefusal(name, (asked) => lookUpOf(dns)(asked, "CAA"));
      if (refusal === undefined) return result;
      // Of a certificate that is issued already, only the renewal is at risk, which its own check reports.
      const { known = [] } = await orUnknown(shared.manager.certificates(), "whether the certificate is issued");
      const ids = new Set(certificateIds(subject));
      const own = known.filter((live) => ids.has(live.name) && isRenewedByDns(live));
      return own.some(({ domains }) => domains.includes(name)) ? { findings: [] } : result;
    },
    judge: (result) => result,
  }),
  row({
    check: "hostnames",
    of: ({ subject }) => subject.dns.hostnames,
    subject: (hostname) => hostname,
    ask: (hostname, context) =>
      checkHostname(hostname, context.subject, { ...dnsContext(context), now: context.options.now }),
    judge: (result) => result,
  }),
  row({
    check: "resolvers",
    of: ({ subject, options: { lookUps } }) =>
      lookUps.resolvers === undefined || lookUps.resolvers.length === 0
        ? []
        : subject.dns.hostnames.filter((hostname) => !hostname.startsWith("*.")),
    subject: (hostname) => hostname,
    ask: (hostname, { options: { dns, lookUps } }) => checkResolvers(hostname, lookUps.resolvers ?? [], dns),
    judge: (result) => result,
  }),
];

function dnsContext({ shared, options: { dns, lookUps } }: CheckContext): DnsContext {
  return { dns, unusedLabel: lookUps.unusedLabel, delegationOf: shared.delegationOf };
}

/** Returns the domains whose name servers must answer, no matter which program writes the records. */
function domainsToDelegate({ dns: { zones, domains } }: DoctorSubject): readonly string[] {
  const named = zones.length > 0 ? zones.map(({ domain }) => domain) : domains.map(({ domain }) => registered(domain));
  return [...new Set(named)];
}

async function checkUnnamedZones(
  project: string,
  { subject, shared, options: { dns } }: CheckContext,
): Promise<CheckResult> {
  const live = await shared.zones(project);
  const records = subject.dns.domains
    .filter(({ published }) => published === "cloudDns")
    .map(({ domain, challenge }) => challenge ?? `_acme-challenge.${domain}`);
  const { zones, without } = zonesByName(records, project, live);
  const results = zones.map((zone) => {
    const liveZone = live.find(({ name }) => name === zone.name) as LiveZone;
    return checkDelegation(zone, liveZone, shared.delegationOf, dns);
  });
  const unknown = without.map((record) => `which zone ${record} is written to: project ${project} has none for it`);
  return merge([...(await Promise.all(results)), { findings: [], unknown }]);
}
