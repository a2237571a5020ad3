import type { Cloud, CloudBehavior, FaultPlan } from "../cloud";
import type { ClientValidationMode } from "./client-rule";
import type { RehearsalObserver } from "./observer";
import type { RehearsedHostnames, StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { KeepFile, Protection } from "./terraform";

/** Options of a stage, by concern. */
export interface StageOptions {
  readonly migration: MigrationOptions;
  readonly terraform: TerraformSetup;
  /** @default - only what the stack needs exists before the migration */
  readonly world?: WorldSetup;
  /** @default - no faults */
  readonly faults?: FaultOptions;
  readonly probes?: ProbeOptions;
  readonly output: OutputOptions;
  readonly signal: AbortSignal;
  /** Kills Terraform and its child processes with SIGKILL, for a caller that is about to exit. @default - never */
  readonly endSignal?: AbortSignal;
}

/** The stack of a migration, and what belongs to it. */
export interface MigrationOptions {
  /** Synthesizes the stack for one point of the migration. */
  readonly synthesize: (variant: StackVariant) => StackJson | Promise<StackJson>;
  readonly hostnames: RehearsedHostnames;
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
  /**
   * Whether the configuration has records of other DNS hosts, which become records of the cloud's DNS.
   *
   * @default false
   */
  readonly hasRecordHosts?: boolean;
  /** Whether the stack sends traffic to the load balancer from the first deploy. @default false */
  readonly isMoved?: boolean;
  /**
   * Whether CNAMEs that the stack does not write are published as soon as their authorizations exist.
   *
   * @default false
   */
  readonly publishes?: boolean;
}

/** Where and how Terraform runs. */
interface TerraformSetup {
  /** Folder in which Terraform works; state and logs stay there. */
  readonly folder: string;
  /** Program that is run. @default "terraform" */
  readonly program?: string;
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
   * Maximum number of failed applies before the migration counts as stuck. Kills are allowed in addition, as are
   * applies after which resources were imported, because the next apply gets further.
   *
   * @default 3
   */
  readonly attempts?: number;
}

/** The cloud, and what exists in it before the migration. */
interface WorldSetup {
  /** Seconds of the cloud's time per second of the machine's time. @default 30 */
  readonly speed?: number;
  readonly behavior?: Omit<CloudBehavior, "faults">;
  /**
   * Creates further resources that exist before the migration.
   *
   * @default - only zones, records of today, URL maps and backends exist
   */
  readonly prepare?: (cloud: Cloud) => Promise<void>;
  /** Roots that clients trust in addition to those of the previous provider and the cloud, in PEM. @default - none */
  readonly trusted?: readonly string[];
  /**
   * Mode of the existing server TLS policies that the stack names by id: the stack does not contain it.
   *
   * @default "ALLOW_INVALID_OR_MISSING_CLIENT_CERT"
   */
  readonly existingPolicyMode?: ClientValidationMode;
}

/** What goes wrong. */
export interface FaultOptions {
  /** Faults of the cloud; they begin when the previous provider serves and the prober runs. @default - no faults */
  readonly plan?: FaultPlan;
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
}

interface ProbeOptions {
  /** Pause of each of the prober's four workers between two probes, in milliseconds of the machine. @default 20 */
  readonly pauseMs?: number;
}

interface OutputOptions {
  /** Called with each line of the log. */
  readonly say: (line: string) => void;
  /** Are called with what happens, in this order. @default - none */
  readonly observers?: readonly RehearsalObserver[];
  /**
   * Keeps Terraform's plans, states and output, and the certificates that identify the servers, without private keys
   * and tokens.
   *
   * @default - nothing is kept
   */
  readonly keepFile?: KeepFile;
}

/** A configuration in a folder of the user. */
export interface FolderConfiguration {
  /** Folder of the root module in a copy, relative to the folder of the copy; empty if both are the same. */
  readonly rootPath: string;
  /** Writes a copy. */
  readonly copyTo: (folder: string, protection: Protection) => void;
  /** Addresses in Terraform's state, by their addresses in the stack that describes the configuration. */
  readonly addresses: ReadonlyMap<string, string>;
}
