import { type ConnectionOptions, createSecureContext } from "node:tls";
import { type Authority, createAuthority } from "../../lib/cloud/certificate-authority";
import {
  type CertificateEntry,
  type HandshakeReport,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
  startTlsListener,
  type TlsListener,
  type TlsListenerOptions,
} from "../../lib/cloud/tls";
import { type Seen, seenBy } from "./tls-client";

/** The hostname in the certificates of {@link makeCertificates}. */
export const hostname = "a.example.com";

export interface TestCertificates {
  readonly authority: Authority;
  /** For {@link hostname}. */
  readonly rsa: ServerCertificate;
  /** For {@link hostname}. */
  readonly ecdsa: ServerCertificate;
  /** For `primary.example.com`. */
  readonly primary: ServerCertificate;
}

/** Makes a CA and three of its certificates. */
export async function makeCertificates(): Promise<TestCertificates> {
  const authority = await createAuthority({ commonName: "Test", now: () => new Date() });
  const make = async (name: string, publicKeyAlgorithm: "ecdsa-p256" | "rsa-2048") => {
    const { chainPem, privateKeyPem } = await authority.issue({ names: [name], publicKeyAlgorithm, validDays: 1 });
    return readServerCertificate({ name: `${name} ${publicKeyAlgorithm}`, chainPem, privateKeyPem });
  };
  const [rsa, ecdsa, primary] = await Promise.all([
    make(hostname, "rsa-2048"),
    make(hostname, "ecdsa-p256"),
    make("primary.example.com", "ecdsa-p256"),
  ]);
  return { authority, rsa, ecdsa, primary };
}

/** A listener that stops at the end of a test. */
export interface TestListener extends TlsListener, AsyncDisposable {
  /** Waits until `count` handshakes have ended, and returns their reports. */
  readonly reported: (count: number) => Promise<readonly HandshakeReport[]>;
  /** Performs a handshake with Node's client, by default for {@link hostname}. */
  readonly client: (options?: ConnectionOptions) => Promise<Seen>;
}

interface TestListenerPlace {
  readonly address: string;
  readonly port: number;
}

/** Starts a listener on a free port that serves these certificates for {@link hostname}. */
export async function startListener(
  { authority }: TestCertificates,
  certificates: readonly ServerCertificate[],
  {
    primary,
    address = "127.0.0.1",
    port = 0,
    ...options
  }: Partial<TlsListenerOptions & TestListenerPlace> & { readonly primary?: CertificateEntry } = {},
): Promise<TestListener> {
  const reports: HandshakeReport[] = [];
  let onReport = () => {};
  const entries = { byHostname: new Map([[hostname, { certificates }]]), primary };
  const listener = await startTlsListener(
    { address, port },
    {
      certificates: (hello) => selectCertificate(hello, entries),
      onHandshake: (report) => {
        reports.push(report);
        onReport();
      },
      ...options,
    },
  );
  const secureContext = createSecureContext({ ca: authority.trustBundlePem });
  return {
    ...listener,
    reported: async (count) => {
      while (reports.length < count) {
        await new Promise<void>((resolve) => {
          onReport = resolve;
        });
      }
      return reports;
    },
    client: (more = {}) =>
      seenBy({
        host: listener.address,
        port: listener.port,
        servername: hostname,
        // Node ignores the sources of a context if a context is given.
        ...(isAboutContext(more) ? { ca: authority.trustBundlePem } : { secureContext }),
        ...more,
      }),
    [Symbol.asyncDispose]: listener.close,
  };
}

function isAboutContext({ minVersion, maxVersion, ciphers, sigalgs }: ConnectionOptions): boolean {
  return [minVersion, maxVersion, ciphers, sigalgs].some((option) => option !== undefined);
}
