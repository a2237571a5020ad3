import type { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { groupBy } from "../../json/group-by";
import { handshakeUnfinished } from "../../tls/probe";
import {
  type DescribedCertificate,
  describeCertificate,
  isCertificateBlock,
  readCertificate,
  readPemBlocks,
} from "../../x509";
import type { InventoryFinding } from "../findings";

/** A problem of a chain as it was sent. The server's own certificate is checked elsewhere. */
type ChainProblem = Pick<InventoryFinding, "code" | "message">;

/** Finds the root that issued a certificate, by name and signature. */
export type FindRoot = (certificate: X509Certificate) => X509Certificate | undefined;

/**
 * Creates a search in Node's own roots and in further roots.
 *
 * @param further PEM, any number of certificates in each
 */
export function createFindRoot(further: readonly string[] = []): FindRoot {
  let bySubject: ReadonlyMap<string, readonly X509Certificate[]> | undefined;
  return (certificate) => {
    // Parsing all roots takes time that only a run with a doubtful chain needs.
    bySubject ??= groupBy([...rootCertificates, ...further].flatMap(readRoots), ({ subject }) => subject);
    return bySubject.get(certificate.issuer)?.find((root) => hasIssued(root, certificate));
  };
}

function readRoots(pem: string): readonly X509Certificate[] {
  return readPemBlocks(pem)
    .blocks.filter(isCertificateBlock)
    .flatMap(({ der }) => readCertificate(der) ?? []);
}

interface ChainCircumstances {
  readonly distrust?: string | undefined;
  readonly findRoot: FindRoot;
  readonly now: Date;
}

/** @param sent in the order in which they were sent, the server's certificate first */
export function judgeChain(
  sent: readonly DescribedCertificate[],
  circumstances: ChainCircumstances,
): { readonly trusted: boolean; readonly problems: readonly ChainProblem[] } {
  const path = followIssuers(sent);
  const { trusted, problems } = judgeTrust(path, circumstances);
  return { trusted, problems: [...judgeSent(sent, path), ...problems] };
}

function judgeSent(
  sent: readonly DescribedCertificate[],
  path: readonly DescribedCertificate[],
): readonly ChainProblem[] {
  const problems: ChainProblem[] = [];
  const positions = path.map((certificate) => sent.indexOf(certificate) + 1);
  if (positions.some((position, index) => position < (positions[index - 1] ?? 0))) {
    const message = `the certificates it sends belong in the order ${positions.join(", ")}`;
    problems.push({ code: "chain-wrong-order", message });
  }
  for (const certificate of sent) {
    if (path.includes(certificate) || isRelated(certificate, path)) continue;
    const message = `it also sends ${certificate.facts.subject}, which has issued nothing of the chain`;
    problems.push({ code: "chain-has-strangers", message });
  }
  const last = path.at(-1)?.facts;
  if (path.length > 1 && last?.selfSigned === true) {
    problems.push({ code: "chain-has-root", message: `it sends the root ${last.subject} too` });
  }
  return problems;
}

function judgeTrust(
  path: readonly DescribedCertificate[],
  { distrust, findRoot, now }: ChainCircumstances,
): { readonly trusted: boolean; readonly problems: readonly ChainProblem[] } {
  if (distrust === undefined) return { trusted: true, problems: [] };
  const problems: ChainProblem[] = [];
  const [leaf, last] = [path[0], path.at(-1)] as [DescribedCertificate, DescribedCertificate];
  const anchored = path.findIndex(({ x509 }) => findRoot(x509) !== undefined);
  const rootIsKnown = anchored !== -1;
  // Clients ignore certificates beyond a certificate of a known root, for example an expired cross-signed root.
  const needed = rootIsKnown ? path.slice(0, anchored + 1) : path;
  const expired = needed.slice(1).filter((certificate) => !isValidAt(certificate, now));
  for (const { facts } of expired) {
    const [from, to] = [facts.notBefore, facts.notAfter].map((date) => date.toISOString().slice(0, 10));
    problems.push({ code: "chain-expired", message: `${facts.subject} is valid from ${from} to ${to}` });
  }
  const { subject, issuer, selfSigned } = last.facts;
  if (!rootIsKnown && !selfSigned) {
    const message = `its chain ends at ${subject}, and its issuer ${issuer} is neither sent nor known here`;
    problems.push({ code: "chain-incomplete", message });
  } else if (!rootIsKnown && path.length > 1) {
    problems.push({ code: "chain-root-unknown", message: `its chain ends at ${subject}, which is not known here` });
  }
  const isSound = rootIsKnown && expired.length === 0 && isValidAt(leaf, now);
  // If the handshake broke off, OpenSSL gave no result; the checks of this function decide instead.
  if (isSound && distrust === handshakeUnfinished) return { trusted: true, problems };
  if (isSound) problems.push({ code: "chain-untrusted", message: `OpenSSL does not trust its chain: ${distrust}` });
  return { trusted: false, problems };
}

function followIssuers(sent: readonly DescribedCertificate[]): readonly DescribedCertificate[] {
  const path = [sent[0] as DescribedCertificate];
  for (;;) {
    const last = path.at(-1) as DescribedCertificate;
    if (last.facts.selfSigned) return path;
    const issuer = sent.find((candidate) => !path.includes(candidate) && hasIssued(candidate.x509, last.x509));
    if (issuer === undefined) return path;
    path.push(issuer);
  }
}

function isRelated({ x509, facts }: DescribedCertificate, path: readonly DescribedCertificate[]): boolean {
  return path.some(
    (describedCertificate) =>
      describedCertificate.facts.subject === facts.subject || hasIssued(x509, describedCertificate.x509),
  );
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  if (issuer.subject !== certificate.issuer) return false;
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function isValidAt({ facts }: DescribedCertificate, now: Date): boolean {
  return facts.notBefore <= now && now <= facts.notAfter;
}

/** Creates a reader of chains that parses each certificate once. Unreadable certificates are left out. */
export function createReadChain(): (chain: readonly Uint8Array[]) => readonly DescribedCertificate[] {
  const known = new Map<string, DescribedCertificate | undefined>();
  return (chain) =>
    chain.flatMap((der) => {
      const key = Buffer.from(der).toString("latin1");
      if (!known.has(key)) {
        const x509 = readCertificate(der);
        known.set(key, x509 === undefined ? undefined : { x509, facts: describeCertificate(x509) });
      }
      return known.get(key) ?? [];
    });
}
