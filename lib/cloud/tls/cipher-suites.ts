/** A cipher suite of TLS 1.2, whose name contains the server's kind of key. */
interface CipherSuite {
  readonly number: number;
  /** Name in OpenSSL. */
  readonly name: string;
  readonly authentication: "ecdsa" | "rsa";
}

/**
 * The suites of Google Cloud's `COMPATIBLE` SSL policy for TLS 1.2, most preferred first, without 3DES, which OpenSSL
 * no longer supports.
 *
 * The front end offers only these suites, so that the ClientHello determines which kinds of keys a client can use.
 */
const tls12Suites: readonly CipherSuite[] = [
  { number: 0xc02b, name: "ECDHE-ECDSA-AES128-GCM-SHA256", authentication: "ecdsa" },
  { number: 0xcca9, name: "ECDHE-ECDSA-CHACHA20-POLY1305", authentication: "ecdsa" },
  { number: 0xc02c, name: "ECDHE-ECDSA-AES256-GCM-SHA384", authentication: "ecdsa" },
  { number: 0xc02f, name: "ECDHE-RSA-AES128-GCM-SHA256", authentication: "rsa" },
  { number: 0xcca8, name: "ECDHE-RSA-CHACHA20-POLY1305", authentication: "rsa" },
  { number: 0xc030, name: "ECDHE-RSA-AES256-GCM-SHA384", authentication: "rsa" },
  { number: 0xc009, name: "ECDHE-ECDSA-AES128-SHA", authentication: "ecdsa" },
  { number: 0xc00a, name: "ECDHE-ECDSA-AES256-SHA", authentication: "ecdsa" },
  { number: 0xc013, name: "ECDHE-RSA-AES128-SHA", authentication: "rsa" },
  { number: 0xc014, name: "ECDHE-RSA-AES256-SHA", authentication: "rsa" },
  { number: 0x009c, name: "AES128-GCM-SHA256", authentication: "rsa" },
  { number: 0x009d, name: "AES256-GCM-SHA384", authentication: "rsa" },
  { number: 0x002f, name: "AES128-SHA", authentication: "rsa" },
  { number: 0x0035, name: "AES256-SHA", authentication: "rsa" },
];

/** Suites of TLS 1.3, which do not depend on the kind of key. */
const tls13Suites = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/** Cipher list for `tls.createSecureContext`. */
export const cipherList = [...tls13Suites, ...tls12Suites.map(({ name }) => name)].join(":");

const authentications = new Map(tls12Suites.map(({ number, authentication }) => [number, authentication]));

/** Returns whether one of the suites is for TLS 1.2 and this kind of key. */
export function offersAuthentication(suites: readonly number[], authentication: "ecdsa" | "rsa"): boolean {
  return suites.some((suite) => authentications.get(suite) === authentication);
}
