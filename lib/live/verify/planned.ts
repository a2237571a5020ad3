import { ServiceError } from "../../errors";
import type { LiveCertificate, ResourceLister } from "../../google";
import { readCertificateChain } from "../../x509";
import type { ServedCertificate } from "./handshake-model";

/** A certificate of the plan, as Certificate Manager returns it. */
export interface ExpectedCertificate {
  /** `projects/P/locations/L/certificates/C`. */
  readonly name: string;
  /** For example `ACTIVE`, or `MISSING`. */
  readonly state: string;
  /** Properties that the load balancer must serve; absent before the certificate is issued. */
  readonly facts?: Pick<ServedCertificate, "fingerprintSha256" | "serialNumber" | "keyType">;
  /** Uploaded leaf and chain, in PEM; absent for a Google-managed certificate. */
  readonly upload?: string;
}

/** The certificates of the plan. */
export interface PlannedCertificates {
  /** Returns a certificate for each name, in order. */
  of(names: readonly string[]): readonly ExpectedCertificate[];
  /**
   * Reads the certificates again, because they may have been renewed. Reads at most twice a minute. If the service
   * fails, keeps the previous data.
   */
  refresh(signal: AbortSignal): Promise<void>;
}

const leastAgeMs = 30_000;

/**
 * Reads the certificates of the plan with one list call per project and location.
 *
 * @param names `projects/P/locations/L/certificates/C`
 * @throws ServiceError if the service refuses or does not answer
 */
export async function readPlanned(
  names: readonly string[],
  lister: Pick<ResourceLister, "certificates">,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<PlannedCertificates> {
  let known = await list(names, lister, signal);
  let readAt = now();
  return {
    of: (wanted) => wanted.map((name) => known.get(name) ?? { name, state: "MISSING" }),
    refresh: async (signal) => {
      if (now() - readAt < leastAgeMs) return;
      readAt = now();
      try {
        known = await list(names, lister, signal);
      } catch (error) {
        if (!(error instanceof ServiceError) && !signal.aborted) throw error;
      }
    },
  };
}

async function list(
  names: readonly string[],
  lister: Pick<ResourceLister, "certificates">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ExpectedCertificate>> {
  const wanted = new Set(names);
  const found = new Map<string, ExpectedCertificate>();
  for (const parent of new Set(names.map((name) => name.slice(0, name.lastIndexOf("/certificates/"))))) {
    for (const live of await lister.certificates(parent, signal)) {
      if (wanted.has(live.name)) found.set(live.name, describe(live));
    }
  }
  return found;
}

function describe({ name, kind, state, certificatePem }: LiveCertificate): ExpectedCertificate {
  // Certificate Manager returns the certificate first, followed by its chain.
  const leaf = certificatePem === undefined ? undefined : readCertificateChain(certificatePem).certificates[0];
  if (leaf === undefined) return { name, state };
  const { fingerprintSha256, serialNumber, keyType } = leaf;
  return {
    name,
    state,
    facts: { fingerprintSha256, serialNumber, keyType },
    ...(kind === "selfManaged" && certificatePem !== undefined ? { upload: certificatePem } : {}),
  };
}
