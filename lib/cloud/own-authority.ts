import { type AuthorityState, createAuthority, type PublicKeyAlgorithm } from "./authority";
import type { IssuedCertificate } from "./certificate-manager";
import type { Clock, Store } from "./state";

/** The authority that signs the cloud's managed certificates. */
export interface OwnAuthority {
  /** Its roots, PEM. */
  readonly trustBundlePem: string;
  /** @throws InputError where it can't sign, as it would be outlived */
  issue(
    names: readonly string[],
    publicKeyAlgorithm: PublicKeyAlgorithm,
    validDays: number,
  ): Promise<IssuedCertificate>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Opens the authority whose roots are kept in the store, or makes one. Clients judge by the machine's time, while the cloud's may be far ahead. */
export async function openOwnAuthority(store: Store, clock: Clock): Promise<OwnAuthority> {
  const earliestNow = () => Math.min(clock.now().getTime(), Date.now());
  const kept = store.collection<AuthorityState>("cloud");
  const state = kept.get("authority");
  const authority = await createAuthority({
    commonName: "Rehearsal Cloud",
    now: () => new Date(earliestNow() - dayMs),
    ...(state === undefined ? {} : { state }),
  });
  if (state === undefined) kept.set("authority", authority.state);
  return {
    trustBundlePem: authority.trustBundlePem,
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
