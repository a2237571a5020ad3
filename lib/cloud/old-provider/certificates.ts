import { type Authority, createAuthority, type PublicKeyAlgorithm } from "../authority";

/** A certificate as its owner has it from a third party. */
export interface ThirdPartyCertificate {
  /** What it is reported under. */
  readonly name: string;
  /** The server's certificate, then its intermediates. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

export interface ThirdPartyRequest {
  /** DNS names in lower-case A-labels, `*.` allowed; the first is what the certificate is reported under. */
  readonly names: readonly string[];
  /** @default "rsa-2048" */
  readonly publicKeyAlgorithm?: PublicKeyAlgorithm;
  /** @default 397 */
  readonly validDays?: number;
  /** @default - now */
  readonly notBefore?: Date;
}

/** Most days that a public authority gave for a long time (CA/Browser Forum ballot SC-31, less the day that it advises). */
const usualDays = 397;

/**
 * Certificates of an authority that is not the cloud's, for rehearsals whose user has none at hand, or won't hand over their keys.
 *
 * @throws InputError as {@link Authority.issue} does
 */
export async function makeThirdPartyCertificates(
  requests: readonly ThirdPartyRequest[],
  { now }: { readonly now: () => Date },
): Promise<{ readonly certificates: readonly ThirdPartyCertificate[]; readonly authority: Authority }> {
  const authority = await createAuthority({ commonName: "Old Provider", now });
  const certificates = await Promise.all(
    requests.map(async ({ names, publicKeyAlgorithm = "rsa-2048", validDays = usualDays, notBefore }) => {
      const issued = await authority.issue({
        names,
        publicKeyAlgorithm,
        validDays,
        ...(notBefore === undefined ? {} : { notBefore }),
      });
      return { name: names[0] ?? "", chainPem: issued.chainPem, privateKeyPem: issued.privateKeyPem };
    }),
  );
  return { certificates, authority };
}
