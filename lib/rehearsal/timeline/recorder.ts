import type { ServedRecords } from "../../cloud";
import type { RehearsalEvent, RehearsalTimeline, RehearsedCertificate } from "../../report";
import { certificatesIn, describeCertificate } from "../../x509";
import { terraformFolder } from "../folder";
import type { FolderRun, ObservedEvents, RehearsalObserver } from "../observer";
import type { Side } from "../probe";
import { readGates } from "../terraform-output";
import { createServedRuns } from "./served-runs";

/** Records a rehearsal for its timeline. */
export interface TimelineRecorder {
  readonly observer: RehearsalObserver;
  /** @param until the cloud's time at the end, RFC 3339 */
  readonly result: (until: string) => RehearsalTimeline;
}

/** Maximum number of events; a rehearsal with more of them keeps the first. */
const mostEvents = 5_000;

type Add = (event: RehearsalEvent) => void;

/** @param hostnames all probed hostnames */
export function createTimelineRecorder(hostnames: readonly string[]): TimelineRecorder {
  const events: RehearsalEvent[] = [];
  const certificates = {
    previous: new Map<string, RehearsedCertificate>(),
    loadBalancer: new Map<string, RehearsedCertificate>(),
  };
  const addresses = { previous: new Set<string>(), loadBalancer: new Set<string>() };
  const runs = createServedRuns(hostnames, (sha256) => certificates.previous.has(sha256));
  const parts: NonNullable<RehearsalTimeline["parts"]>[number][] = [];
  const add: Add = (event) => void (events.length < mostEvents && events.push(event));
  const gates = createGateEvents(add);
  let from: string | undefined;
  let isOver = false;
  return {
    observer: {
      // The timeline ends before days pass: minutes would be invisible beside months.
      part: ({ passesDays, numbers, name, from, until }) => {
        isOver ||= passesDays === true;
        const isAfterSteps = !isOver && numbers.length === 0;
        if (isAfterSteps && from !== undefined && until !== undefined) parts.push({ name, from, until });
      },
      probe: (probe) => {
        if (isOver) return;
        from ??= probe.time;
        if (probe.side !== undefined && probe.address !== undefined) addresses[probe.side].add(probe.address);
        runs.add(probe);
      },
      run: (run) => {
        gates.end(run.until);
        for (const event of eventsOf(run)) add(event);
      },
      output: gates.read,
      issued: ({ time, domains }) =>
        add({
          kind: "certificate-active",
          from: time,
          what: `certificate for ${domains.join(", ")}`,
          hostnames: domains,
        }),
      records: (change) => add(recordsEvent(change)),
      frontEnds: createFrontEndEvents(hostnames, add),
      certificate: ({ pemCertificate }) => noteLeaves(pemCertificate, "loadBalancer", certificates.loadBalancer),
      chains: ({ pem, side }) => noteLeaves(pem, side, certificates[side]),
    },
    result: (until) => ({
      from: from ?? until,
      until,
      // Before the first handshake, the rehearsal creates the zones and records of today.
      events: events.filter((event) => from !== undefined && event.from >= from && event.from <= until).sort(byTime),
      parts,
      hostnames: runs.result(),
      certificates: [...certificates.previous.values(), ...certificates.loadBalancer.values()],
      addresses: { previous: [...addresses.previous], loadBalancer: [...addresses.loadBalancer] },
    }),
  };
}

function byTime(first: RehearsalEvent, second: RehearsalEvent): number {
  return first.from < second.from ? -1 : first.from > second.from ? 1 : 0;
}

function eventsOf({ program, folder, words, from, until, exitCode, killed }: FolderRun): readonly RehearsalEvent[] {
  const [verb = ""] = words;
  const place = folder === terraformFolder ? "" : ` in ${folder}`;
  const ok = exitCode === 0;
  const killedAt = { kind: "kill", from: until, what: `${program} ${verb}${place} was killed` } as const;
  return [
    ...(verb === "apply" ? [{ kind: "apply", from, until, what: `${program} apply${place}`, ok } as const] : []),
    ...(verb === "import"
      ? [{ kind: "import", from, until, what: `${program} import ${words.at(-2)}`, ok } as const]
      : []),
    ...(killed ? [killedAt] : []),
  ];
}

function recordsEvent({ time, records }: ServedRecords): RehearsalEvent {
  const descriptions = records.map(
    ({ name, type, data }) => `${name} ${type} ${data.length === 0 ? "removed" : data.join(" ")}`,
  );
  const hostnames = [...new Set(records.map(({ name }) => name.replace(/\.$/, "")))];
  return { kind: "records", from: time, what: descriptions.join("; "), hostnames };
}

/** Adds an event with the hostnames whose certificates on the load balancer have changed. */
function createFrontEndEvents(hostnames: readonly string[], add: Add) {
  const known = new Map<string, string>();
  return ({ time, certificatesFor }: ObservedEvents["frontEnds"]): void => {
    const changed = hostnames.filter((hostname) => {
      const names = certificatesFor(hostname).join(" ");
      const before = known.get(hostname) ?? "";
      known.set(hostname, names);
      return names !== before;
    });
    if (changed.length === 0) return;
    const [first = ""] = changed;
    const more = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
    const what = known.get(first) === "" ? "removed from the front ends" : "reached the front ends";
    add({ kind: "front-ends", from: time, what: `${first}${more} ${what}`, hostnames: changed });
  };
}

/** Turns Terraform's output into events of gates. A gate that has not passed when the run ends has failed. */
function createGateEvents(add: Add) {
  const open = new Map<string, string>();
  let now = "";
  const reader = readGates(({ address, state }) => {
    const from = open.get(address);
    if (state === "begun") open.set(address, now);
    else if (from !== undefined) {
      open.delete(address);
      add({ kind: "gate", from, until: now, what: address, ok: true });
    }
  });
  return {
    read: ({ text, time }: ObservedEvents["output"]): void => {
      now = time;
      reader.read(text);
    },
    end: (until: string): void => {
      reader.end();
      for (const [what, from] of open) add({ kind: "gate", from, until, what, ok: false });
      open.clear();
    },
  };
}

/** Notes the certificates in PEM that are not CA certificates. */
function noteLeaves(pem: string, side: Side, into: Map<string, RehearsedCertificate>): void {
  for (const certificate of certificatesIn(pem)) {
    const facts = describeCertificate(certificate);
    if (facts.isAuthority) continue;
    const { fingerprintSha256: sha256, dnsNames: names, issuer, keyType, notBefore, notAfter } = facts;
    const dates = { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() };
    into.set(sha256, { sha256, side, names, issuer, keyType, ...dates });
  }
}
