/** Probes of clients with and without a client certificate: their judgment and their counts. */
import type { ClientRule } from "./client-rule";
import type { Probe } from "./probe";
import type { Shaken } from "./shake-hands";

/** Certificate of the rehearsal's clients and its key, in PEM, as Node's TLS client takes them. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Results of the clients in a rehearsal with mutual TLS. */
export interface ClientCounts {
  /** Whether clients without a certificate have to be refused, before and after the migration. */
  readonly refusesOthers: boolean;
  readonly withCertificate: { readonly probes: number; readonly failed: number };
  /** `refused`: probes that were refused as they have to be; they are not failures. */
  readonly withoutCertificate: { readonly probes: number; readonly failed: number; readonly refused: number };
}

const accepted = "the server accepted a client without a certificate, which it has to refuse";
const notValidated = "the server did not validate the certificate of the client";

/**
 * Returns the result of a handshake for one kind of client: a failure unless the client got what it got before the
 * migration.
 */
export function judgeClientProbe(
  { error, isRefusal, isValidated }: Pick<Shaken, "error" | "isRefusal" | "isValidated">,
  { refusesOthers, validates }: ClientRule,
  hasCertificate: boolean,
): Pick<Probe, "clientCertificate" | "refused" | "error"> {
  const client = { clientCertificate: hasCertificate };
  if (!hasCertificate && refusesOthers) {
    if (isRefusal === true) return { ...client, refused: true };
    return { ...client, error: error ?? accepted };
  }
  if (error !== undefined) return { ...client, error };
  return hasCertificate && validates && isValidated !== true ? { ...client, error: notValidated } : client;
}

/** Counts the probes of both kinds of clients. */
export function createClientCounts({ refusesOthers }: Pick<ClientRule, "refusesOthers">) {
  const withCertificate = { probes: 0, failed: 0 };
  const withoutCertificate = { probes: 0, failed: 0, refused: 0 };
  return {
    add: ({ ok, clientCertificate, refused }: Pick<Probe, "ok" | "clientCertificate" | "refused">): void => {
      const count = clientCertificate === true ? withCertificate : withoutCertificate;
      count.probes += 1;
      if (!ok) count.failed += 1;
      if (refused === true) withoutCertificate.refused += 1;
    },
    counts: (): ClientCounts => ({
      refusesOthers,
      withCertificate: { ...withCertificate },
      withoutCertificate: { ...withoutCertificate },
    }),
  };
}
