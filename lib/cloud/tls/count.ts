import type { HandshakeErrorCode, HandshakeReport } from "./report";

/** Maximum number of distinct pairs in each list. Clients choose the names, so their number is unlimited. */
export const mostCounted = 10_000;

/** Replaces new hosts when a list is full, and names that are too long for a host. Not a valid hostname itself. */
export const otherHosts = "(other hosts)";

/** Maximum length of a DNS hostname, in characters. */
const longestHost = 253;

/** Numbers of handshakes by result. */
export interface HandshakeCounts {
  /**
   * Counts by hostname and certificate, in order of first occurrence. Beyond 10,000 pairs, new hosts are counted as
   * `(other hosts)`.
   */
  readonly answered: readonly {
    /** Hostname; absent if the clients sent no hostname. */
    readonly serverName?: string;
    readonly certificateName: string;
    readonly count: number;
  }[];
  /** Counts by hostname and reason, with the same limit. */
  readonly failed: readonly {
    readonly serverName?: string;
    readonly code: HandshakeErrorCode;
    readonly count: number;
  }[];
}

export interface HandshakeCounter {
  readonly add: (report: HandshakeReport) => void;
  /** Returns the present counts. */
  readonly counts: () => HandshakeCounts;
  /** Resets all counts. */
  readonly reset: () => void;
}

/** Creates a counter of handshakes. */
export function createHandshakeCounter(): HandshakeCounter {
  const answered = createTally<HandshakeCounts["answered"][number]>();
  const failed = createTally<HandshakeCounts["failed"][number]>();
  return {
    add: (report) => {
      if (report.ok) {
        const { certificateName } = report;
        answered.add(certificateName, report.serverName, (host) => ({ ...host, certificateName }));
      } else {
        const { code } = report.error;
        failed.add(code, report.serverName, (host) => ({ ...host, code }));
      }
    },
    counts: () => ({ answered: answered.all(), failed: failed.all() }),
    reset: () => {
      answered.clear();
      failed.clear();
    },
  };
}

/** Returns the key of a pair. Resource names and codes contain no line breaks, so keys are unique. */
function keyOf(what: string, serverName: string | undefined): string {
  return serverName === undefined ? what : `${what}\n${serverName}`;
}

interface Host {
  readonly serverName?: string;
}

interface Tally<Counted> {
  /** Adds one to the count of a pair. @param describe returns the fields of a new pair */
  readonly add: (
    what: string,
    serverName: string | undefined,
    describe: (host: Host) => Omit<Counted, "count">,
  ) => void;
  readonly all: () => readonly Counted[];
  readonly clear: () => void;
}

function createTally<Counted extends { readonly count: number }>(): Tally<Counted> {
  const counts = new Map<string, { readonly what: Omit<Counted, "count">; count: number }>();
  return {
    add: (what, serverName, describe) => {
      // Only hostnames are unlimited: certificates and reasons come from the cloud, and a missing hostname adds few
      // pairs.
      const isOther =
        serverName !== undefined &&
        (serverName.length > longestHost || (counts.size >= mostCounted && !counts.has(keyOf(what, serverName))));
      const host = isOther ? otherHosts : serverName;
      const key = keyOf(what, host);
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else counts.set(key, { what: describe(host === undefined ? {} : { serverName: host }), count: 1 });
    },
    all: () => [...counts.values()].map(({ what, count }) => ({ ...what, count }) as Counted),
    clear: () => counts.clear(),
  };
}
