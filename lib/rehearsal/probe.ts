/** Probes of clients: their results, judgment and counts. */
import type { ClientRule } from "./client-rule";

/** Who serves a hostname: the previous provider, or the load balancer. */
export type Side = "previous" | "loadBalancer";

/** One connection of a simulated client. */
export interface Probe {
  /** Beginning of the handshake, right after DNS returned an address: the cloud's time, RFC 3339. */
  readonly time: string;
  readonly hostname: string;
  /** Address that DNS returned; absent if DNS returned no address. */
  readonly address?: string;
  /** Side that answered, by the address. */
  readonly side?: Side;
  /** Whether the client got what it got before the migration. */
  readonly ok: boolean;
  /** Whether the client had a certificate; absent in a rehearsal without mutual TLS. */
  readonly clientCertificate?: boolean;
  /** True if the server refused a client without a certificate, as it has to; `ok` is then true. */
  readonly refused?: true;
  /** False if the server was silent after the handshake, so that its acceptance is unknown; absent otherwise. */
  readonly confirmed?: false;
  /** SHA-256 of the presented certificate, in hexadecimal; absent if no certificate was presented. */
  readonly certificate?: string;
  /** Reason of a failure. */
  readonly error?: string;
}

/** Facts of a handshake by which a probe is judged. */
export interface HandshakeOutcome extends Pick<Probe, "error"> {
  /** Present if the server ended the connection after the client had accepted the server's certificate. */
  readonly isRefusal?: true;
  /** Whether the server validated the client's certificate; absent unless the server was asked. */
  readonly isValidated?: boolean;
}

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
  { error, isRefusal, isValidated }: HandshakeOutcome,
  { refusesOthers, validates, hasCertificate }: ClientRule & { readonly hasCertificate: boolean },
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
