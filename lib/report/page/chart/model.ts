import type { RehearsalEvent } from "../../model";
import type { Span } from "../plot";

/**
 * Who served handshakes: the previous provider, the load balancer with a certificate of the previous provider, the load
 * balancer, or another server. `mixed`: several of them, in quick succession.
 */
export type Server = "previous" | "load-balancer-previous" | "load-balancer" | "other" | "mixed";

/** Servers in the order of the legend and of stacked bars. */
export const serverOrder = ["load-balancer", "load-balancer-previous", "previous", "other", "mixed"] as const;

export const serverNames: Readonly<Record<Server, string>> = {
  previous: "previous provider",
  "load-balancer-previous": "load balancer, previous certificate",
  "load-balancer": "load balancer, new certificate",
  other: "another server",
  mixed: "changing results",
};

/** Times are in milliseconds since 1970. */
export interface Segment extends Span {
  /** Number of successful handshakes by server. */
  readonly served: Readonly<Partial<Record<Server, number>>>;
}

/** Failed handshakes of a hostname with the same error. */
export interface Failure extends Span {
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
  readonly failures: readonly Failure[];
  readonly handshakes: number;
  readonly failed: number;
  /** Events of this hostname. */
  readonly events: readonly ChartEvent[];
}

export interface Chart {
  /** Prefix of ids; unique in the page. */
  readonly id: string;
  readonly axis: Span;
  readonly rows: readonly ChartRow[];
  /** Events of all hostnames. */
  readonly events: readonly ChartEvent[];
  /** Numbered steps; empty if nothing is known about steps. */
  readonly steps: readonly (Span & { readonly number: number; readonly name: string })[];
  /** Times without data. */
  readonly gaps: readonly (Span & { readonly why: string })[];
  /** Word for what is counted, for example `handshake`. */
  readonly noun: string;
}
