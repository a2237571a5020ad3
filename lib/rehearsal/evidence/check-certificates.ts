/** Reads the certificates of a rehearsal, and checks that each chains to a root. */
import type { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { certificatesIn, fingerprintOf, isCertificateBlock, readCertificate, readPemBlocks } from "../../x509";
import { bundleName, lineNames, previousBundleName, previousCertificatesName, uploadedName } from "../folder";
import type { Side } from "../probe";
import { linesOf, textOf } from "./evidence-lines";
import { presentName } from "./former-evidence";

interface KeptCertificate {
  readonly name: string;
  /** Leaf and chain, in PEM. */
  readonly pemCertificate: string;
}

export type Certificates = Awaited<ReturnType<typeof readEvidenceCertificates>>;

/** Reads the certificates from the evidence: those that were issued or uploaded, and those of the previous provider. */
export async function readEvidenceCertificates(folder: string) {
  const inFile = (name: string) => certificatesIn(textOf(join(folder, presentName(folder, name))));
  const roots = [bundleName, previousBundleName, uploadedName].flatMap(inFile);
  const previous = inFile(previousCertificatesName);
  const known = new Map(previous.map((certificate) => [fingerprintOf(certificate), certificate]));
  // The first certificate of the previous provider belongs to load balancers that exist before the migration. Probes
  // see it on both sides.
  const sides = new Map<string, Side>(previous.slice(1).map((certificate) => [fingerprintOf(certificate), "previous"]));
  const broken: string[] = [];
  const names: string[] = [];
  const lines = linesOf<KeptCertificate>(join(folder, lineNames.certificates), {
    name: "string",
    pemCertificate: "string",
  });
  for await (const { name, pemCertificate } of lines) {
    const chain = certificatesIn(pemCertificate);
    names.push(name);
    // An unreadable certificate is not part of the chain, and the certificate after it is not the leaf.
    const first = readPemBlocks(pemCertificate).blocks.find(isCertificateBlock);
    const leaf = first === undefined ? undefined : readCertificate(first.der);
    if (leaf !== undefined) {
      known.set(fingerprintOf(leaf), leaf);
      sides.set(fingerprintOf(leaf), "loadBalancer");
    }
    if (leaf === undefined || !leadsToRoot(leaf, chain, roots)) broken.push(name);
  }
  broken.push(...previous.filter((leaf) => !leadsToRoot(leaf, previous, roots)).map(({ subject }) => subject));
  const sideOf = (fingerprint: string | undefined) => (fingerprint === undefined ? undefined : sides.get(fingerprint));
  return { known, sideOf, broken, names: [...new Set(names)], count: names.length };
}

/** Returns whether each certificate of the path is signed by the next, up to a root. */
function leadsToRoot(
  leaf: X509Certificate,
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  let current = leaf;
  for (let depth = 0; depth < 8; depth++) {
    const at = current;
    const isIssuer = (issuer: X509Certificate) => at.checkIssued(issuer) && at.verify(issuer.publicKey);
    if (roots.some(isIssuer)) return true;
    const next = chain.find((issuer) => issuer.fingerprint256 !== at.fingerprint256 && isIssuer(issuer));
    if (next === undefined) return false;
    current = next;
  }
  return false;
}
