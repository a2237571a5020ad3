import { defined } from "../../json/defined";
import { type Authority, createAuthority, type PublicKeyAlgorithm } from "../certificate-authority";

/** A certificate from a third party. */
export interface ThirdPartyCertificate {
  /** Name in reports. */
  readonly name: string;
  /** The server's certificate, followed by its intermediates. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

export interface ThirdPartyRequest {
  /** DNS names in lower-case A-labels, `*.` allowed; the first name is the certificate's name in reports. */
  readonly names: readonly string[];
  /** @default "rsa-2048" */
  readonly publicKeyAlgorithm?: PublicKeyAlgorithm;
  /** Validity in days. @default 397 */
  readonly validDays?: number;
  /** Start of validity. @default - now */
  readonly notBefore?: Date;
}

/**
 * Maximum validity that public CAs used for a long time, in days (CA/Browser Forum ballot SC-31, with its recommended
 * margin of one day).
 */
const usualDays = 397;

/**
 * Issues certificates from a CA other than the cloud's, for rehearsals without real certificates or without their
 * private keys.
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
        ...defined({ notBefore }),
      });
      return { name: names[0] ?? "", chainPem: issued.chainPem, privateKeyPem: issued.privateKeyPem };
    }),
  );
  return { certificates, authority };
}
