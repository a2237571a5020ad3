import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import type { Finding } from "../findings/finding";
import { type DescribedCertificate, describeCertificate, findLeaves } from "../x509";
import { type ReadFile, withProblemsBeside } from "./beside";
import { readContainer } from "./containers";
import { describeFound, mergeFound } from "./describe";
import type { Inventory, InventoryCertificate } from "./model";

/** Options of {@link takeInventory}. */
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
 * ends the run. Of private keys, only
 * the public part is compared with the certificates beside them; no key is kept.
 */
export function takeInventory(paths: readonly string[], options: InventoryOptions): Inventory {
  const certificates: InventoryCertificate[] = [];
  const files: ReadFile[] = [];
  const errors: Finding[] = [];
  const skipped: Finding[] = [];
  const report = ({ isSkipped = false, ...problem }: FileProblem) => {
    if (isSkipped) skipped.push({ severity: "info", remedy: "", ...problem });
    else errors.push({ severity: "error", remedy: "", ...problem });
  };
  const limits = { ...defaultFileLimits, ...options.limits };
  const passwords = ["", ...(options.passwords ?? [])];
  for (const { source, bytes, isNamed } of readFiles(paths, limits, report)) {
    options.onFile?.(source);
    try {
      const content = readContainer(bytes, passwords);
      for (const { code, message } of content.problems) report({ subject: source, code, message });
      const described = content.certificates.map((x509, index) => ({ x509, index, facts: describeCertificate(x509) }));
      files.push({ source, certificates: described, publicKeys: content.publicKeys ?? [] });
      const leaves = describeLeaves(described, source, options.now);
      if (leaves.length > 0) certificates.push(...leaves);
      else if (content.problems.length === 0) {
        const held = content.certificates.length === 0 ? "no certificate" : "only CA certificates";
        report({
          subject: source,
          code: "certificate-file-without-leaf",
          message: `the file has no leaf certificate; it contains ${held}`,
          isSkipped: !isNamed,
        });
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const isSkipped = !isNamed && error.code === "certificate-file-unknown" && !looksDamaged(source, bytes);
      const message = isSkipped ? "it is not a certificate file" : error.message;
      report({ subject: source, code: error.code, message, isSkipped });
    }
  }
  return {
    certificates: withProblemsBeside(mergeFound(certificates), files),
    errors,
    ...(skipped.length === 0 ? {} : { skipped }),
    hosts: [],
    names: [],
    findings: [],
  };
}

/** Returns whether a file of unknown content has the name of a certificate, so that it may be a damaged certificate. */
function looksDamaged(path: string, bytes: Uint8Array): boolean {
  return bytes.length > 0 && /\.(?:pem|crt|cer|der|p7[bc]|p12|pfx)$/i.test(path);
}

function describeLeaves(
  described: readonly (DescribedCertificate & { readonly index: number })[],
  path: string,
  now: Date,
): readonly InventoryCertificate[] {
  return findLeaves(described).map(({ facts, index }) => describeFound(facts, { kind: "file", path, index }, now));
}

/** Limits of one run, so that a wrong path cannot make it run forever. */
export interface FileLimits {
  /** @default 8 MiB */
  readonly maxFileBytes: number;
  /** @default 100,000 */
  readonly maxFiles: number;
  /** @default 64 */
  readonly maxDepth: number;
}

const defaultFileLimits: FileLimits = { maxFileBytes: 8 * 1024 * 1024, maxFiles: 100_000, maxDepth: 64 };

interface FileProblem extends Pick<Finding, "code" | "subject" | "message"> {
  /** Whether the file is no certificate that the user named. @default false */
  readonly isSkipped?: boolean;
}

interface FoundFile {
  readonly source: string;
  readonly bytes: Uint8Array;
  /** Whether the user named the file itself, not a folder above it. */
  readonly isNamed: boolean;
}

/**
 * Reads files in the order of their names, and folders with everything below them. Unreadable files are reported and
 * left out. Pipes, sockets and devices are never opened, and each folder is visited once.
 */
function* readFiles(
  paths: readonly string[],
  limits: FileLimits,
  report: (error: FileProblem) => void,
): Generator<FoundFile> {
  const attempt = attemptsOf(report);
  const visited = new Set<string>();
  let count = 0;

  function* visit(path: string, depth: number, named: boolean): Generator<FoundFile> {
    if (count > limits.maxFiles) return;
    const stats = attempt(path, () => statSync(path), named);
    if (stats === undefined) return;
    if (stats.isDirectory()) {
      yield* visitFolder(path, depth);
    } else if (!stats.isFile()) {
      const message = "it is neither a file nor a folder";
      report({ subject: path, code: "file-not-regular", message, isSkipped: !named });
    } else if (stats.size > limits.maxFileBytes) {
      report({
        subject: path,
        code: "file-too-large",
        message: `it has ${stats.size} bytes and at most ${limits.maxFileBytes} are read`,
      });
    } else {
      count += 1;
      if (count > limits.maxFiles) return;
      const bytes = attempt(path, () => readFileSync(path));
      if (bytes !== undefined) yield { source: path, bytes, isNamed: named };
    }
  }

  function* visitFolder(path: string, depth: number): Generator<FoundFile> {
    const real = attempt(path, () => realpathSync(path));
    if (real === undefined || visited.has(real)) return;
    visited.add(real);
    if (depth >= limits.maxDepth) {
      report({ subject: path, code: "folder-too-deep", message: `it is more than ${limits.maxDepth} folders deep` });
      return;
    }
    const names = attempt(path, () => readdirSync(path));
    // Calling `join` for each name would take as long as reading its file.
    const prefix = join(path, "x").slice(0, -1);
    for (const name of (names ?? []).sort()) yield* visit(`${prefix}${name}`, depth + 1, false);
  }

  for (const path of paths) yield* visit(path, 0, true);
  if (count > limits.maxFiles) {
    report({
      subject: paths[0] ?? "",
      code: "files-too-many",
      message: `there are more than ${limits.maxFiles} files; name fewer folders`,
    });
  }
}

/** Returns a function that reads from a path, and reports a failure. */
function attemptsOf(report: (error: FileProblem) => void) {
  return function attempt<Result>(path: string, act: () => Result, named = true): Result | undefined {
    try {
      return act();
    } catch (error) {
      const problem = explain(path, error as NodeJS.ErrnoException);
      report({ subject: path, ...problem, isSkipped: !named && problem.code === "file-link-broken" });
      return undefined;
    }
  };
}

function explain(path: string, error: NodeJS.ErrnoException): Omit<FileProblem, "subject"> {
  switch (error.code) {
    case "ENOENT":
      return isLink(path)
        ? { code: "file-link-broken", message: "it is a link that leads nowhere" }
        : { code: "file-missing", message: "the file or folder does not exist" };
    case "ELOOP":
      return { code: "file-link-broken", message: "it is a link that leads in a circle" };
    case "EACCES":
    case "EPERM":
      return { code: "file-unreadable", message: "reading it is not permitted" };
    default:
      return { code: "file-unreadable", message: `it can't be read (${error.code ?? error.message})` };
  }
}

function isLink(path: string): boolean {
  try {
    const stats: Stats = lstatSync(path);
    return stats.isSymbolicLink();
  } catch {
    return false;
  }
}
