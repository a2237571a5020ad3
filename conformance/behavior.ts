import type { Side } from "./side";

/** What a group needs beyond the API of its service; `--skip` leaves it out. */
export const needNames = ["private-ca", "front-end", "issuance", "audit-log"] as const;

type Need = (typeof needNames)[number];

/** The services whose behaviors the suite has, in the order of a run. */
export const serviceNames = [
  "certificate-manager",
  "cloud-dns",
  "compute-engine",
  "service-usage",
  "private-ca",
  "network-security",
  "monitoring",
  "logging",
] as const;

type ServiceName = (typeof serviceNames)[number];

/** One assumption of this project about a service. */
export interface Behavior<Fixture> {
  /** Stable word; the id of the behavior is `SERVICE.CONCEPT.WORD`. */
  readonly word: string;
  /** The assumption in one sentence. */
  readonly statement: string;
  /** Address of a page of Google or of a file of the provider; several if one does not state everything. */
  readonly source: string | readonly string[];
  /** Scenarios, codes of checks and findings, or files of this project that depend on it. A test resolves them. */
  readonly reliedOnBy: readonly string[];
  /** Whether it changes what the run has not created, so that it is observed in the rehearsal cloud alone. */
  readonly staysInRehearsal?: true;
  /** Normalized value. It comes from the source, never from the rehearsal cloud. */
  readonly expected: unknown;
  /** Performs requests and returns what the service does. The suite normalizes the value. */
  readonly observe: (side: Side, fixture: Fixture) => Promise<unknown>;
}

/** Behaviors that share resources, so that a run on Google Cloud creates few of them. */
export interface Group<Fixture = unknown> {
  readonly service: ServiceName;
  readonly concept: string;
  readonly needs?: readonly Need[];
  /** Creates what the behaviors share. @default - nothing */
  readonly prepare?: (side: Side) => Promise<Fixture>;
  /** Observed in this order. */
  readonly behaviors: readonly Behavior<Fixture>[];
}

/** Declares a group; the type of its fixture is inferred from `prepare`. */
export function defineGroup<Fixture>(group: Group<Fixture>): Group {
  return group as Group;
}

export function idOf({ service, concept }: Group, { word }: Pick<Behavior<unknown>, "word">): string {
  return `${service}.${concept}.${word}`;
}

export function sourcesOf({ source }: Pick<Behavior<unknown>, "source">): readonly string[] {
  return typeof source === "string" ? [source] : source;
}
