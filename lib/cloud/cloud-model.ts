import type { ActivityStore } from "../audit";
import type { ProjectInventory } from "../project-inventory";
import type { PublicKeyAlgorithm } from "./certificate-authority";
import type { IssuancePace, RenewingState } from "./certificate-manager";
import type { ServedRecords } from "./cloud-dns/service";
import type { FaultPlan, Faults } from "./faults";
import type { LoggedRequest } from "./front";
import type { FrontEndChange, Listening, Unbound } from "./load-balancer";
import type { OperationTime } from "./operations";
import type { CloudClock } from "./state";
import type { HandshakeCounts } from "./tls";

/** Options of {@link startCloud}. */
export interface CloudOptions {
  /**
   * File that keeps state across restarts: resources, records, time, CA and the settings of control calls. A cloud
   * continues from an existing file. Requests and handshakes belong to one run and are not kept.
   *
   * @default - memory only
   */
  readonly state?: string;
  /**
   * Project with which the cloud starts, in the form of `inventory --project --json`. Certificates get keys and are
   * signed by the cloud's CA, and served names get address records. Not possible with a `state` that has resources.
   *
   * @default - no project has resources
   */
  readonly world?: ProjectInventory;
  /** Seconds of the cloud's time per second of the machine's time; with 0, time moves only when stepped. @default 1 */
  readonly speed?: number;
  /** The cloud's time at the start. @default - the machine's time, or the time in the kept state if that is later */
  readonly startAt?: Date;
  readonly servers?: CloudServers;
  readonly behavior?: CloudBehavior;
  readonly certificates?: CloudCertificates;
  readonly observers?: CloudObservers;
}

/** The servers of a cloud on 127.0.0.1. */
interface CloudServers {
  /** Port of the HTTP services. @default - a free port */
  readonly port?: number;
  /** Whether the HTTP services also answer over HTTPS, on a free port. @default false */
  readonly https?: boolean;
  /** Port of the name server, UDP and TCP. @default - a free port */
  readonly dnsPort?: number;
  /** Whether requests without credentials are refused with 401; credentials are never checked. @default false */
  readonly requireCredentials?: boolean;
}

/** How the services of a cloud behave: where Google's documentation allows several behaviors, and faults. */
export interface CloudBehavior {
  readonly faults?: FaultPlan;
  /**
   * Duration of operations and DNS changes, in milliseconds of the cloud's time: a value, or a function that is called
   * with the id of the method that begins an operation. An operation with 0 is done when its request is answered.
   *
   * @default 500
   */
  readonly operationMs?: OperationTime;
  /**
   * Time until a change reaches the load balancers and a new entry is ACTIVE, in milliseconds of the cloud's time.
   *
   * @default 5_000
   */
  readonly propagationMs?: number;
  /**
   * What load balancers present for a deleted certificate before the change of its last entry has reached them. The
   * service documents neither behavior.
   *
   * @default "presented until then"
   */
  readonly deletedCertificates?: "presented until then" | "gone at once";
  readonly pace?: IssuancePace;
  /** State of a certificate while attempts to renew it fail. @default "ACTIVE" */
  readonly renewingState?: RenewingState;
}

/** The certificates that a cloud issues and trusts. */
interface CloudCertificates {
  /** Key of managed certificates. @default "rsa-2048" */
  readonly managedKeyAlgorithm?: PublicKeyAlgorithm;
  /** Validity of issued certificates, in days. @default 90 */
  readonly validDays?: number;
  /** CA identities that CAA records have to name. @default ["pki.goog"] */
  readonly caaIdentities?: readonly string[];
  /**
   * Root certificates in PEM that load balancers trust in addition to the trust anchors, under every server TLS policy
   * whose trust config has trust anchors or allowlisted certificates. The resources do not change.
   *
   * @default - only client certificates that the trust configs accept
   */
  readonly clientAnchors?: readonly string[];
  /**
   * Returns root certificates in PEM that uptime checks trust in addition to the CA of the cloud.
   *
   * @default - none
   */
  readonly uptimeRoots?: () => readonly string[];
}

/** Functions that are called with what happens in a cloud. */
export interface CloudObservers {
  /** Called for each request after its answer. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Called for each managed certificate that is issued or renewed. */
  readonly onIssued?: (issued: Issued) => void;
  /** Called for each change of record sets when the name server serves it. */
  readonly onRecords?: (change: ServedRecords) => void;
  /** Called when the load balancers serve a changed configuration. */
  readonly onFrontEnds?: (change: FrontEndChange) => void;
  /**
   * Called for each forwarding rule without a listening address; the cloud and the other rules continue.
   *
   * @default - a warning of the process
   */
  readonly onUnbound?: (unbound: Unbound) => void;
}

/** A managed certificate that was issued. */
export interface Issued {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly domains: readonly string[];
}

/** Addresses of a running cloud. */
export interface CloudEndpoints {
  /** Base URL of all HTTP services, for example `http://127.0.0.1:40123/`. */
  readonly http: string;
  /** Base URL of the same services over HTTPS, if HTTPS was requested. */
  readonly https?: string;
  /** Certificate of the CA that signed the certificate of the HTTPS services, in PEM; valid for this run only. */
  readonly httpsTrustBundle?: string;
  /** Name server, for example `127.0.0.1:40124`. */
  readonly dns: string;
  /** Root certificates of the cloud's CA, in PEM. */
  readonly trustBundle: string;
  /** Base URL of the control calls. */
  readonly control: string;
}

/** The load balancers of a cloud. */
interface CloudLoadBalancers {
  /** Returns the answered and failed handshakes of all load balancers. */
  handshakes(): HandshakeCounts;
  /** Returns the forwarding rules and their listening addresses on this machine. */
  listeners(): readonly Listening[];
  /**
   * Applies the present rules to the listeners without the delay. Tries all rules; then rejects if a rule has no
   * listening address.
   */
  settle(): Promise<void>;
}

/** A running rehearsal cloud. */
export interface Cloud {
  readonly endpoints: CloudEndpoints;
  readonly clock: CloudClock;
  readonly faults: Faults;
  /** Returns the latest requests, oldest first. */
  requests(): readonly LoggedRequest[];
  readonly loadBalancers: CloudLoadBalancers;
  /** Records of administrators' actions, for specification 2; replaced by a reset. */
  readonly activities: ActivityStore;
  /** Deletes all resources, records, requests and handshakes; keeps the clock, CA, faults and addresses. */
  reset(): Promise<void>;
  /** Stops everything and releases all ports and files. */
  stop(): Promise<void>;
}
