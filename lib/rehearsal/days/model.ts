/** Time after the cut-over. Days are counted from its beginning, with a fraction. */
export interface DaysResult {
  /** Days that passed. */
  readonly days: number;
  /** Beginning and end in the cloud's time, RFC 3339. */
  readonly from: string;
  readonly until: string;
  /** Whether no handshake failed, every plan after a renewal was empty, and a failure had an effect. */
  readonly ok: boolean;
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Day of the first failed handshake; absent if none failed. */
  readonly firstFailureDay?: number;
  readonly renewals: readonly DayOfCertificate[];
  /** Uploaded certificates that were replaced, as they were due. */
  readonly replacements: readonly DayOfCertificate[];
  /** Certificates that reached their end without a renewal. */
  readonly expiries: readonly DayOfCertificate[];
  /** Incidents of alert policies, in the order of their beginning. */
  readonly incidents: readonly DaysIncident[];
  /** Plans of Terraform after renewals, and how many of them had changes or failed. */
  readonly plans: number;
  readonly plansWithChanges: number;
  /** What went wrong on purpose; absent if nothing did. */
  readonly failure?: DaysFailureResult;
}

/** What happened to a certificate on a day. */
export interface DayOfCertificate {
  readonly day: number;
  /** Resource name of the certificate. */
  readonly certificate: string;
}

/** An incident of an alert policy. */
export interface DaysIncident {
  readonly day: number;
  /** Absent while it is open. */
  readonly closedDay?: number;
  /** Name of the policy for people. */
  readonly policy: string;
}

/** A failure of the time after the cut-over, as it was in a rehearsal. */
interface DaysFailureResult {
  readonly name: string;
  readonly beganDay: number;
  /** Absent if it was not repaired. */
  readonly repairedDay?: number;
  /** Whether it stopped anything: a renewal or a replacement was due before it was repaired. */
  readonly hadEffect: boolean;
}
