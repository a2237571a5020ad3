import type { Cloud, CloudOptions, FaultPlan, FrontEndChange, Issued, LoggedRequest, ServedRecords } from "../cloud";
import type { ClientValidationMode } from "./client-rule";
import type { Probe } from "./probe";
import type { DiscardedTry, DnsAnswer } from "./prober";
import type { StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { EndedRun, KeepFile } from "./terraform";
import type { TerraformProgress } from "./terraform-output";

export interface StageOptions {
  /** Synthesizes the stack for one point of the migration. */
  readonly synthesize: (variant: StackVariant) => StackJson | Promise<StackJson>;
  /** All hostnames that are served today, and the one that is added; without wildcards. */
  readonly hostnames: readonly string[];
  /** Hostname that no certificate has before the rotation adds it; undefined if the rotation adds nothing. */
  readonly addedHostname: string | undefined;
  /** Folder in which Terraform works; state and logs stay there. */
  readonly folder: string;
  /** Program that is run. @default "terraform" */
  readonly terraform?: string;
  /**
   * Provider that Terraform uses:
   * - `stand-in`: a server in this process that answers as the google provider
   * - `real`: the provider that `terraform init` installs, connected to the cloud by its custom endpoints; requires
   *   access to a registry
   *
   * @default "stand-in"
   */
  readonly provider?: "stand-in" | "real";
  /**
   * Keeps Terraform's plans, states and output, and the certificates that identify the servers, without private keys
   * and tokens.
   *
   * @default - nothing is kept
   */
  readonly keepFile?: KeepFile;
  /** Folder that a stack refers to as `assets`. @default - none */
  readonly assets?: string;
  /**
   * Configuration that Terraform runs in place of the synthesized stack, which then only describes it.
   *
   * @default - the stack itself
   */
  readonly configuration?: FolderConfiguration;
  /** Additional resource types that the provider stand-in keeps in the state alone. @default - none */
  readonly alsoKept?: readonly string[];
  /** Whether the stack sends traffic to the load balancer from the first deploy. @default false */
  readonly moved?: boolean;
  /**
   * Whether CNAMEs that the stack does not write are published as soon as their authorizations exist.
   *
   * @default false
   */
  readonly publishes?: boolean;
  /**
   * Creates further resources that exist before the migration.
   *
   * @default - only zones, records of today, URL maps and backends exist
   */
  readonly prepare?: (cloud: Cloud) => Promise<void>;
  /** Faults; they begin when the previous provider serves and the prober runs. @default - no faults */
  readonly faults?: FaultPlan;
  /**
   * Method ids, in which `*` matches any text. Terraform is killed with SIGKILL at the first answer to each, in this
   * order.
   *
   * @default - none
   */
  readonly kills?: readonly string[];
  /**
   * Whether the state loses the changes of a killed run, as with a state in a bucket. Terraform writes such a state at
   * the end. Before that, it writes only when a resource completes at least 20 seconds after the last write.
   *
   * @default false
   */
  readonly losesState?: boolean;
  /** Roots that clients trust in addition to those of the previous provider and the cloud, in PEM. @default - none */
  readonly trusted?: readonly string[];
  /**
   * Mode of the existing server TLS policies that the stack names by id: the stack does not contain it.
   *
   * @default "ALLOW_INVALID_OR_MISSING_CLIENT_CERT"
   */
  readonly existingPolicyMode?: ClientValidationMode;
  /** Timing and behavior of the cloud. The default of `speed` is 30. */
  readonly cloud?: Pick<
    CloudOptions,
    "speed" | "pace" | "operationMs" | "propagationMs" | "renewingState" | "deletedCertificates"
  >;
  /**
   * Maximum number of failed applies before the migration counts as stuck. Kills are allowed in addition, as are
   * applies after which resources were imported, because the next apply gets further.
   *
   * @default 3
   */
  readonly attempts?: number;
  /** Called with each line of the log. */
  readonly say: (line: string) => void;
  /** Pause of each of the prober's four workers between two probes, in milliseconds of the machine. @default 20 */
  readonly probePauseMs?: number;
  readonly onProbe?: (probe: Probe) => void;
  /**
   * Called with each discarded try of the prober: this process itself was suspended, so the try gives no information
   * about the migration.
   */
  readonly onDiscarded?: (discarded: DiscardedTry) => void;
  /** Called with each request to the cloud after its answer. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Called with the progress of a run of Terraform. */
  readonly onTerraform?: (progress: TerraformProgress) => void;
  /** Called with each piece of Terraform's output, and the cloud's time, RFC 3339. */
  readonly onTerraformText?: (text: string, time: string) => void;
  /** Called with each completed run of Terraform; times are the cloud's. */
  readonly onRun?: (run: FolderRun) => void;
  /** Called with each managed certificate that the cloud issues. */
  readonly onIssued?: (issued: Issued) => void;
  /** Called with each change of records that the name server serves. */
  readonly onRecords?: (change: ServedRecords) => void;
  /** Called when the load balancers serve a changed configuration. */
  readonly onFrontEnds?: (change: FrontEndChange) => void;
  /**
   * Called before the migration with chains in PEM: those of the previous provider, and those that the stack uploads.
   */
  readonly onChains?: (pem: string, side: "previous" | "new") => void;
  /** Called with each DNS answer to the prober. */
  readonly onAnswer?: (answer: DnsAnswer) => void;
  /** Called at the end of a step with each certificate that was issued since. */
  readonly onCertificate?: (certificate: IssuedCertificate) => void;
  readonly signal: AbortSignal;
  /** Kills Terraform and its child processes with SIGKILL, for a caller that is about to exit. @default - never */
  readonly endSignal?: AbortSignal;
}

/** A configuration in a folder of the user. */
export interface FolderConfiguration {
  /** Folder of the root module in a copy, relative to the folder of the copy; empty if both are the same. */
  readonly rootPath: string;
  /** Writes a copy. @param isProtected whether resources keep `prevent_destroy` */
  readonly copyTo: (folder: string, isProtected: boolean) => void;
  /** Addresses in Terraform's state, by their addresses in the stack that describes the configuration. */
  readonly addresses: ReadonlyMap<string, string>;
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
