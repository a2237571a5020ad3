import type { HandshakeErrorCode, HandshakeReport } from "./report";

/** Most pairs that each list tells apart: names are whatever clients send, and there may be any number. */
export const mostCounted = 10_000;

/** Stands for the hosts that came up when a list was full, and for names that no host can have. It is no name itself. */
export const otherHosts = "(other hosts)";

/** Longest host name of DNS, in characters. */
const longestHost = 253;

/** How often what has happened. */
export interface HandshakeCounts {
  /** By host name and certificate, in the order in which they came up first; from 10,000 on, new hosts are one, `(other hosts)`. */
  readonly answered: readonly {
    /** Nothing where the clients named no host. */
    readonly serverName?: string;
    readonly certificateName: string;
    readonly count: number;
  }[];
  /** By host name and reason, in the same way. */
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

/** One for each pair; names of resources and codes have no line breaks. */
function keyOf(what: string, serverName: string | undefined): string {
  return serverName === undefined ? what : `${what}\n${serverName}`;
}

interface Host {
  readonly serverName?: string;
}

interface Tally<Counted> {
  /** @param describe what a pair stands for */
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
      // Certificates and reasons are few, and the cloud's own; so are those who name no host.
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
