import type { FrontEndChange, Issued, ServedRecords } from "../../cloud";
import { certificatesIn, describeCertificate } from "../../x509";
import type { Probe } from "../probe";
import type { FolderRun, StageOptions } from "../stage-options";
import { readGates } from "../terraform-output";
import type { Timeline, TimelineCertificate, TimelineEvent } from "./model";
import { createServedRuns } from "./served-runs";

/** Records a rehearsal for its timeline. */
export interface TimelineRecorder {
  /** Returns the options of a stage with hooks that also record. */
  readonly recording: <Options extends StageOptions>(options: Options) => Options;
  /** @param until the cloud's time at the end, RFC 3339 */
  readonly result: (until: string) => Timeline;
}

/** Maximum number of events; a rehearsal with more of them keeps the first. */
const mostEvents = 5_000;

/** @param hostnames all probed hostnames */
export function createTimelineRecorder(hostnames: readonly string[]): TimelineRecorder {
  const events: TimelineEvent[] = [];
  const previous = new Map<string, TimelineCertificate>();
  const others = new Map<string, TimelineCertificate>();
  const addresses = { old: new Set<string>(), new: new Set<string>() };
  const runs = createServedRuns(hostnames, (sha256) => previous.has(sha256));
  const gates = createGateEvents();
  let from: string | undefined;
  const add = (event: TimelineEvent) => void (events.length < mostEvents && events.push(event));

  const hooks = {
    onProbe: (probe: Probe) => {
      from ??= probe.time;
      if (probe.side !== undefined && probe.address !== undefined) addresses[probe.side].add(probe.address);
      runs.add(probe);
    },
    onRun: ({ folder, words, from: begun, until, exitCode, killed }: FolderRun) => {
      gates.end(until).forEach(add);
      const [verb = ""] = words;
      const of = folder === "terraform" ? "" : ` in ${folder}`;
      const ok = exitCode === 0;
      if (verb === "apply") add({ kind: "apply", from: begun, until, what: `terraform apply${of}`, ok });
      if (verb === "import") add({ kind: "import", from: begun, until, what: `terraform import ${words.at(-2)}`, ok });
      if (killed) add({ kind: "kill", from: until, what: `terraform ${verb}${of} was killed` });
    },
    onTerraformText: gates.read(add),
    onIssued: ({ time, domains }: Issued) =>
      add({
        kind: "certificate-active",
        from: time,
        what: `certificate for ${domains.join(", ")}`,
        hostnames: domains,
      }),
    onRecords: ({ time, records }: ServedRecords) => {
      const descriptions = records.map(({ name, type, data }) => {
        return `${name} ${type} ${data.length === 0 ? "removed" : data.join(" ")}`;
      });
      const names = [...new Set(records.map(({ name }) => name.replace(/\.$/, "")))];
      add({ kind: "records", from: time, what: descriptions.join("; "), hostnames: names });
    },
    onFrontEnds: createFrontEndEvents(hostnames, add),
    onCertificate: ({ pemCertificate }: { readonly pemCertificate: string }) =>
      noteLeaves(pemCertificate, "new", others),
    onChains: (pem: string, side: "previous" | "new") => noteLeaves(pem, side, side === "previous" ? previous : others),
  };

  return {
    recording: (options) => ({ ...options, ...chained(options, hooks) }),
    result: (until) => ({
      from: from ?? until,
      until,
      // Before the first handshake, the rehearsal creates the zones and records of today.
      events: events.filter((event) => from !== undefined && event.from >= from && event.from <= until).sort(byTime),
      hostnames: runs.result(),
      certificates: [...previous.values(), ...others.values()],
      addresses: { previous: [...addresses.old], loadBalancer: [...addresses.new] },
    }),
  };
}

function byTime(one: TimelineEvent, other: TimelineEvent): number {
  return one.from < other.from ? -1 : one.from > other.from ? 1 : 0;
}

type Hooks = Readonly<Record<string, (...values: never[]) => void>>;

/** Returns hooks that first call the hook of the same name in the options. */
function chained<Own extends Hooks>(options: StageOptions, own: Own): Own {
  const given = options as unknown as Readonly<Record<string, ((...values: unknown[]) => void) | undefined>>;
  const both = Object.entries(own).map(([name, record]) => [
    name,
    (...values: never[]) => {
      given[name]?.(...values);
      record(...values);
    },
  ]);
  return Object.fromEntries(both) as Own;
}

/** Adds an event with the hostnames whose certificates on the load balancer have changed. */
function createFrontEndEvents(hostnames: readonly string[], add: (event: TimelineEvent) => void) {
  const known = new Map<string, string>();
  return ({ time, certificatesFor }: FrontEndChange): void => {
    const changed = hostnames.filter((hostname) => {
      const names = certificatesFor(hostname).join(" ");
      const before = known.get(hostname) ?? "";
      known.set(hostname, names);
      return names !== before;
    });
    if (changed.length === 0) return;
    const [first = ""] = changed;
    const others = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
    const what = known.get(first) === "" ? "removed from the front ends" : "reached the front ends";
    add({ kind: "front-ends", from: time, what: `${first}${others} ${what}`, hostnames: changed });
  };
}

/** Turns Terraform's output into events of gates. A gate that has not passed when the run ends has failed. */
function createGateEvents() {
  const open = new Map<string, string>();
  let add: (event: TimelineEvent) => void = () => undefined;
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
    read: (tell: typeof add) => {
      add = tell;
      return (text: string, time: string): void => {
        now = time;
        reader.read(text);
      };
    },
    end: (until: string): readonly TimelineEvent[] => {
      reader.end();
      const failed = [...open].map(([what, from]) => ({ kind: "gate", from, until, what, ok: false }) as const);
      open.clear();
      return failed;
    },
  };
}

/** Notes the certificates in PEM that are not CA certificates. */
function noteLeaves(pem: string, side: TimelineCertificate["side"], into: Map<string, TimelineCertificate>): void {
  for (const certificate of certificatesIn(pem)) {
    const facts = describeCertificate(certificate);
    if (facts.isAuthority) continue;
    const { fingerprintSha256: sha256, dnsNames: names, issuer, keyType, notBefore, notAfter } = facts;
    const dates = { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() };
    into.set(sha256, { sha256, side, names, issuer, keyType, ...dates });
  }
}
