import type { Cloud, CloudOptions, FaultPlan, Issued, LoggedRequest } from "../cloud";
import type { Probe } from "./probe";
import type { DiscardedTry, DnsAnswer } from "./prober";
import type { StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { EndedRun, KeepFile } from "./terraform";
import type { TerraformProgress } from "./terraform-progress";

export interface StageOptions {
  /** Synthesizes the stack as it is at one point of the migration. */
  readonly synthesize: (variant: StackVariant) => StackJson | Promise<StackJson>;
  /** Every hostname that is served today, and what may be added; no wildcards. */
  readonly hostnames: readonly string[];
  /** The one of them that no certificate has before it is added; undefined where none is added. */
  readonly addedHostname: string | undefined;
  /** Where Terraform works; state and logs stay there. */
  readonly folder: string;
  /** @default "terraform" */
  readonly terraform?: string;
  /**
   * `stand-in`: answers as the google provider, in this process. `real`: the one that `terraform init` installs, led to the cloud by its custom endpoints; for
   * machines that reach a registry.
   *
   * @default "stand-in"
   */
  readonly provider?: "stand-in" | "real";
  /** Keeps Terraform's plans, its states and what it said, and the certificates that tell who was met; no private key and no token is in it. @default - nobody does */
  readonly keepFile?: KeepFile;
  /** Folder that a stack refers to as `assets`. @default - there is none */
  readonly assets?: string;
  /** Resource types beside those that it knows, that the provider stand-in keeps in the state alone. @default - none */
  readonly alsoKept?: readonly string[];
  /** Whether the stack is one that sends traffic to the load balancer from the first. @default false */
  readonly moved?: boolean;
  /** Whether CNAMEs that the stack does not write are published as soon as their authorizations are there. @default false */
  readonly publishes?: boolean;
  /** Makes what else is there before the migration. @default - zones, records of today, URL maps and backends alone */
  readonly prepare?: (cloud: Cloud) => Promise<void>;
  /** Begins when the old provider serves and the prober runs. @default - nothing goes wrong */
  readonly faults?: FaultPlan;
  /** Method ids, `*` for any text: at the first answer to each, in this order, Terraform is ended with SIGKILL. @default - none */
  readonly kills?: readonly string[];
  /**
   * Whether what a killed run did is in no state, as with a state in a bucket: Terraform sends it there at the end, and before that only where something
   * ends that it makes, 20 s after the last time.
   *
   * @default false
   */
  readonly losesState?: boolean;
  /** Roots that clients trust beside those of the old provider and the cloud, PEM. @default - none */
  readonly trusted?: readonly string[];
  /** How fast the cloud is; its `speed` is 30 unless said otherwise. */
  readonly cloud?: Pick<
    CloudOptions,
    "speed" | "pace" | "operationMs" | "propagationMs" | "renewingState" | "deletedCertificates"
  >;
  /** How often an apply fails before the migration counts as stuck, as a pipeline would; kills come on top, and those after which the next gets further, as something was imported. @default 3 */
  readonly attempts?: number;
  /** Told what happens, line by line. */
  readonly say: (line: string) => void;
  /** Pause of each of the prober's four workers between two probes, in milliseconds of the machine. @default 20 */
  readonly probePauseMs?: number;
  readonly onProbe?: (probe: Probe) => void;
  /** Told of each try of the prober that says nothing of the migration, since this process itself stood still. */
  readonly onDiscarded?: (discarded: DiscardedTry) => void;
  /** Told of each request to the cloud when it has been answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told how far a run of Terraform is, as it goes on. */
  readonly onTerraform?: (progress: TerraformProgress) => void;
  /** Told of each run of Terraform when it has ended; times are the cloud's. */
  readonly onRun?: (run: FolderRun) => void;
  /** Told of each managed certificate that the cloud issues. */
  readonly onIssued?: (issued: Issued) => void;
  /** Told what DNS said to the prober. */
  readonly onAnswer?: (answer: DnsAnswer) => void;
  /** Told of each certificate that has been issued, as it is seen at the end of a step. */
  readonly onCertificate?: (certificate: IssuedCertificate) => void;
  readonly signal: AbortSignal;
  /** Ends Terraform with SIGKILL, and what it started: whoever aborts it is about to end as well. @default - nobody does */
  readonly endSignal?: AbortSignal;
}

/** A run of Terraform, and where. */
export interface FolderRun extends EndedRun {
  /** `terraform` for the migration; others have a state of their own beside it. */
  readonly folder: string;
}

/** A certificate as Certificate Manager shows it. */
interface IssuedCertificate {
  /** The cloud's time at which it was seen, RFC 3339. */
  readonly time: string;
  readonly name: string;
  /** Leaf and chain. */
  readonly pemCertificate: string;
}
