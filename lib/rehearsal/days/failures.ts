import type { FaultPlan } from "../../cloud";
import type { AffectedCertificates } from "./affected-certificates";

/** Something that goes wrong after the cut-over. */
export interface DaysFailure {
  readonly name: string;
  /** Certificates that the failure affects. Without them, the failure would change nothing. */
  readonly affects: AffectedCertificates;
  /** What goes wrong; one line, lower case, no final period. */
  readonly what: string;
  /** Faults from the beginning of the failure to its repair. @default - none: what is needed is left undone */
  readonly faults?: FaultPlan;
  /** Whether uploaded certificates are left alone until the repair. @default false */
  readonly forgetsUploads?: boolean;
  /** API that is disabled from the beginning to the repair. @default - none */
  readonly disabledApi?: string;
}

const challenges = "_acme-challenge.*";
/** Every validation fails; Google tries again by itself. */
const refused = (failureReason: string, details: string): FaultPlan => ({
  issuance: [{ domain: "*", failureReason, details }],
});

/**
 * Every failure of the time after the cut-over. Google does not document whether certificates are renewed while the API
 * is disabled; the rehearsal assumes that they are not.
 */
export const daysFailures: readonly DaysFailure[] = [
  {
    name: "cname-deleted",
    affects: "dnsAuthorized",
    what: "the CNAME records of the DNS authorizations are deleted",
    faults: { dns: [{ name: challenges, rrdatas: [] }] },
  },
  {
    name: "caa-added",
    affects: "publicCa",
    what: "a CAA record allows another CA only",
    faults: { dns: [{ name: "*", type: "CAA", rrdatas: ['0 issue "ca.example.net"'] }] },
  },
  {
    name: "zone-moved",
    affects: "dnsAuthorized",
    what: "the zone is delegated to another DNS host, which has no CNAME records of the authorizations",
    faults: { dns: [{ name: challenges, rcode: "NXDOMAIN" }] },
  },
  {
    name: "ca-disabled",
    affects: "privateCa",
    what: "the CAs of the pool are disabled",
    faults: { authorities: [{ authority: "*" }] },
  },
  {
    name: "rate-limited",
    affects: "publicCa",
    what: "the CA limits the rate of the domain",
    faults: refused("RATE_LIMITED", "too many certificates for the registered domain"),
  },
  {
    name: "upload-forgotten",
    affects: "uploaded",
    what: "the owner does not replace the uploaded certificate",
    forgetsUploads: true,
  },
  {
    name: "api-disabled",
    affects: "created",
    what: "the API of Certificate Manager is disabled",
    disabledApi: "certificatemanager.googleapis.com",
    faults: { ...refused("CONFIG", "the API is disabled"), authorities: [{ authority: "*" }] },
  },
];
