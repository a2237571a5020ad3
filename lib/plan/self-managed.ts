import { covers, type Hostname, isWildcard, readHostname } from "../hostnames";
import { pointerTo } from "../json/pointer";
import { keyMatches, readCertificateChain } from "../x509";
import { digestOf } from "./names";
import type { Planning } from "./planning";
import { isReference } from "./shape/reference";
import type { SelfManagedSpec, TrafficSpec } from "./spec";
import { checkLifetime } from "./uploaded-lifetime";

/** A certificate ends soon 30 days before its end, or after two thirds of a lifetime below 90 days. */
const soonMilliseconds = 30 * 24 * 60 * 60 * 1000;
const soonShare = 1 / 3;

/** The material from which a self-managed certificate is created. */
export interface SelfManagedMaterial {
  /** Normalized, so that different line ends never replace a certificate; a reference is unchanged. */
  readonly certificatePem: string;
  /** Names in the certificate; empty if it is a reference. */
  readonly domains: readonly Hostname[];
  /** Values that the name of the certificate follows, so that their change creates a certificate beside the former. */
  readonly identity: readonly unknown[];
  /** Present if the PEM has no leaf that can be read; a finding reports it. */
  readonly isUnreadable?: true;
}

/** Normalizes PEM to Unix line ends with one at the end. PEM is passed on and hashed in this form. */
export function normalizePem(pem: string): string {
  return isReference(pem) ? pem : `${pem.replace(/\r\n?/g, "\n").trim()}\n`;
}

/** Returns the DNS names of an uploaded certificate; none for a PEM that can't be read, as a reference. */
export function uploadedNames(certificatePem: string): readonly string[] {
  return isReference(certificatePem) ? [] : (readCertificateChain(certificatePem).leaf?.dnsNames ?? []);
}

/** Reads and checks an uploaded certificate with its key. */
export function readSelfManaged(
  planning: Planning,
  spec: SelfManagedSpec,
  listed: readonly Hostname[],
  owner: string,
  at: string,
): SelfManagedMaterial {
  const certificatePem = normalizePem(spec.certificatePem);
  checkKeySource(planning, spec, owner, at);
  const key =
    spec.privateKeyPem === undefined || isReference(spec.privateKeyPem)
      ? planning.identityOf(spec.privateKeyPem)
      : digestOf(normalizePem(spec.privateKeyPem));
  if (isReference(certificatePem)) {
    return { certificatePem, domains: [], identity: [planning.identityOf(certificatePem), key] };
  }
  const domains = readLeaf(planning, spec, certificatePem, listed, owner, at);
  return {
    certificatePem,
    domains: domains ?? [],
    identity: [digestOf(certificatePem), key],
    ...(domains === undefined ? { isUnreadable: true } : {}),
  };
}

function checkKeySource(planning: Planning, spec: SelfManagedSpec, owner: string, at: string): void {
  const { findings, provider } = planning;
  const { privateKeyPem, privateKeyVariable, privateKeyStorage } = spec;
  if (privateKeyStorage === "writeOnly" && !provider.hasWriteOnlyKeys) {
    const what = `the private key of ${owner} is write-only, and the stack's google provider is older than 7.45`;
    findings.report("private-key-write-only-unsupported", pointerTo(at, "privateKeyStorage"), what);
  }
  if ((privateKeyPem === undefined) === (privateKeyVariable === undefined)) {
    const what = privateKeyPem === undefined ? "no private key" : "'privateKeyPem' and 'privateKeyVariable'";
    findings.report("private-key-missing", at, `${owner} has ${what}`);
  }
  if (privateKeyVariable !== undefined && !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(privateKeyVariable)) {
    const what = `'${privateKeyVariable}' is not a valid variable name`;
    findings.report("private-key-variable-invalid", pointerTo(at, "privateKeyVariable"), what);
  }
  if (privateKeyPem !== undefined && !isReference(privateKeyPem)) {
    findings.report("private-key-in-stack", pointerTo(at, "privateKeyPem"), `the private key of ${owner} is a literal`);
  }
}

/** Returns the names in the leaf certificate; undefined if no leaf can be read. */
function readLeaf(
  planning: Planning,
  spec: SelfManagedSpec,
  certificatePem: string,
  listed: readonly Hostname[],
  owner: string,
  at: string,
): readonly Hostname[] | undefined {
  const { findings } = planning;
  const pemAt = pointerTo(at, "certificatePem");
  const { leaf, certificates, problems } = readCertificateChain(certificatePem);
  if (leaf === undefined) {
    findings.report("certificate-pem-unusable", pemAt, `${owner} can't be read`);
    return undefined;
  }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(certificatePem)) {
    findings.report("private-key-in-certificate", pemAt, `a private key is in the PEM of ${owner}`);
  }
  if (problems.length > 0) findings.report("certificate-pem-unusable", pemAt, `a part of ${owner} can't be read`);
  // The service takes the first certificate as the leaf, and refuses a key that does not match it.
  if (certificates[0] !== leaf) {
    const what = `the PEM of ${owner} begins with another certificate than its leaf`;
    findings.report("certificate-pem-unusable", pemAt, what);
  }
  const keyPem = spec.privateKeyPem;
  if (keyPem !== undefined && !isReference(keyPem)) {
    const match = keyMatches(leaf.pem, keyPem);
    if (match === "differs") {
      findings.report("private-key-mismatch", at, `the private key of ${owner} belongs to another certificate`);
    } else if (match !== "matches") {
      findings.report("private-key-unusable", at, `the private key of ${owner} is ${match}`);
    }
  }
  const names = leaf.dnsNames.flatMap((name) => {
    const read = readHostname(name);
    return "hostname" in read ? [read.hostname] : [];
  });
  checkExpiry(planning, leaf, listed.length > 0 ? listed : names, owner, pemAt);
  checkLifetime(planning, { ...leaf, pem: certificatePem }, owner, pemAt);
  for (const domain of listed) {
    if (!names.some((name) => covers(name, domain))) {
      findings.report("certificate-not-covering", at, `'${domain}' is not in the ${owner}`);
    }
  }
  return names.sort();
}

/**
 * Reports a certificate that has expired, or expires soon. While traffic is rolled back, no client of its hostnames
 * gets the certificate, so that its expiry must not stop the rollback.
 */
function checkExpiry(
  { findings, uploads: { now }, spec: { traffic } }: Planning,
  { notBefore, notAfter }: { readonly notBefore: Date; readonly notAfter: Date },
  hostnames: readonly Hostname[],
  owner: string,
  at: string,
): void {
  if (now === undefined) return;
  const left = notAfter.getTime() - now.getTime();
  const until = notAfter.toISOString();
  if (left > 0) {
    const soon = Math.min(soonMilliseconds, (notAfter.getTime() - notBefore.getTime()) * soonShare);
    if (left < soon) findings.report("certificate-expires-soon", at, `${owner} expires at ${until}`);
  } else if (traffic?.to === "previous" && isManaged(hostnames, traffic)) {
    const where = "its hostnames' traffic goes to the previous provider";
    findings.report("certificate-expired-without-traffic", at, `${owner} expired at ${until}, and ${where}`);
  } else {
    findings.report("certificate-expired", at, `${owner} expired at ${until}`);
  }
}

/** Returns whether the migration manages the traffic of all hostnames; a wildcard has no records of its own. */
function isManaged(hostnames: readonly Hostname[], { hostnames: managed = "all" }: TrafficSpec): boolean {
  if (managed === "all") return true;
  const known = new Set(managed.flatMap((name) => Object.values(readHostname(name))));
  return hostnames.every((hostname) => isWildcard(hostname) || known.has(hostname));
}
