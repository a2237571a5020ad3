import type { X509Certificate } from "node:crypto";
import { InputError } from "../errors";
import type { Finding } from "../findings/finding";
import { describeCertificate, findLeaves } from "../x509";
import { readContainer } from "./containers";
import { describeFound, mergeFound } from "./describe";
import { defaultFileLimits, type FileLimits, type FileProblem, readFiles } from "./files";
import type { Inventory, InventoryCertificate } from "./model";

export interface InventoryOptions {
  /** Time with which the validity of certificates is compared. */
  readonly now: Date;
  /** Passwords for PKCS#12, tried in turn after no password and the empty password. @default - only these two */
  readonly passwords?: readonly string[];
  readonly limits?: Partial<FileLimits>;
  /** Called with the path of every file that was read. */
  readonly onFile?: (source: string) => void;
}

/**
 * Reads certificates from files and folders. An unreadable file or certificate becomes an item in `errors` and never
 * ends the run. Private keys are not read.
 */
export function takeInventory(paths: readonly string[], options: InventoryOptions): Inventory {
  const certificates: InventoryCertificate[] = [];
  const errors: Finding[] = [];
  const report = (problem: FileProblem) => errors.push({ severity: "error", remedy: "", ...problem });
  const limits = { ...defaultFileLimits, ...options.limits };
  const passwords = ["", ...(options.passwords ?? [])];
  for (const { source, bytes } of readFiles(paths, limits, report)) {
    options.onFile?.(source);
    try {
      const content = readContainer(bytes, passwords);
      for (const { code, message } of content.problems) report({ subject: source, code, message });
      const leaves = describeLeaves(content.certificates, source, options.now);
      if (leaves.length > 0) certificates.push(...leaves);
      else if (content.problems.length === 0) {
        const held = content.certificates.length === 0 ? "no certificate" : "only CA certificates";
        report({
          subject: source,
          code: "certificate-file-without-leaf",
          message: `the file has no leaf certificate; it contains ${held}`,
        });
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      report({ subject: source, code: error.code, message: error.message });
    }
  }
  return { certificates: mergeFound(certificates), errors, hosts: [], names: [], findings: [] };
}

function describeLeaves(x509s: readonly X509Certificate[], path: string, now: Date): readonly InventoryCertificate[] {
  const described = x509s.map((x509, index) => ({ x509, index, facts: describeCertificate(x509) }));
  return findLeaves(described).map(({ facts, index }) => describeFound(facts, { kind: "file", path, index }, now));
}
