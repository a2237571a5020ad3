import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../findings/finding";

/** Limits of one run, so that a wrong path cannot make it run forever. */
export interface FileLimits {
  /** @default 8 MiB */
  readonly maxFileBytes: number;
  /** @default 100,000 */
  readonly maxFiles: number;
  /** @default 64 */
  readonly maxDepth: number;
}

export const defaultFileLimits: FileLimits = { maxFileBytes: 8 * 1024 * 1024, maxFiles: 100_000, maxDepth: 64 };

/** A problem of the file at the path `subject`. */
export type FileProblem = Pick<Finding, "code" | "subject" | "message">;

export interface FoundFile {
  readonly source: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the files at some paths in the order of their names; folders include everything below them. Files that cannot
 * be read are reported and left out. Pipes, sockets and devices are never opened. Each folder is visited once, even if
 * several links lead to it.
 */
export function* readFiles(
  paths: readonly string[],
  limits: FileLimits,
  report: (error: FileProblem) => void,
): Generator<FoundFile> {
  const visited = new Set<string>();
  let count = 0;

  function* visit(path: string, depth: number, named: boolean): Generator<FoundFile> {
    if (count > limits.maxFiles) return;
    const stats = attempt(path, () => statSync(path));
    if (stats === undefined) return;
    if (stats.isDirectory()) {
      yield* visitFolder(path, depth);
    } else if (!stats.isFile()) {
      if (named) report({ subject: path, code: "file-not-regular", message: "it is neither a file nor a folder" });
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
      if (bytes !== undefined) yield { source: path, bytes };
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

  function attempt<Result>(path: string, act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      report({ subject: path, ...explain(path, error as NodeJS.ErrnoException) });
      return undefined;
    }
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
