import { issueUnder, makePrivateRoot } from "./private-root";

/** A client certificate of a CA that exists for the clients of a rehearsal. */
export interface ClientIdentity {
  /** Root of the CA, in PEM. */
  readonly anchorPem: string;
  /** Certificate of the client, in PEM; the root signs it. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

const dayMs = 24 * 3_600_000;

/** Years for which the certificates are valid: rehearsals of renewals move the clock by months. */
const validYears = 10;

/** Creates a CA for clients, and one client certificate. @param now time at which the certificates have to be valid */
export async function makeClientIdentity(now: Date): Promise<ClientIdentity> {
  const validity = {
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + validYears * 365 * dayMs),
    publicKeyAlgorithm: "ecdsa-p256",
  } as const;
  const root = await makePrivateRoot({ ...validity, distinguishedName: "O=Rehearsal, CN=Clients of the rehearsal" });
  const { chainPem, privateKeyPem } = await issueUnder(root, {
    ...validity,
    names: ["client.rehearsal.invalid"],
    usage: "clientAuth",
  });
  const certificatePem = chainPem.slice(0, -root.certificatePem.length);
  return { anchorPem: root.certificatePem, certificatePem, privateKeyPem };
}
