import type { Finding } from "../../findings/finding";
import type { StepState } from "../status";

/** What a pass of the monitor saw of a certificate. */
export interface MonitoredCertificate {
  /** Id of its certificate. @default - not known */
  readonly certificate?: string;
  /** `PROVISIONING`, `FAILED` or `ACTIVE`. @default - the certificate does not exist */
  readonly certificateState?: string;
  /** Days until the certificate ends, with their fraction; negative after its end. @default - not issued */
  readonly daysToExpiry?: number;
  /**
   * Days until the certificate has used two thirds of its lifetime, when its renewal or replacement is due; negative
   * after that.
   *
   * @default - not issued
   */
  readonly daysToRenewal?: number;
}

/** What a pass of the monitor saw of one hostname and of the first certificate of its entry. */
export interface MonitoredHostname extends MonitoredCertificate {
  readonly migration: string;
  readonly hostname: string;
  /** Further certificates of its entry, which clients get by the type of their key. @default - none */
  readonly alternatives?: readonly MonitoredCertificate[];
  /** `PENDING` or `ACTIVE`. @default - the hostname has no entry */
  readonly entryState?: string;
  /** State of the CNAME of its authorization; `none` if it needs none. */
  readonly record: StepState;
  /** Result of a handshake at each address of the load balancer; `unknown` if its addresses are not known. */
  readonly handshake: StepState;
}

/** The result of one pass of the monitor, or of one part of it. */
export interface MonitorPass {
  /** In the order of the migrations. */
  readonly hostnames: readonly MonitoredHostname[];
  /** Errors first in the result of a whole pass. */
  readonly findings: readonly Finding[];
}
