import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import { basename, dirname } from "node:path";
import { groupBy } from "../json/group-by";
import { type DescribedCertificate, excludedByConstraints, findLeaves, type PemBlock } from "../x509";
import { certificateProblem } from "./describe";
import type { InventoryCertificate } from "./model";

/** The content of a file that its neighbors are compared with. */
export interface ReadFile {
  readonly source: string;
  readonly certificates: readonly DescribedCertificate[];
  /** The public parts of the private keys in the file. Private parts are not kept. */
  readonly publicKeys: readonly KeyObject[];
}

type Problems = Map<string, InventoryCertificate["problems"][number][]>;

/** Returns the public parts of unencrypted private keys in PEM. Unreadable and encrypted keys are ignored. */
export function publicPartsOf(blocks: readonly PemBlock[]): readonly KeyObject[] {
  return blocks
    .filter(({ label, encrypted }) => label.endsWith("PRIVATE KEY") && !encrypted)
    .flatMap(({ label, der }) => {
      const type = label === "RSA PRIVATE KEY" ? "pkcs1" : label === "EC PRIVATE KEY" ? "sec1" : "pkcs8";
      try {
        const key = createPrivateKey({ key: Buffer.from(der), format: "der", type });
        return [createPublicKey(key)];
      } catch {
        return [];
      }
    });
}

/** Adds what is wrong with certificates together with the other certificates and keys of their folder. */
export function withProblemsBeside(
  found: readonly InventoryCertificate[],
  files: readonly ReadFile[],
): readonly InventoryCertificate[] {
  const problems: Problems = new Map();
  const complete = new Set<string>();
  for (const [, group] of groupBy(files, ({ source }) => dirname(source))) {
    for (const fingerprint of judgeIssuers(group, problems)) complete.add(fingerprint);
    if (!group.some(({ publicKeys }) => publicKeys.length > 0)) continue;
    for (const [, pair] of groupBy(group, ({ source }) => pairName(source))) judgeKeys(pair, problems);
  }
  return found.map((certificate) => {
    const known = problems.get(certificate.fingerprintSha256) ?? [];
    const isComplete = complete.has(certificate.fingerprintSha256);
    // A certificate is often in several files, for example alone and with its chain.
    const byMessage = new Map(known.map((finding) => [`${finding.code} ${finding.message}`, finding]));
    const added = [...byMessage.values()].filter(({ code }) => !(isComplete && code === "intermediate-missing"));
    return added.length === 0 ? certificate : { ...certificate, problems: [...certificate.problems, ...added] };
  });
}

function add(problems: Problems, { facts }: DescribedCertificate, found: ReturnType<typeof certificateProblem>): void {
  const known = problems.get(facts.fingerprintSha256);
  if (known === undefined) problems.set(facts.fingerprintSha256, [found]);
  else known.push(found);
}

/** Checks the issuers of each leaf of a folder. Returns the fingerprints of leaves whose issuer is in the folder. */
function judgeIssuers(files: readonly ReadFile[], problems: Problems): readonly string[] {
  const bySubject = groupBy(
    files.flatMap(({ certificates }) => certificates),
    ({ facts }) => facts.subject,
  );
  const complete: string[] = [];
  for (const { source, certificates } of files) {
    for (const leaf of findLeaves(certificates)) {
      if (leaf.facts.selfSigned) continue;
      const issuers = issuersOf(leaf, bySubject);
      if (issuers.length > 0) complete.push(leaf.facts.fingerprintSha256);
      else {
        const message = `its issuer ${leaf.facts.issuer} is neither in the file nor in its folder`;
        add(problems, leaf, certificateProblem("intermediate-missing", source, message));
      }
      for (const issuer of issuers) {
        const excluded = excludedByConstraints(issuer.x509, leaf.facts.dnsNames);
        if (excluded.length === 0) continue;
        const message = `the name constraints of ${issuer.facts.subject} do not allow ${excluded.join(", ")}`;
        add(problems, leaf, certificateProblem("name-constraints-violated", source, message));
      }
    }
  }
  return complete;
}

/** Returns all certificates above a leaf that are in the folder. */
function issuersOf(
  leaf: DescribedCertificate,
  bySubject: ReadonlyMap<string, readonly DescribedCertificate[]>,
): readonly DescribedCertificate[] {
  const path: DescribedCertificate[] = [];
  for (let last = leaf; !last.facts.selfSigned; ) {
    const { facts, x509 } = last;
    const issuer = bySubject
      .get(facts.issuer)
      ?.find(
        (describedCertificate) => !path.includes(describedCertificate) && hasIssued(describedCertificate.x509, x509),
      );
    if (issuer === undefined) break;
    path.push(issuer);
    last = issuer;
  }
  return path;
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Reports leaves without a key, if a file of the same pair has a key that belongs to no leaf of the pair. */
function judgeKeys(pair: readonly ReadFile[], problems: Problems): void {
  const keys = pair.flatMap(({ source, publicKeys }) => publicKeys.map((key) => ({ source, key })));
  if (keys.length === 0) return;
  const leaves = pair.flatMap(({ source, certificates }) => findLeaves(certificates).map((leaf) => ({ source, leaf })));
  const belongs = (key: KeyObject, { x509 }: DescribedCertificate) => isSameKey(x509.publicKey, key);
  const stray = keys.find(({ key }) => !leaves.some(({ leaf }) => belongs(key, leaf)));
  if (stray === undefined) return;
  for (const { source, leaf } of leaves) {
    if (keys.some(({ key }) => belongs(key, leaf))) continue;
    const where = stray.source === source ? "in the same file" : `in ${basename(stray.source)}`;
    const message = `the private key ${where} belongs to another certificate`;
    add(problems, leaf, certificateProblem("key-of-another-certificate", source, message));
  }
}

/**
 * Returns whether two public keys are the same. `equals` gets only keys of one kind: for others it leaves an error in
 * OpenSSL's queue, which a later signature throws.
 */
function isSameKey(left: KeyObject, right: KeyObject): boolean {
  const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
    `${asymmetricKeyType} ${asymmetricKeyDetails?.namedCurve}`;
  return kindOf(left) === kindOf(right) && left.equals(right);
}

const roleWord =
  /(^|[-_.])(?:fullchain|chain|certificate|cert|privkey|private|key|bundle|pem|crt|cer|der)(?=\d*(?:$|[-_.]))/gi;

/** Returns what the names of a certificate and of its key have in common: `privkey1.pem` and `fullchain1.pem`. */
function pairName(path: string): string {
  return basename(path).replace(roleWord, "");
}
