import type { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { isCertificateBlock, readCertificate, readPemBlocks } from "../../../x509";
import type { InventoryFindingCode } from "../findings";

/** What is wrong with a chain as it was sent; the server's own certificate is judged elsewhere. */
export interface ChainProblem {
  readonly code: InventoryFindingCode;
  readonly message: string;
}

/** Finds the root that has issued a certificate, by name and signature. */
export type FindRoot = (certificate: X509Certificate) => X509Certificate | undefined;

/**
 * Looks among Node's own roots and further ones.
 *
 * @param further PEM, any number of certificates in each
 */
export function createFindRoot(further: readonly string[] = []): FindRoot {
  let bySubject: Map<string, X509Certificate[]> | undefined;
  return (certificate) => {
    // Reading them all takes a moment that a run without a doubtful chain does not need.
    bySubject ??= groupBySubject([...rootCertificates, ...further]);
    return bySubject.get(certificate.issuer)?.find((root) => hasIssued(root, certificate));
  };
}

function groupBySubject(pems: readonly string[]): Map<string, X509Certificate[]> {
  const bySubject = new Map<string, X509Certificate[]>();
  for (const root of pems.flatMap(readRoots)) {
    const known = bySubject.get(root.subject);
    if (known === undefined) bySubject.set(root.subject, [root]);
    else known.push(root);
  }
  return bySubject;
}

function readRoots(pem: string): readonly X509Certificate[] {
  return readPemBlocks(pem)
    .blocks.filter(isCertificateBlock)
    .flatMap(({ der }) => readCertificate(der) ?? []);
}

/**
 * Judges a chain by how its certificates fit together.
 *
 * @param sent in the order in which they were sent, the server's certificate first
 * @param distrust OpenSSL's reason where it did not trust the chain
 */
export function judgeChain(
  sent: readonly X509Certificate[],
  {
    distrust,
    findRoot,
    now,
  }: { readonly distrust?: string | undefined; readonly findRoot: FindRoot; readonly now: Date },
): { readonly trusted: boolean; readonly problems: readonly ChainProblem[] } {
  const problems: ChainProblem[] = [];
  const add = (code: InventoryFindingCode, message: string) => problems.push({ code, message });
  const path = followIssuers(sent);
  const last = path.at(-1) as X509Certificate;
  const positions = path.map((certificate) => sent.indexOf(certificate));
  if (positions.some((position, index) => index > 0 && position < (positions[index - 1] as number))) {
    const order = positions.map((position) => position + 1).join(", ");
    add("chain-wrong-order", `the certificates it sends belong in the order ${order}`);
  }
  const strangers = sent.filter((certificate) => !path.includes(certificate) && !isRelated(certificate, path));
  for (const stranger of strangers) {
    add("chain-has-strangers", `it also sends ${oneLine(stranger.subject)}, which has issued nothing of the chain`);
  }
  const endsInRoot = hasIssued(last, last);
  if (endsInRoot && path.length > 1) add("chain-has-root", `it sends the root ${oneLine(last.subject)} too`);
  if (distrust === undefined) return { trusted: true, problems };

  const root = endsInRoot ? (findRoot(last) === undefined ? undefined : last) : findRoot(last);
  const expired = path.slice(1).filter((certificate) => !isValidAt(certificate, now));
  for (const authority of expired) {
    add(
      "chain-expired",
      `${oneLine(authority.subject)} is valid from ${day(authority.validFrom)} to ${day(authority.validTo)}`,
    );
  }
  if (root === undefined && endsInRoot && path.length > 1) {
    add("chain-root-unknown", `its chain ends at ${oneLine(last.subject)}, which is not known here`);
  } else if (root === undefined && !endsInRoot) {
    add(
      "chain-incomplete",
      `its chain ends at ${oneLine(last.subject)}, and ${oneLine(last.issuer)}, who issued that, is neither sent nor known here`,
    );
  }
  const leafExplains = (endsInRoot && path.length === 1) || !isValidAt(sent[0] as X509Certificate, now);
  const sound = root !== undefined && expired.length === 0 && !leafExplains;
  // Where the handshake broke off OpenSSL's word is missing, and what was looked at here has to do.
  if (sound && distrust === unfinished) return { trusted: true, problems };
  if (sound) add("chain-untrusted", `OpenSSL does not trust its chain: ${distrust}`);
  return { trusted: false, problems };
}

/** In place of OpenSSL's reason where the handshake ended before it had one. */
export const unfinished = "HANDSHAKE_UNFINISHED";

/** The server's certificate, its issuer and so on, as far as they were sent. */
function followIssuers(sent: readonly X509Certificate[]): readonly X509Certificate[] {
  const path = [sent[0] as X509Certificate];
  for (;;) {
    const last = path.at(-1) as X509Certificate;
    if (hasIssued(last, last)) return path;
    const issuer = sent.find((candidate) => !path.includes(candidate) && hasIssued(candidate, last));
    if (issuer === undefined) return path;
    path.push(issuer);
  }
}

/** Whether it stands for one of the path in another way (cross-signed), or has issued one of it. */
function isRelated(certificate: X509Certificate, path: readonly X509Certificate[]): boolean {
  return path.some((other) => other.subject === certificate.subject || hasIssued(certificate, other));
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  if (issuer.subject !== certificate.issuer) return false;
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function isValidAt({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now <= new Date(validTo);
}

function oneLine(name: string): string {
  return name.split("\n").join(", ");
}

function day(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}

/** The certificates that can be read, each once however often it is read. */
export function createReadChain(): (chain: readonly Uint8Array[]) => readonly X509Certificate[] {
  const known = new Map<string, X509Certificate | undefined>();
  return (chain) =>
    chain.flatMap((der) => {
      const key = Buffer.from(der).toString("latin1");
      if (!known.has(key)) known.set(key, readCertificate(der));
      const certificate = known.get(key);
      return certificate === undefined ? [] : [certificate];
    });
}
