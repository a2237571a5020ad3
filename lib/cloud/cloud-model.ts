import type { ActivityStore } from "../audit";
import type { PublicKeyAlgorithm } from "./authority";
import type { IssuancePace, RenewingState } from "./certificate-manager";
import type { FaultPlan, Faults } from "./faults";
import type { LoggedRequest } from "./front";
import type { Listening, Unbound } from "./load-balancer";
import type { OperatingService } from "./operation-time";
import type { CloudClock } from "./state";
import type { HandshakeCounts } from "./tls";

export interface CloudOptions {
  /** Port of the HTTP services on 127.0.0.1. @default - a free one */
  readonly port?: number;
  /** Whether the HTTP services answer over HTTPS as well, on a free port of 127.0.0.1. @default false */
  readonly https?: boolean;
  /** Port of the name server on 127.0.0.1, UDP and TCP. @default - a free one */
  readonly dnsPort?: number;
  /**
   * File that keeps resources, records, time, authority and what control calls have set across restarts; what it has is gone on with. Requests and
   * handshakes are what was seen in one run, and begin anew.
   *
   * @default - memory alone
   */
  readonly state?: string;
  /** How many of the cloud's seconds go by in one of the machine's; 0 stands still until stepped. @default 1 */
  readonly speed?: number;
  /** The cloud's time at the start. @default - the machine's, or that of the kept state where it is later */
  readonly startAt?: Date;
  readonly faults?: FaultPlan;
  /**
   * How long operations and DNS changes take, in milliseconds of the cloud's time: one value, or a function that is called when an operation begins.
   * An operation that takes 0 is done when it is answered.
   *
   * @default 500
   */
  readonly operationMs?: number | ((service: OperatingService) => number);
  /** How long changes take to reach load balancers, and new entries to be ACTIVE, in the cloud's time. @default 5_000 */
  readonly propagationMs?: number;
  /**
   * What becomes of a deleted certificate at load balancers that have not learned yet that no entry uses it any more. The service promises neither.
   *
   * @default "presented until then"
   */
  readonly deletedCertificates?: "presented until then" | "gone at once";
  readonly pace?: IssuancePace;
  /** What certificates say while their renewal is tried in vain. @default "ACTIVE" */
  readonly renewingState?: RenewingState;
  /** Key of managed certificates. @default "rsa-2048" */
  readonly managedKeyAlgorithm?: PublicKeyAlgorithm;
  /** How long issued certificates are valid. @default 90 */
  readonly validDays?: number;
  /** What CAA records have to name. @default ["pki.goog"] */
  readonly caaIdentities?: readonly string[];
  /** Whether requests without credentials are refused with 401; credentials are never checked. @default false */
  readonly requireCredentials?: boolean;
  /** Told of each request when it has been answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told of each managed certificate that is issued, for the first time or anew. */
  readonly onIssued?: (issued: Issued) => void;
  /** Told of each forwarding rule that nothing could be bound for; the cloud and its other rules go on. @default - a warning of the process */
  readonly onUnbound?: (unbound: Unbound) => void;
}

/** A managed certificate has been issued. */
export interface Issued {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly domains: readonly string[];
}

/** Where a cloud is reached. */
export interface CloudEndpoints {
  /** Base of all HTTP services, as in `http://127.0.0.1:40123/`. */
  readonly http: string;
  /** Base of the same services over HTTPS, if they were requested. */
  readonly https?: string;
  /** Certificate of the CA that signed the certificate of the HTTPS services, PEM; of this run only. */
  readonly httpsTrustBundle?: string;
  /** Name server, as in `127.0.0.1:40124`. */
  readonly dns: string;
  /** Roots of the cloud's authority, PEM. */
  readonly trustBundle: string;
  /** Base of the control calls. */
  readonly control: string;
}

/** A rehearsal cloud at work. */
export interface Cloud {
  readonly endpoints: CloudEndpoints;
  readonly clock: CloudClock;
  readonly faults: Faults;
  /** The latest requests, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Answered and failed handshakes of all load balancers. */
  handshakes(): HandshakeCounts;
  /** Forwarding rules, and where on this machine they are answered. */
  listeners(): readonly Listening[];
  /** Brings listeners to what the rules say now, without the delay. Rejects, when all have been tried, where nothing could be bound for a rule. */
  settle(): Promise<void>;
  /** Records of administrators' actions, for specification 2; other ones after a reset. */
  readonly activities: ActivityStore;
  /** Forgets all resources, records, requests and handshakes; clock, authority, faults and addresses stay. */
  reset(): Promise<void>;
  /** Ends everything and lets go of all ports and files. */
  stop(): Promise<void>;
}
