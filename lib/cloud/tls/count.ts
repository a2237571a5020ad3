import type { HandshakeErrorCode, HandshakeReport } from "./report";

/** How often what has happened. */
export interface HandshakeCounts {
  /** By host name and certificate, in the order in which they came up first. */
  readonly answered: readonly {
    /** Nothing where the clients named no host. */
    readonly serverName?: string;
    readonly certificateName: string;
    readonly count: number;
  }[];
  /** By host name and reason, in the order in which they came up first. */
  readonly failed: readonly {
    readonly serverName?: string;
    readonly code: HandshakeErrorCode;
    readonly count: number;
  }[];
}

export interface HandshakeCounter {
  readonly add: (report: HandshakeReport) => void;
  /** As they are now. */
  readonly counts: () => HandshakeCounts;
  /** Begins again. */
  readonly reset: () => void;
}

/** Counts handshakes. */
export function createHandshakeCounter(): HandshakeCounter {
  const answered = createTally<HandshakeCounts["answered"][number]>();
  const failed = createTally<HandshakeCounts["failed"][number]>();
  return {
    add: (report) => {
      const host = report.serverName === undefined ? {} : { serverName: report.serverName };
      if (report.ok) answered.add({ ...host, certificateName: report.certificateName });
      else failed.add({ ...host, code: report.error.code });
    },
    counts: () => ({ answered: answered.all(), failed: failed.all() }),
    reset: () => {
      answered.clear();
      failed.clear();
    },
  };
}

interface Tally<Counted> {
  readonly add: (what: Omit<Counted, "count">) => void;
  readonly all: () => readonly Counted[];
  readonly clear: () => void;
}

function createTally<Counted extends { readonly count: number }>(): Tally<Counted> {
  const counts = new Map<string, number>();
  return {
    add: (what) => {
      const key = JSON.stringify(what);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    all: () => [...counts].map(([key, count]) => ({ ...JSON.parse(key), count }) as Counted),
    clear: () => counts.clear(),
  };
}
