import { bareName, type DnsView } from "../../dns";
import type { LiveZone } from "../../google";
import { countOf } from "../../text/words";
import { checkCaa } from "./caa-checks";
import { checkChallenge, judgeAuthorizations, withLiveTarget } from "./challenge-checks";
import { type CheckTask, checkTask, orUnknown } from "./check-task";
import { checkHostname, checkResolvers } from "./hostname-checks";
import { type CheckResult, merge } from "./model";
import type { DoctorOptions } from "./options";
import type { DnsContext, Shared } from "./shared";
import type { DoctorSubject } from "./subject";
import { checkDelegation, checkOwnServers, judgeZone, registered, zonesByName } from "./zone-checks";

export function dnsCheckTasks(subject: DoctorSubject, shared: Shared, options: DoctorOptions): readonly CheckTask[] {
  const { dns, now, unusedLabel, resolvers = [] } = options;
  const context: DnsContext = { dns, unusedLabel, delegationOf: shared.delegationOf };
  const plain = subject.hostnames.filter((hostname) => !hostname.startsWith("*."));
  return [
    ...zoneCheckTasks(subject, shared, context),
    ...challengeCheckTasks(subject, shared, context),
    ...subject.issued.map((name) => checkTask("caa", name, () => checkCaa(name, dns))),
    ...subject.hostnames.map((hostname) =>
      checkTask("hostnames", hostname, () => checkHostname(hostname, subject, { ...context, now })),
    ),
    ...(resolvers.length === 0 ? [] : plain).map((hostname) =>
      checkTask("resolvers", hostname, () => checkResolvers(hostname, resolvers, dns)),
    ),
  ];
}

function zoneCheckTasks(subject: DoctorSubject, shared: Shared, context: DnsContext): readonly CheckTask[] {
  const { dns, delegationOf } = context;
  const named = subject.zones.map((zone) =>
    checkTask("zones", `${zone.name} (${zone.domain})`, async () => {
      const { findings, live } = judgeZone(zone, await shared.zones(zone.project));
      return live === undefined
        ? { findings }
        : merge([{ findings }, await checkDelegation(zone, live, delegationOf, dns)]);
    }),
  );
  const { project, zonesUnnamed } = subject;
  const unnamed: CheckTask[] =
    !zonesUnnamed || project === undefined
      ? []
      : [checkTask("zones", project, () => checkUnnamedZones(subject, project, shared, dns))];
  // The name servers of a domain must answer no matter which program writes the records.
  const domains = new Set([
    ...subject.zones.map(({ domain }) => domain),
    ...(subject.zones.length > 0 ? [] : subject.domains.map(({ domain }) => registered(domain))),
  ]);
  return [
    ...named,
    ...unnamed,
    ...[...domains].map((domain) => checkTask("delegation", domain, () => checkOwnServers(domain, context))),
  ];
}

async function checkUnnamedZones(
  subject: DoctorSubject,
  project: string,
  shared: Shared,
  dns: DnsView,
): Promise<CheckResult> {
  const live = await shared.zones(project);
  const records = subject.domains
    .filter(({ published }) => published === "cloudDns")
    .map(({ domain, challenge }) => challenge ?? `_acme-challenge.${domain}`);
  const { zones, without } = zonesByName(records, project, live);
  const results = zones.map((zone) => {
    const own = live.find(({ name }) => name === zone.name) as LiveZone;
    return checkDelegation(zone, own, shared.delegationOf, dns);
  });
  const unknown = without.map((record) => `which zone ${record} is written to: project ${project} has none for it`);
  return merge([...(await Promise.all(results)), { findings: [], unknown }]);
}

function challengeCheckTasks(subject: DoctorSubject, shared: Shared, context: DnsContext): readonly CheckTask[] {
  if (subject.domains.length === 0) return [];
  const zoneOf = new Map(subject.zones.flatMap(({ records, domain }) => records.map((record) => [record, domain])));
  return [
    checkTask("authorizations", countOf(subject.domains.length, "domain"), async () => ({
      findings: judgeAuthorizations(subject, await shared.authorizations()),
    })),
    ...subject.domains.map((validated) =>
      checkTask("challenges", validated.domain, async () => {
        // A caller without permission to read authorizations still gets the findings about conflicting records.
        const { known = new Map(), unknown } = await orUnknown(shared.records(), "what the record has to be");
        const targetsOfProject = new Set([...known.values()].map(({ data }) => bareName(data)));
        const result = await checkChallenge(withLiveTarget(validated, known), {
          ...context,
          zone: zoneOf.get(`_acme-challenge.${validated.domain}`) ?? registered(validated.domain),
          targetsOfProject,
        });
        return merge([result, { findings: [], unknown }]);
      }),
    ),
  ];
}
