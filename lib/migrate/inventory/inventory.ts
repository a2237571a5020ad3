import type { X509Certificate } from "node:crypto";
import { InputError, type Problem } from "../../errors";
import { readHostname } from "../../hostnames";
import { type CertificateFacts, describeCertificate, findLeaves } from "../../x509";
import { readContainer } from "./containers";
import { defaultFileLimits, type FileLimits, readFiles } from "./files";
import type { Inventory, InventoryCertificate, InventoryError } from "./model";

export interface InventoryOptions {
  /** Against which validity is held. */
  readonly now: Date;
  /** Passwords for PKCS#12, tried in turn after none and the empty one. @default - only these two */
  readonly passwords?: readonly string[];
  readonly limits?: Partial<FileLimits>;
  /** Told of every file that was read. */
  readonly onFile?: (source: string) => void;
}

const minimumRsaBits = 2048;

/**
 * Reads certificates from files and folders. One that can't be read is an item in `errors` and never the end of the run; private keys
 * are not looked at.
 */
export function takeInventory(paths: readonly string[], options: InventoryOptions): Inventory {
  const certificates: InventoryCertificate[] = [];
  const errors: InventoryError[] = [];
  const limits = { ...defaultFileLimits, ...options.limits };
  const passwords = ["", ...(options.passwords ?? [])];
  for (const { source, bytes } of readFiles(paths, limits, (error) => errors.push(error))) {
    options.onFile?.(source);
    try {
      const content = readContainer(bytes, passwords);
      for (const { message } of content.problems) errors.push({ source, message });
      const leaves = describeLeaves(content.certificates, source, options.now);
      if (leaves.length > 0) certificates.push(...leaves);
      else if (content.problems.length === 0) {
        const held = content.certificates.length === 0 ? "no certificate" : "only certificates of authorities";
        errors.push({ source, message: `there is no leaf certificate in it, it holds ${held}` });
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors.push({ source, message: error.message });
    }
  }
  return { certificates, errors };
}

function describeLeaves(x509s: readonly X509Certificate[], source: string, now: Date): readonly InventoryCertificate[] {
  const described = x509s.map((x509, index) => ({ x509, index, facts: describeCertificate(x509) }));
  return findLeaves(described).map(({ facts, index }) => ({
    source,
    index,
    domains: facts.dnsNames,
    commonName: facts.commonName ?? null,
    issuer: facts.issuer,
    serialNumber: facts.serialNumber,
    notBefore: facts.notBefore.toISOString(),
    notAfter: facts.notAfter.toISOString(),
    keyType: facts.keyType,
    selfSigned: facts.selfSigned,
    problems: problemsOf(facts, now),
    wildcards: facts.dnsNames.filter((name) => name.startsWith("*.")),
    ipAddresses: facts.ipAddresses,
    mustStaple: facts.mustStaple,
    validation: facts.validation ?? null,
    fingerprintSha256: facts.fingerprintSha256,
  }));
}

function problemsOf(facts: CertificateFacts, now: Date): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (code: string, message: string) => problems.push({ code, message });
  for (const name of facts.dnsNames) {
    const read = readHostname(name);
    if ("problem" in read) problems.push(read.problem);
  }
  for (const address of facts.ipAddresses) {
    add("ip-address", `${address} is an IP address: no managed certificate has one; clients must use a name`);
  }
  if (facts.dnsNames.length === 0) {
    add("no-domains", "it names no host: there is nothing to migrate");
  }
  const { commonName } = facts;
  if (commonName !== undefined && facts.hasSanExtension) {
    const read = readHostname(commonName);
    if ("hostname" in read && !facts.dnsNames.includes(read.hostname)) {
      add(
        "common-name-apart",
        `its common name ${read.hostname} is not among its names: clients have not accepted it for years`,
      );
    }
  }
  if (facts.notAfter <= now) add("expired", `it expired at ${facts.notAfter.toISOString()}`);
  if (facts.notBefore > now) add("not-yet-valid", `it is not valid before ${facts.notBefore.toISOString()}`);
  if (facts.mustStaple) {
    add(
      "must-staple",
      "clients want a stapled OCSP answer for it; the load balancer gives none, and none is needed any more",
    );
  }
  if (facts.selfSigned)
    add("self-signed", "it signed itself: its clients trust it alone and have to trust Google's authority instead");
  if (facts.validation === "OV" || facts.validation === "EV" || facts.validation === "IV") {
    add("validation-lost", `it shows ${facts.validation} validation; a managed certificate shows DV`);
  }
  const bits = /^rsa-(\d+)$/.exec(facts.keyType)?.[1];
  if (bits !== undefined && Number(bits) < minimumRsaBits)
    add("weak-key", `its key is ${facts.keyType}, too weak to be uploaded`);
  return problems;
}
