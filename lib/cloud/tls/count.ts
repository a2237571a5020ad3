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
      const { serverName } = report;
      const host = serverName === undefined ? {} : { serverName };
      if (report.ok) {
        const { certificateName } = report;
        answered.add(keyOf(certificateName, serverName), () => ({ ...host, certificateName }));
      } else {
        const { code } = report.error;
        failed.add(keyOf(code, serverName), () => ({ ...host, code }));
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

interface Tally<Counted> {
  /** @param describe what a key stands for */
  readonly add: (key: string, describe: () => Omit<Counted, "count">) => void;
  readonly all: () => readonly Counted[];
  readonly clear: () => void;
}

function createTally<Counted extends { readonly count: number }>(): Tally<Counted> {
  const counts = new Map<string, { readonly what: Omit<Counted, "count">; count: number }>();
  return {
    add: (key, describe) => {
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { what: describe(), count: 1 });
      else known.count += 1;
    },
    all: () => [...counts.values()].map(({ what, count }) => ({ ...what, count }) as Counted),
    clear: () => counts.clear(),
  };
}
