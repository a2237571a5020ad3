import { formatNumber } from "../../words";
import type { ChartRow } from "./model";

/** Rows of the chart that are folded together. */
export interface RowGroup {
  readonly name: string;
  readonly rows: readonly ChartRow[];
  readonly isOpen: boolean;
}

/** Maximum number of rows of a chart whose groups are all open. */
const mostOpen = 30;
/** Maximum number of rows of a group. */
const mostRows = 50;

/**
 * Groups rows: first the hostnames with failed handshakes, then the others by domain. Large domains become several
 * groups, in alphabetical order.
 */
export function groupRows(rows: readonly ChartRow[]): readonly RowGroup[] {
  const failing = rows.filter(({ failed }) => failed > 0);
  const byDomain = new Map<string, ChartRow[]>();
  for (const row of rows) {
    if (row.failed > 0) continue;
    const domain = domainOf(row.hostname);
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), row]);
  }
  const isOpen = rows.length <= mostOpen;
  const others = [...byDomain]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([domain, own]) => inParts(domain, own).map((group) => ({ ...group, isOpen })));
  const first = inParts("With failures", failing).map((group, index) => ({ ...group, isOpen: isOpen || index === 0 }));
  return [...first, ...others];
}

function inParts(name: string, rows: readonly ChartRow[]): readonly Omit<RowGroup, "isOpen">[] {
  const sorted = [...rows].sort((one, other) => compare(one.hostname, other.hostname));
  const parts = Array.from({ length: Math.ceil(sorted.length / mostRows) }, (_, index) =>
    sorted.slice(index * mostRows, (index + 1) * mostRows),
  );
  if (parts.length <= 1) return parts.map((part) => ({ name, rows: part }));
  return parts.map((part, index) => {
    const first = index * mostRows + 1;
    return { name: `${name}, ${formatNumber(first)} to ${formatNumber(first + part.length - 1)}`, rows: part };
  });
}

/** Returns the domain of a hostname: its last two labels, or three if the last two look like a public suffix. */
function domainOf(hostname: string): string {
  const labels = hostname.split(".");
  const isShort = (label: string | undefined, most: number) => label !== undefined && label.length <= most;
  const count = labels.length > 2 && isShort(labels.at(-1), 2) && isShort(labels.at(-2), 3) ? 3 : 2;
  return labels.slice(-count).join(".");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
