import { defined } from "../json/defined";
import {
  type AuthorityState,
  type CopiedCertificate,
  type CopyRequest,
  createAuthority,
  type PublicKeyAlgorithm,
} from "./certificate-authority";
import type { IssuedCertificate } from "./certificate-manager";
import type { Clock, Store } from "./state";

/** The CA that signs the cloud's managed certificates. */
export interface OwnAuthority {
  /** Root certificates, in PEM. */
  readonly trustBundlePem: string;
  /** Issues a certificate. @throws InputError if the certificate would outlive the CA */
  issue(
    names: readonly string[],
    publicKeyAlgorithm: PublicKeyAlgorithm,
    validDays: number,
  ): Promise<IssuedCertificate>;
  /** Reissues a certificate of another CA with the same names, issuer, serial number and dates. */
  copy(request: CopyRequest): Promise<CopiedCertificate>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Opens the CA whose roots are in the store, or creates a CA. Clients check against the machine's time, while the
 * cloud's time may be far ahead.
 */
export async function openOwnAuthority(store: Store, clock: Clock): Promise<OwnAuthority> {
  const earliestNow = () => Math.min(clock.now().getTime(), Date.now());
  const kept = store.collection<AuthorityState>("cloud");
  const state = kept.get("authority");
  const authority = await createAuthority({
    commonName: "Rehearsal Cloud",
    now: () => new Date(earliestNow() - dayMs),
    ...defined({ state }),
  });
  if (state === undefined) kept.set("authority", authority.state);
  return {
    trustBundlePem: authority.trustBundlePem,
    copy: authority.copy,
    issue: (names, publicKeyAlgorithm, validDays) => {
      const beginMs = earliestNow() - hourMs;
      const endMs = clock.now().getTime() + validDays * dayMs;
      return authority.issue({
        names,
        publicKeyAlgorithm,
        notBefore: new Date(beginMs),
        validDays: Math.ceil((endMs - beginMs) / dayMs),
      });
    },
  };
}
