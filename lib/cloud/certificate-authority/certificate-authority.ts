import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { lastSecond, makeServerCertificate, newSerialNumber, wholeSecond, x509 } from "./certificates";
import {
  type CopiedCertificate,
  type CopyRequest,
  createCopies,
  type Issuer,
  type IssuerParts,
  type KeptIssuer,
  keepIssuer,
  makeIntermediate,
  makeRoot,
  readIssuer,
} from "./issuer";
import { algorithmOf, exportPrivateKey, type KeyPair, makeKeyPair, type PublicKeyAlgorithm } from "./keys";

/**
 * A certificate authority with a root and an intermediate for each kind of key. A client that supports only one kind of
 * key can thus check the whole chain.
 */
export interface Authority {
  /**
   * Issues a server certificate. The caller has to check the control of the names.
   *
   * @throws InputError `authority-no-names`, `authority-bad-name`, `authority-bad-validity`, `authority-outlived`,
   * `authority-key-mismatch`
   */
  readonly issue: (request: CertificateRequest) => Promise<IssuedCertificate>;
  /** Reissues a certificate of another CA with the same names, issuer, serial number and dates. */
  readonly copy: (request: CopyRequest) => Promise<CopiedCertificate>;
  /** Root certificates in PEM, for the trust store of clients. */
  readonly trustBundlePem: string;
  /** Roots with their private keys, for {@link AuthorityOptions.state}. Complete from the start; never changes. */
  readonly state: AuthorityState;
}

interface AuthorityOptions {
  /** Prefix of the certificates' subjects, 1 to 40 characters, for example `Rehearsal Cloud`. */
  readonly commonName: string;
  readonly now: () => Date;
  /**
   * Returns `count` random octets for serial numbers; keys are always random. @default - `randomBytes` of `node:crypto`
   */
  readonly random?: (count: number) => Uint8Array;
  /** Roots of an earlier CA to reuse; intermediates are new in each run. @default - new roots */
  readonly state?: AuthorityState;
}

interface CertificateRequest {
  /**
   * DNS names in lower-case A-labels, at least one name; `*.` is allowed. The first name of at most 64 characters
   * becomes the common name.
   */
  readonly names: readonly string[];
  readonly publicKeyAlgorithm: PublicKeyAlgorithm;
  /** Days from `notBefore` to `notAfter`, both inclusive to the second. */
  readonly validDays: number;
  /** Start of validity; fractions of a second are dropped. @default - now */
  readonly notBefore?: Date;
  /** Key pair. @default - ECDSA: a new pair; RSA: one pair for all certificates, because RSA generation is slow */
  readonly keyPair?: KeyPair;
}

interface IssuedCertificate {
  /** The server's certificate, without intermediates. */
  readonly certificatePem: string;
  /** The server's certificate and the intermediate, in the order in which a server sends them. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Serial number in lower-case hexadecimal without leading zeros. */
  readonly serial: string;
}

/** The roots of a CA as text for JSON. Contains the private keys: the holder can issue certificates. */
export type AuthorityState = Readonly<Record<PublicKeyAlgorithm, KeptIssuer>>;

const longestAuthorityName = 40;
/** Longest DNS name in octets without its trailing dot (RFC 1035, 2.3.4). */
const longestName = 253;

/**
 * Creates a CA with new roots, or with the roots of `state`.
 *
 * @throws InputError `authority-bad-common-name`, `authority-state-unreadable`
 */
export async function createAuthority(options: AuthorityOptions): Promise<Authority> {
  const { commonName, now, random, state } = options;
  checkCommonName(commonName);
  const partsOf: PartsOf = (algorithm, keyPair) => {
    return { commonName, algorithm, keyPair, now: now(), serialNumber: newSerialNumber(random) };
  };
  const roots: Roots =
    state === undefined
      ? await makeRoots(partsOf)
      : { "ecdsa-p256": readIssuer(state["ecdsa-p256"]), "rsa-2048": readIssuer(state["rsa-2048"]) };
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
      const serialNumber = newSerialNumber(random);
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
    copy: createCopies(roots["ecdsa-p256"], () => newSerialNumber(random)),
    trustBundlePem: roots["ecdsa-p256"].certificatePem + roots["rsa-2048"].certificatePem,
    state: { "ecdsa-p256": keepIssuer(roots["ecdsa-p256"]), "rsa-2048": keepIssuer(roots["rsa-2048"]) },
  };
}

type Roots = Readonly<Record<PublicKeyAlgorithm, Issuer>>;
type PartsOf = (algorithm: PublicKeyAlgorithm, keyPair: KeyPair) => IssuerParts;

async function makeRoots(partsOf: PartsOf): Promise<Roots> {
  const keyPairs = Promise.all([makeKeyPair("ecdsa-p256"), makeKeyPair("rsa-2048")]);
  // Loads the library while another thread searches for primes.
  x509();
  const [ecdsa, rsa] = await keyPairs;
  return {
    "ecdsa-p256": await makeRoot(partsOf("ecdsa-p256", ecdsa)),
    "rsa-2048": await makeRoot(partsOf("rsa-2048", rsa)),
  };
}

/** Returns a function that creates one value per algorithm at the first use. */
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

function nameProblems(names: readonly string[]): readonly Problem[] {
  if (names.length === 0)
    return [{ code: "authority-no-names", message: "'names' is empty: a certificate has at least one DNS name" }];
  return names
    .filter((name) => name.length > longestName || !/^(\*\.)?([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(name))
    .map((name) => ({
      code: "authority-bad-name",
      message: `${quote(name)} is not a DNS name in lower-case A-labels: write it as in 'shop.example.com' or '*.example.com'`,
    }));
}

function validityProblems(
  validDays: number,
  dates: { readonly notBefore: Date; readonly notAfter: Date },
  intermediate: { readonly notBefore: Date; readonly notAfter: Date },
): readonly Problem[] {
  if (!(validDays > 0 && dates.notAfter >= dates.notBefore))
    return [{ code: "authority-bad-validity", message: `'validDays' is ${validDays}: give a number above 0` }];
  if (dates.notBefore >= intermediate.notBefore && dates.notAfter <= intermediate.notAfter) return [];
  const [from, to] = [intermediate.notBefore, intermediate.notAfter].map((date) => date.toISOString());
  return [
    {
      code: "authority-outlived",
      message: `the certificate would be valid from ${dates.notBefore.toISOString()} to ${dates.notAfter.toISOString()}, its CA from ${from} to ${to}: choose a time within, or create a new CA`,
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
