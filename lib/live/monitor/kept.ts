import type { LiveCertificate, LiveEntry } from "../../google";
import { defined } from "../../json/defined";
import { leafOf } from "../renewal";

/** What the monitor keeps of each item of a list, so that 20,000 hostnames fit into little memory. */
export interface Kept {
  readonly certificate: (listed: LiveCertificate) => LiveCertificate;
  readonly entry: (listed: LiveEntry) => LiveEntry;
}

/**
 * Items in one page of a list. The client makes several copies of a page, in which each certificate has several
 * kilobytes.
 */
export const pageSizes = { certificatesPerPage: 100, entriesPerPage: 250 } as const;

/**
 * Returns functions that keep what a pass assesses: the leaf of a chain, attempts that failed or are in progress, and
 * one string for each hostname and certificate. An entry loses the time of its change, which matters only for
 * handshakes whose time is known.
 */
export function keepLittle(): Kept {
  const strings = new Map<string, string>();
  const intern = (text: string) => {
    const same = strings.get(text);
    if (same === undefined) strings.set(text, text);
    return same ?? text;
  };
  return {
    certificate: (all) => {
      const { certificatePem: _, ...listed } = all;
      return {
        ...listed,
        name: intern(listed.name),
        domains: listed.domains.map(intern),
        attempts: listed.attempts.filter(
          ({ state, failureReason }) => state !== "AUTHORIZED" || failureReason !== undefined,
        ),
        ...defined({ leaf: leafOf(all) }),
      };
    },
    entry: ({ updateTime: _, ...listed }) => ({
      ...listed,
      hostname: intern(listed.hostname),
      certificates: listed.certificates.map(intern),
    }),
  };
}
