/** Reads the certificates of a rehearsal, and checks that each chains to a root. */
import type { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { certificatesIn, fingerprintOf, isCertificateBlock, readCertificate, readPemBlocks } from "../../x509";
import { bundleName, lineNames, oldBundleName, oldCertificatesName, uploadedName } from "../folder";
import { linesOf, textOf } from "./evidence-lines";

interface KeptCertificate {
  readonly name: string;
  /** Leaf and chain, in PEM. */
  readonly pemCertificate: string;
}

export type Certificates = Awaited<ReturnType<typeof readCertificates>>;

/** Reads the certificates from the evidence: those that were issued or uploaded, and those of the previous provider. */
export async function readCertificates(folder: string) {
  const inFile = (name: string) => certificatesIn(textOf(join(folder, name)));
  const roots = [bundleName, oldBundleName, uploadedName].flatMap(inFile);
  const old = inFile(oldCertificatesName);
  const known = new Map(old.map((one) => [fingerprintOf(one), one]));
  // The first certificate of the previous provider belongs to load balancers that exist before the migration. Probes
  // see it on both sides.
  const sides = new Map<string, "old" | "new">(old.slice(1).map((one) => [fingerprintOf(one), "old"]));
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
      sides.set(fingerprintOf(leaf), "new");
    }
    if (leaf === undefined || !leadsToRoot(leaf, chain, roots)) broken.push(name);
  }
  broken.push(...old.filter((leaf) => !leadsToRoot(leaf, old, roots)).map(({ subject }) => subject));
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
    const isIssuer = (one: X509Certificate) => at.checkIssued(one) && at.verify(one.publicKey);
    if (roots.some(isIssuer)) return true;
    const next = chain.find((one) => one.fingerprint256 !== at.fingerprint256 && isIssuer(one));
    if (next === undefined) return false;
    current = next;
  }
  return false;
}
