import type { DnsView, NameServerAddress } from "../../dns";
import { InputError } from "../../errors";
import type {
  LiveRecordSet,
  LiveZone,
  LoadBalancerReader,
  PrivateCaReader,
  ProjectReader,
  ResourceLister,
} from "../../google";
import type { InventoryFindingCode } from "../../inventory";
import { fieldsOf, listOf, parseJson, textsOf } from "../../json/fields";
import type { MigrationPlan } from "../../plan";
import type { StackContents } from "../../source";
import { quote } from "../../text/quote";

/** Clients for the requests of the doctor to Google Cloud. */
export interface DoctorGoogle {
  readonly projects: ProjectReader;
  readonly balancers: LoadBalancerReader;
  readonly resources: ResourceLister;
  readonly privateCas: PrivateCaReader;
  /** Lists the zones of a project. Throws ServiceError. */
  readonly zones: (project: string, signal: AbortSignal) => Promise<readonly LiveZone[]>;
  /** Lists the record sets of a zone that have a name, without trailing dot, and a type. Throws ServiceError. */
  readonly recordSets: (
    project: string,
    record: { readonly zone: string; readonly name: string; readonly type: string },
    signal: AbortSignal,
  ) => Promise<readonly LiveRecordSet[]>;
}

/** Options of {@link examine}. */
export interface DoctorOptions {
  readonly google: DoctorGoogle;
  readonly dns: DnsView;
  readonly lookUps: DoctorLookUps;
  /** @default - the migrations were not read from a spec, a stack or outputs */
  readonly source?: DoctorSource;
  /** The previous certificates. @default none */
  readonly previousCertificates?: readonly PreviousCertificate[];
  readonly now: Date;
  /** Ends the run; the report has the findings up to then. */
  readonly signal: AbortSignal;
  readonly run?: DoctorRun;
}

/** How names are looked up in DNS. */
export interface DoctorLookUps {
  /**
   * The resolver that `dns` queries. The suggested commands query the same resolver.
   *
   * @default - the commands query the machine's resolver
   */
  readonly resolver?: NameServerAddress | undefined;
  /** Further resolvers, which should return the same answer for every hostname. @default none */
  readonly resolvers?: readonly NameServerAddress[];
  /** A label that does not exist, to distinguish records of a wildcard from records of a name. */
  readonly unusedLabel: string;
}

/** What the migrations were read from. */
export interface DoctorSource {
  /**
   * Plan of a spec. The plan has the zones, the resources to create and the existing resources.
   *
   * @default - checks that need a plan do not run
   */
  readonly plan?: MigrationPlan | undefined;
  /** The synthesized stack of the migrations. @default - the migrations were not read from a stack */
  readonly stack?: StackContents | undefined;
  /** Whether the migrations were read from the outputs of an applied stack. @default false */
  readonly isFromOutputs?: boolean;
  /** Project of resources that name no project. @default - these resources are not checked, which is a finding */
  readonly project?: string | undefined;
}

/** How the checks run. */
interface DoctorRun {
  /** Maximum number of checks that run at the same time. @default 32 */
  readonly concurrency?: number;
  /** Maximum duration of a check, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number;
  /** Called after each check. */
  readonly onCheck?: (done: number, total: number) => void;
}

/** A previous certificate, with the properties that its clients may depend on. */
export interface PreviousCertificate {
  /** The file or host that the certificate was read from. */
  readonly source: string;
  readonly domains: readonly string[];
  /**
   * Domains that belong to other owners according to the inventory; providers put the names of many customers into the
   * same certificate.
   *
   * @default none
   */
  readonly domainsOfOthers?: readonly string[];
  readonly mustStaple: boolean;
  readonly ipAddresses: readonly string[];
  /** `OV`, `EV`, … */
  readonly validation?: string;
}

/**
 * Reads the output of `cert-migration inventory --json`.
 *
 * @param source name of the input in error messages, usually a path
 * @throws InputError `inventory-malformed`
 */
export function readInventory(text: string, source: string): readonly PreviousCertificate[] {
  const { certificates, findings } = fieldsOf(parseJson(text));
  if (!Array.isArray(certificates)) {
    const message = `${quote(source)} is not an inventory; pass the output of 'cert-migration inventory --json'`;
    throw new InputError("inventory-malformed", message);
  }
  const foreign = namesOfOthers(findings);
  return certificates.map((item, index) => {
    const certificate = fieldsOf(item);
    const { mustStaple, validation } = certificate;
    const domains = textsOf(certificate.domains);
    const domainsOfOthers = domains.filter((name) => foreign.has(name));
    return {
      source: typeof certificate.source === "string" ? certificate.source : `certificate ${index + 1}`,
      domains,
      ...(domainsOfOthers.length === 0 ? {} : { domainsOfOthers }),
      mustStaple: mustStaple === true,
      ipAddresses: textsOf(certificate.ipAddresses),
      ...(typeof validation === "string" ? { validation } : {}),
    };
  });
}

function namesOfOthers(findings: unknown): ReadonlySet<string> {
  const wanted: InventoryFindingCode = "name-of-others";
  const found = listOf(findings).map(fieldsOf);
  return new Set(found.flatMap(({ code, about }) => (code === wanted && typeof about === "string" ? about : [])));
}
