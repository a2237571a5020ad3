import type { FrontEndChange, Issued, LoggedRequest, ServedRecords } from "../cloud";
import type { Probe, Side } from "./probe";
import type { DiscardedTry, DnsAnswer } from "./prober";
import type { EndedRun } from "./terraform";
import type { TerraformProgress } from "./terraform-output";

/** What the prober finds out. */
interface ClientEvents {
  readonly probe: Probe;
  /** A try that gives no information about the migration, because this process itself was suspended. */
  readonly discarded: DiscardedTry;
  /** A DNS answer to the prober. */
  readonly answer: DnsAnswer;
}

/** What the cloud does. */
interface CloudEvents {
  /** A request, after its answer. */
  readonly request: LoggedRequest;
  /** A managed certificate that the cloud issued. */
  readonly issued: Issued;
  /** A change of records that the name server serves. */
  readonly records: ServedRecords;
  /** A changed configuration that the load balancers serve. */
  readonly frontEnds: FrontEndChange;
  /** A certificate that was issued since the last step; comes at the end of a step. */
  readonly certificate: IssuedCertificate;
  /** Chains in PEM, before the migration: those of the previous provider, and those that the stack uploads. */
  readonly chains: { readonly pem: string; readonly side: Side };
}

/** What Terraform does. */
interface TerraformEvents {
  readonly progress: TerraformProgress;
  /** A piece of Terraform's output, with the cloud's time, RFC 3339. */
  readonly output: { readonly text: string; readonly time: string };
  /** A completed run; times are the cloud's. */
  readonly run: FolderRun;
}

/** Everything that a rehearsal reports while it runs, by the name of the event. */
export interface ObservedEvents extends ClientEvents, CloudEvents, TerraformEvents {
  /** Beginning or end of steps, watch, acts, rotation and rollback. */
  readonly part: RehearsalPart;
}

/** Is called with the events of the chosen names. */
export type RehearsalObserver = {
  readonly [Name in keyof ObservedEvents]?: (event: ObservedEvents[Name]) => void;
};

/** Passes an event on to all observers, in their order. */
export type Emit = <Name extends keyof ObservedEvents>(name: Name, event: ObservedEvents[Name]) => void;

export function emitTo(observers: readonly RehearsalObserver[]): Emit {
  return (name, event) => {
    for (const observer of observers) observer[name]?.(event);
  };
}

/** A part of the rehearsal that is in progress or has ended. */
export interface RehearsalPart {
  /** Numbers of the steps that run together; empty for parts after the eight steps. */
  readonly numbers: readonly number[];
  readonly name: string;
  /** Result; absent at the beginning. */
  readonly ok?: boolean;
  /** Present if the run was stopped before the part ended, and no handshake failed. */
  readonly stopped?: true;
  readonly seconds?: number;
  /** Beginning and end in the cloud's time, RFC 3339; absent at the beginning. */
  readonly from?: string;
  readonly until?: string;
  /** Present if days of the cloud's time pass in this part. */
  readonly passesDays?: true;
}

/** A run of Terraform with its folder. */
export interface FolderRun extends EndedRun {
  /** Name of the folder: `terraform` for the migration; other folders have their own state. */
  readonly folder: string;
}

/** A certificate as Certificate Manager returns it. */
interface IssuedCertificate {
  /** Time of the cloud at which it was read, RFC 3339. */
  readonly time: string;
  readonly name: string;
  /** Leaf and chain, in PEM. */
  readonly pemCertificate: string;
}
