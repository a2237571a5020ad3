import { groupBy } from "../../../json/group-by";
import type { RehearsalEvent } from "../../model";
import { formatNumber } from "../../words";
import type { PlotSpan } from "../axis";

/**
 * Who served handshakes: the previous provider, the load balancer with a certificate of the previous provider, the load
 * balancer, or another server. `mixed`: several of them, in quick succession.
 */
export type Server = "previous" | "load-balancer-previous" | "load-balancer" | "other" | "mixed";

/** Servers in the order of the legend and of stacked bars. */
export const serverOrder = ["load-balancer", "load-balancer-previous", "previous", "other", "mixed"] as const;

/** Times are in milliseconds since 1970. */
export interface Segment extends PlotSpan {
  /** Number of successful handshakes by server. */
  readonly served: Readonly<Partial<Record<Server, number>>>;
}

/** Failed handshakes of a hostname with the same error. */
export interface FailureSpan extends PlotSpan {
  /** Beginning of the last failed handshake; the span may last until the next handshake. */
  readonly lastAt: number;
  readonly count: number;
  readonly error: string;
}

export interface ChartEvent {
  readonly kind: RehearsalEvent["kind"];
  readonly at: number;
  readonly until?: number;
  readonly what: string;
  /** @default true */
  readonly ok?: boolean;
}

export interface ChartRow {
  readonly hostname: string;
  /** In the order of time. */
  readonly segments: readonly Segment[];
  readonly failures: readonly FailureSpan[];
  /** Times without a sample of this hostname. */
  readonly gaps: readonly PlotSpan[];
  readonly handshakes: number;
  readonly failed: number;
  readonly events: readonly ChartEvent[];
}

export interface Chart {
  /** Prefix of ids; unique in the page. */
  readonly id: string;
  readonly axis: PlotSpan;
  readonly rows: readonly ChartRow[];
  readonly events: readonly ChartEvent[];
  /** The steps, and the scenarios after them, such as rotation and rollback; empty if nothing is known about them. */
  readonly parts: readonly (PlotSpan & { readonly label: string; readonly name: string })[];
  /** Times without data of any hostname. */
  readonly gaps: readonly (PlotSpan & { readonly why: string })[];
  /** Word for what is counted, for example `handshake`. */
  readonly noun: string;
  readonly serverNames: Readonly<Record<Server, string>>;
}

export interface RowGroup {
  readonly name: string;
  readonly rows: readonly ChartRow[];
  readonly isOpen: boolean;
}

/** Maximum number of rows of a chart whose groups are all open. */
export const mostOpen = 30;
const mostRows = 50;

/**
 * Groups rows: first the hostnames with failed handshakes, then the others by domain. Large domains become several
 * groups, in alphabetical order.
 */
export function groupRows(rows: readonly ChartRow[]): readonly RowGroup[] {
  const failing = rows.filter(({ failed }) => failed > 0);
  const isOpen = rows.length <= mostOpen;
  const whole = rows.filter(({ failed }) => failed === 0);
  const others = [...groupBy(whole, ({ hostname }) => domainOf(hostname))]
    .sort(([left], [right]) => compare(left, right))
    .flatMap(([domain, domainRows]) => inParts(domain, domainRows).map((group) => ({ ...group, isOpen })));
  const first = inParts("With failures", failing).map((group, index) => ({ ...group, isOpen: isOpen || index === 0 }));
  return [...first, ...others];
}

function inParts(name: string, rows: readonly ChartRow[]): readonly Omit<RowGroup, "isOpen">[] {
  const sorted = [...rows].sort((left, right) => compare(left.hostname, right.hostname));
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

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
