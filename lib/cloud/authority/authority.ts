import { randomBytes } from "node:crypto";
import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { makeServerCertificate } from "./certificates";
import {
  type Issuer,
  type IssuerParts,
  type KeptIssuer,
  keepIssuer,
  makeIntermediate,
  makeRoot,
  readIssuer,
} from "./issuer";
import { algorithmOf, exportPrivateKey, type KeyPair, makeKeyPair, type PublicKeyAlgorithm } from "./keys";
import { x509 } from "./library";
import { lastSecond, wholeSecond } from "./validity";

/**
 * A certificate authority. It has a root for each kind of key, and an intermediate under each, so that a client that knows one kind only can check the
 * whole chain.
 */
export interface Authority {
  /**
   * Issues a certificate for a server. That the names are somebody's is for the caller to have checked.
   *
   * @throws InputError `authority-no-names`, `authority-bad-name`, `authority-bad-validity`, `authority-outlived`, `authority-key-mismatch`
   */
  readonly issue: (request: CertificateRequest) => Promise<IssuedCertificate>;
  /** The roots in PEM: what a client has to trust. */
  readonly trustBundlePem: string;
  /** The roots as {@link AuthorityOptions.state} takes them, private keys and all. It is complete from the start and never changes. */
  readonly state: AuthorityState;
}

interface AuthorityOptions {
  /** What the subjects of its certificates begin with, 1 to 40 characters, as in `Rehearsal Cloud`. */
  readonly commonName: string;
  /** What validity is counted from. */
  readonly now: () => Date;
  /**
   * So many random octets, for serial numbers. Keys are random in any case.
   *
   * @default - `randomBytes` of `node:crypto`
   */
  readonly random?: (count: number) => Uint8Array;
  /**
   * An earlier authority, to go on under its roots; intermediates are new in each run.
   *
   * @default - new roots
   */
  readonly state?: AuthorityState;
}

interface CertificateRequest {
  /** DNS names in lower-case A-labels, `*.` allowed, at least one. The first of at most 64 characters becomes the common name. */
  readonly names: readonly string[];
  readonly publicKeyAlgorithm: PublicKeyAlgorithm;
  /** Days from `notBefore` to `notAfter`, both of these seconds included. */
  readonly validDays: number;
  /** @default - now; a fraction of a second is dropped */
  readonly notBefore?: Date;
  /** @default - for ECDSA a new pair; for RSA, where making one is slow, the same pair for all of the authority's certificates */
  readonly keyPair?: KeyPair;
}

interface IssuedCertificate {
  /** The server's certificate alone. */
  readonly certificatePem: string;
  /** The server's certificate and the intermediate, as a server sends them. */
  readonly chainPem: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Serial number in lower-case hexadecimal without leading zeros. */
  readonly serial: string;
}

/** The roots of an authority as text that JSON can hold. Whoever has it can issue. */
export type AuthorityState = Readonly<Record<PublicKeyAlgorithm, KeptIssuer>>;

const longestAuthorityName = 40;
/** Longest DNS name in octets without its trailing dot (RFC 1035, 2.3.4). */
const longestName = 253;
const serialOctets = 16;

/**
 * Makes an authority, or brings one back.
 *
 * @throws InputError `authority-bad-common-name`, `authority-state-unreadable`
 */
export async function createAuthority(options: AuthorityOptions): Promise<Authority> {
  const { commonName, now, random = randomBytes, state } = options;
  checkCommonName(commonName);
  const partsOf: PartsOf = (algorithm, keyPair) => {
    return { commonName, algorithm, keyPair, now: now(), serialNumber: makeSerialNumber(random) };
  };
  const roots = state === undefined ? await makeRoots(partsOf) : readRoots(state);
  const intermediateOf = onceForEach(async (algorithm) =>
    makeIntermediate(roots[algorithm], partsOf(algorithm, await makeKeyPair(algorithm))),
  );
  const sharedPairOf = onceForEach(makeKeyPair);
  const pairFor = (algorithm: PublicKeyAlgorithm) =>
    algorithm === "rsa-2048" ? sharedPairOf(algorithm) : makeKeyPair(algorithm);

  return {
    issue: async (request) => {
      const intermediate = await intermediateOf(request.publicKeyAlgorithm);
      const notBefore = wholeSecond(request.notBefore ?? now());
      const notAfter = lastSecond(notBefore, request.validDays);
      const names = [...new Set(request.names)];
      const problems = [
        ...nameProblems(names),
        ...validityProblems(request.validDays, { notBefore, notAfter }, intermediate),
        ...keyProblems(request),
      ];
      if (problems.length > 0) throw new InputError(problems);
      const keyPair = request.keyPair ?? (await pairFor(request.publicKeyAlgorithm));
      const serialNumber = makeSerialNumber(random);
      const certificatePem = await makeServerCertificate({
        signer: intermediate,
        names,
        publicKey: keyPair.publicKey,
        serialNumber,
        notBefore,
        notAfter,
      });
      return {
        certificatePem,
        chainPem: certificatePem + intermediate.certificatePem,
        privateKeyPem: exportPrivateKey(keyPair),
        notBefore,
        notAfter,
        serial: serialNumber,
      };
    },
    trustBundlePem: roots["ecdsa-p256"].certificatePem + roots["rsa-2048"].certificatePem,
    state: { "ecdsa-p256": keepIssuer(roots["ecdsa-p256"]), "rsa-2048": keepIssuer(roots["rsa-2048"]) },
  };
}

type Roots = Readonly<Record<PublicKeyAlgorithm, Issuer>>;
type PartsOf = (algorithm: PublicKeyAlgorithm, keyPair: KeyPair) => IssuerParts;

async function makeRoots(partsOf: PartsOf): Promise<Roots> {
  const keyPairs = Promise.all([makeKeyPair("ecdsa-p256"), makeKeyPair("rsa-2048")]);
  // It loads while another thread looks for primes.
  x509();
  const [ecdsa, rsa] = await keyPairs;
  return {
    "ecdsa-p256": await makeRoot(partsOf("ecdsa-p256", ecdsa)),
    "rsa-2048": await makeRoot(partsOf("rsa-2048", rsa)),
  };
}

function readRoots(state: AuthorityState): Roots {
  return { "ecdsa-p256": readIssuer(state["ecdsa-p256"]), "rsa-2048": readIssuer(state["rsa-2048"]) };
}

/** Makes a thing for each algorithm when it is first wanted. */
function onceForEach<Made>(
  make: (algorithm: PublicKeyAlgorithm) => Promise<Made>,
): (algorithm: PublicKeyAlgorithm) => Promise<Made> {
  const made = new Map<PublicKeyAlgorithm, Promise<Made>>();
  return (algorithm) => {
    const known = made.get(algorithm) ?? make(algorithm);
    made.set(algorithm, known);
    return known;
  };
}

function checkCommonName(commonName: string): void {
  if (commonName !== "" && commonName.length <= longestAuthorityName) return;
  throw new InputError(
    "authority-bad-common-name",
    `'commonName' ${quote(commonName)} has ${commonName.length} characters: 1 to ${longestAuthorityName} are allowed; shorten it`,
  );
}

/** 126 random bits behind two fixed ones, which keep it positive and of one length (RFC 5280, 4.1.2.2). */
function makeSerialNumber(random: (count: number) => Uint8Array): string {
  const octets = Buffer.from(random(serialOctets));
  octets[0] = ((octets[0] as number) & 0x3f) | 0x40;
  return octets.toString("hex");
}

function nameProblems(names: readonly string[]): readonly Problem[] {
  if (names.length === 0) {
    return [{ code: "authority-no-names", message: "'names' is empty: a certificate is for one DNS name at least" }];
  }
  return names
    .filter((name) => name.length > longestName || !/^(\*\.)?([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(name))
    .map((name) => ({
      code: "authority-bad-name",
      message: `${quote(name)} is no DNS name in lower-case A-labels: write it as in 'shop.example.com' or '*.example.com'`,
    }));
}

function validityProblems(
  validDays: number,
  dates: { readonly notBefore: Date; readonly notAfter: Date },
  intermediate: { readonly notBefore: Date; readonly notAfter: Date },
): readonly Problem[] {
  if (!(validDays > 0 && dates.notAfter >= dates.notBefore)) {
    return [{ code: "authority-bad-validity", message: `'validDays' is ${validDays}: give a number above 0` }];
  }
  if (dates.notBefore >= intermediate.notBefore && dates.notAfter <= intermediate.notAfter) return [];
  const [from, to] = [intermediate.notBefore, intermediate.notAfter].map((date) => date.toISOString());
  return [
    {
      code: "authority-outlived",
      message: `the certificate would be valid from ${dates.notBefore.toISOString()} to ${dates.notAfter.toISOString()}, its authority is from ${from} to ${to}: stay within, or make a new authority`,
    },
  ];
}

function keyProblems({ keyPair, publicKeyAlgorithm }: CertificateRequest): readonly Problem[] {
  if (keyPair === undefined || algorithmOf(keyPair.publicKey) === publicKeyAlgorithm) return [];
  return [
    {
      code: "authority-key-mismatch",
      message: `'keyPair' is not of the algorithm '${publicKeyAlgorithm}': give a pair that is, or none`,
    },
  ];
}
