import type { DnsView, NameServerAddress } from "../../dns";
import type { LiveZone, LoadBalancerReader, ProjectReader, ResourceLister } from "../../google";
import type { MigrationPlan } from "../../plan";
import type { OldCertificate } from "./old-certificates";

/** Where the doctor looks in Google Cloud. */
export interface DoctorGoogle {
  readonly projects: ProjectReader;
  readonly balancers: LoadBalancerReader;
  readonly resources: ResourceLister;
  /** The zones of a project. Throws ServiceError. */
  readonly zones: (project: string, signal: AbortSignal) => Promise<readonly LiveZone[]>;
}

export interface DoctorOptions {
  readonly google: DoctorGoogle;
  readonly dns: DnsView;
  /** Of a spec: it knows zones, and what is made and what is there. @default - what only a plan knows is not looked at */
  readonly plan?: MigrationPlan | undefined;
  /** Project of what names none. @default - such resources are not looked at, which is a finding */
  readonly project?: string | undefined;
  /** The resolver that `dns` was told to ask: commands to copy ask it as well. @default - they ask the machine's own */
  readonly resolver?: NameServerAddress | undefined;
  /** Further resolvers, which should say the same of every hostname. @default none */
  readonly resolvers?: readonly NameServerAddress[];
  /** The old certificates. @default none */
  readonly old?: readonly OldCertificate[];
  readonly now: Date;
  /** Ends the run; what was found until then is answered. */
  readonly signal: AbortSignal;
  /** A label that nobody uses, by which a wildcard's records are told from a name's own. */
  readonly unusedLabel: string;
  /** Checks that are under way together. @default 32 */
  readonly concurrency?: number;
  /** How long one check may take, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number;
  /** Told of each check when it is done. */
  readonly onCheck?: (done: number, total: number) => void;
}
