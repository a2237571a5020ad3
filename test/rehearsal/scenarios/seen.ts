import type { Issued, LoggedRequest } from "../../../lib/cloud";
import type { FolderRun } from "../../../lib/rehearsal/observer";
import type { Probe } from "../../../lib/rehearsal/probe";

/** Observations of a rehearsal by the cloud, Terraform, clients and the operator. */
export interface Evidence {
  /** Lines of messages to the operator. */
  readonly said: readonly string[];
  /** Requests to the cloud, in the order of the responses. */
  readonly requests: readonly LoggedRequest[];
  /** Each fault, and how often it took effect. */
  readonly faultCounts: readonly { readonly list: string; readonly fault: object; readonly count: number }[];
  /** Runs of Terraform, in the order in which they ended. */
  readonly runs: readonly FolderRun[];
  /** Managed certificates that the cloud issued, oldest first. */
  readonly issued: readonly Issued[];
  /** Distinct results of handshakes, each once. */
  readonly met: readonly Meeting[];
}

/** All handshakes with the same result. */
export type Meeting = Omit<Probe, "time"> & {
  /** Time of the first handshake on the cloud's clock, RFC 3339. */
  readonly firstAt: string;
};

/** Counts evidence that the subject of a scenario happened or did not happen. */
export interface Proof {
  /** Short description, for example `requests refused for quota`. */
  readonly what: string;
  /** Returns the number of occurrences in the evidence. */
  readonly count: (evidence: Evidence) => number;
  /** @default 1, or 0 with `atMost` */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Collects distinct results of handshakes. */
export function createMeetings(): { readonly add: (probe: Probe) => void; readonly list: () => readonly Meeting[] } {
  const met = new Map<string, Meeting>();
  return {
    add: ({ time, ...probe }) => {
      const { hostname, address, side, certificate, clientCertificate, refused, error } = probe;
      const key = [hostname, address, side, certificate, clientCertificate, refused, error].join(" ");
      if (!met.has(key)) met.set(key, { ...probe, firstAt: time });
    },
    list: () => [...met.values()],
  };
}

/** Returns the evidence up to the destroy, which is not evidence about the migration. */
export function evidenceUntil(evidence: Evidence, until: string): Evidence {
  return {
    ...evidence,
    requests: evidence.requests.filter(({ time }) => time <= until),
    runs: evidence.runs.filter((run) => run.until <= until),
    issued: evidence.issued.filter(({ time }) => time <= until),
  };
}
