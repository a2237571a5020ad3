import type { LiveZone } from "../../google";
import { type Hostname, readHostname, registrableDomain } from "../../hostnames";
import { mapConcurrently } from "../concurrent";
import { checkCaa } from "./caa-checks";
import { checkChallenge, judgeAuthorizations, withLiveTargets } from "./challenge-checks";
import type { DnsView } from "./dns";
import { checkHostname, checkResolvers } from "./hostname-checks";
import type { Look } from "./look";
import { type CheckResult, merge } from "./model";
import type { DoctorOptions } from "./options";
import type { Shared } from "./shared";
import type { DoctorSubject } from "./subject";
import { checkDelegation, checkOwnServers, judgeZone, zonesByName } from "./zone-checks";

/** Everything to look at in DNS, and the zones of Cloud DNS. */
export function dnsLooks(subject: DoctorSubject, shared: Shared, options: DoctorOptions): readonly Look[] {
  const { dns, now, unusedLabel, resolvers = [] } = options;
  const { delegationOf } = shared;
  const plain = subject.hostnames.filter((hostname) => !hostname.startsWith("*."));
  return [
    ...zoneLooks(subject, shared, dns),
    ...(subject.domains.length === 0 ? [] : [challengeLook(subject, shared, options)]),
    ...subject.issued.map((name): Look => ({ check: "caa", subject: name, work: () => checkCaa(name, dns) })),
    ...subject.hostnames.map(
      (hostname): Look => ({
        check: "hostnames",
        subject: hostname,
        work: () => checkHostname(hostname, subject, { dns, delegationOf, now, unusedLabel }),
      }),
    ),
    ...(resolvers.length === 0 ? [] : plain).map(
      (hostname): Look => ({
        check: "resolvers",
        subject: hostname,
        work: () => checkResolvers(hostname, resolvers, dns),
      }),
    ),
  ];
}

function zoneLooks(subject: DoctorSubject, shared: Shared, dns: DnsView): readonly Look[] {
  const named = subject.zones.map(
    (zone): Look => ({
      check: "zones",
      subject: `${zone.name} (${zone.domain})`,
      work: async () => {
        const { findings, live } = judgeZone(zone, await shared.zones(zone.project));
        return live === undefined
          ? { findings }
          : merge([{ findings }, await checkDelegation(zone, live, shared.delegationOf, dns)]);
      },
    }),
  );
  const { project, zonesUnnamed } = subject;
  const unnamed: Look[] =
    !zonesUnnamed || project === undefined
      ? []
      : [{ check: "zones", subject: project, work: () => checkUnnamedZones(subject, project, shared, dns) }];
  // Whoever publishes by hand does so in a zone that somebody answers for.
  const foreign = new Set(
    subject.domains.filter(({ published }) => published === "external").map(({ domain }) => registered(domain)),
  );
  return [
    ...named,
    ...unnamed,
    ...[...foreign].map(
      (domain): Look => ({
        check: "delegation",
        subject: domain,
        work: () => checkOwnServers(domain, shared.delegationOf, dns),
      }),
    ),
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

function challengeLook(subject: DoctorSubject, shared: Shared, options: DoctorOptions): Look {
  const { dns, unusedLabel, concurrency = 32 } = options;
  return {
    check: "challenges",
    subject: `${subject.domains.length} domains`,
    work: async () => {
      const live = await shared.authorizations();
      const targetsOfProject = new Set(live.map(({ record }) => record.data.toLowerCase().replace(/\.$/, "")));
      const results = await mapConcurrently(withLiveTargets(subject, live), concurrency, (domain) => {
        const zone = subject.zones.find(({ records }) => records.includes(`_acme-challenge.${domain.domain}`))?.domain;
        return checkChallenge(domain, {
          dns,
          delegationOf: shared.delegationOf,
          zone: zone ?? registered(domain.domain),
          targetsOfProject,
          unusedLabel,
        });
      });
      return merge([...results, { findings: judgeAuthorizations(subject, live) }]);
    },
  };
}

function registered(domain: string): string {
  const read = readHostname(domain);
  return "hostname" in read ? (registrableDomain(read.hostname as Hostname) ?? domain) : domain;
}
