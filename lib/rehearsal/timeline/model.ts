/** What happened in a rehearsal, in the order of time. All times are the cloud's, RFC 3339. */
export interface Timeline {
  readonly from: string;
  readonly until: string;
  readonly events: readonly TimelineEvent[];
  /** Results of the handshakes of each hostname, in the order of the hostnames. */
  readonly hostnames: readonly ServedHostname[];
  /** Certificates that servers presented, or that the migration created. */
  readonly certificates: readonly TimelineCertificate[];
  /** Addresses to which clients connected. */
  readonly addresses: { readonly previous: readonly string[]; readonly loadBalancer: readonly string[] };
}

/**
 * - `apply`, `import`: a run of Terraform
 * - `kill`: the end of a run that was killed
 * - `gate`: a gate of the stack, from its start to its end
 * - `certificate-active`: a certificate was issued and is ACTIVE
 * - `front-ends`: a changed configuration has reached the front ends of the load balancer
 * - `records`: the name servers answer with changed records
 */
type TimelineEventKind = "apply" | "kill" | "import" | "gate" | "certificate-active" | "front-ends" | "records";

export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  readonly from: string;
  /** End of an event that takes time. */
  readonly until?: string;
  /** Description on one line. */
  readonly what: string;
  /** Result of a run or gate. */
  readonly ok?: boolean;
  /** Affected hostnames; absent if the event affects all. */
  readonly hostnames?: readonly string[];
}

export interface ServedHostname {
  readonly hostname: string;
  /** In chronological order; each begins with its first handshake. */
  readonly runs: readonly ServedRun[];
}

/** Consecutive handshakes with the same result. */
export interface ServedRun {
  /** Beginning of the first and of the last handshake. */
  readonly from: string;
  readonly until: string;
  /**
   * - `previous`: the previous provider
   * - `load-balancer-previous`: the load balancer, with a certificate of the previous provider
   * - `load-balancer`: the load balancer, with another certificate
   * - `failed`: the handshakes failed
   * - `mixed`: the results changed so often that the rest is not listed individually
   */
  readonly by: "previous" | "load-balancer-previous" | "load-balancer" | "failed" | "mixed";
  readonly handshakes: number;
  /** Failed handshakes of `mixed`. */
  readonly failed?: number;
  /** SHA-256 of the presented certificate, in hexadecimal. */
  readonly certificate?: string;
  /** Error of the first failed handshake. */
  readonly error?: string;
}

export interface TimelineCertificate {
  /** SHA-256, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly side: "previous" | "new";
  readonly names: readonly string[];
  readonly issuer: string;
  /** For example `rsa-2048`. */
  readonly keyType: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
}
