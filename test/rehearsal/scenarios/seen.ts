import type { Issued, LoggedRequest } from "../../../lib/cloud";
import type { Probe } from "../../../lib/rehearsal/probe";
import type { FolderRun } from "../../../lib/rehearsal/stage-options";

/** What was seen of a rehearsal by those who take part in it: the cloud, Terraform, clients, the operator. */
export interface Evidence {
  /** Lines of messages to the operator. */
  readonly said: readonly string[];
  /** What the cloud was asked, in the order of the answers. */
  readonly requests: readonly LoggedRequest[];
  /** Each fault, and how often it struck. */
  readonly struck: readonly { readonly list: string; readonly fault: object; readonly count: number }[];
  /** Runs of Terraform, in the order of their ends. */
  readonly runs: readonly FolderRun[];
  /** Managed certificates that the cloud issued, oldest first. */
  readonly issued: readonly Issued[];
  /** Whom clients met, each meeting once. */
  readonly met: readonly Meeting[];
}

/** All handshakes of one kind. */
export type Meeting = Omit<Probe, "time"> & {
  /** The cloud's time of the first, RFC 3339. */
  readonly firstAt: string;
};

/** What shows that what a scenario is about has happened, or has not. */
export interface Proof {
  /** In a few words, as in `requests refused for quota`. */
  readonly what: string;
  /** How much of it there is in what was seen. */
  readonly count: (evidence: Evidence) => number;
  /** @default 1, and 0 where there is a most */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Gathers meetings, each once. */
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

/** Returns the evidence up to the destroy, which proves nothing about the migration. */
export function evidenceUntil(evidence: Evidence, until: string): Evidence {
  return {
    ...evidence,
    requests: evidence.requests.filter(({ time }) => time <= until),
    runs: evidence.runs.filter((run) => run.until <= until),
    issued: evidence.issued.filter(({ time }) => time <= until),
  };
}
