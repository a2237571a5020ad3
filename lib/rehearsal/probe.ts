/** One connection of a simulated client. */
export interface Probe {
  /** Beginning of the handshake, right after DNS returned an address: the cloud's time, RFC 3339. */
  readonly time: string;
  readonly hostname: string;
  /** Address that DNS returned; absent if DNS returned no address. */
  readonly address?: string;
  /** Side that answered, by the address: the previous provider (`old`) or the load balancer (`new`). */
  readonly side?: "old" | "new";
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
