/** One connection, as a client would have made it. */
export interface Probe {
  /** When the handshake began, as soon as DNS had given an address: the cloud's time, RFC 3339. */
  readonly time: string;
  readonly hostname: string;
  /** The address that DNS gave; absent where it gave none. */
  readonly address?: string;
  /** Who answered, by the address. */
  readonly side?: "old" | "new";
  readonly ok: boolean;
  /** False if the server was silent after the handshake, so that its acceptance is unknown; absent otherwise. */
  readonly confirmed?: false;
  /** SHA-256 of the certificate that was presented, in hexadecimal; absent where none was. */
  readonly certificate?: string;
  /** Why not. */
  readonly error?: string;
}
