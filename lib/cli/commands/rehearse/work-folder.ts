import { InputError } from "../../../errors";
import { fileReason } from "../../../files/file-reason";
import { quote } from "../../../text/quote";
import type { Io } from "../../command";
import { safe } from "../../text";

/** Working folder of a rehearsal; it is removed at the end, after any outcome. */
export interface WorkFolder extends Disposable {
  readonly path: string;
  /**
   * Aborted right before the process ends immediately and the folder is removed; programs that work in the folder must
   * then be killed.
   */
  readonly endSignal: AbortSignal;
}

export interface WorkFolderOptions {
  /** Whether the folder stays at the end. */
  readonly isKept: boolean;
  /** Folders that the user has named; they also stay. */
  readonly named: readonly string[];
}

/**
 * Creates the working folder.
 *
 * @throws InputError `temporary-folder-unwritable` if the system's temporary folder cannot be written
 */
export function openWorkFolder(io: Io, { isKept, named }: WorkFolderOptions): WorkFolder {
  const { mkdtempSync, rmSync } = require("node:fs") as typeof import("node:fs");
  const { tmpdir } = require("node:os") as typeof import("node:os");
  const { join } = require("node:path") as typeof import("node:path");
  const path = makeIn(io.env.TMPDIR || tmpdir(), (place) => mkdtempSync(join(place, "cert-migration-rehearsal-")));
  const ending = new AbortController();
  // A killed process may still be writing its last line, hence the retries.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const endAtOnce = () => {
    ending.abort();
    if (!isKept) remove();
    const left = isKept ? [path, ...named] : named;
    const unfinished = left.length === 0 ? "nothing is left" : `without an end: ${left.map(safe).join(", ")}`;
    io.stderr.write(`ended at once; Terraform was killed if it ran; ${unfinished}\n`);
  };
  io.endSignal?.addEventListener("abort", endAtOnce, { once: true });
  return {
    path,
    endSignal: ending.signal,
    [Symbol.dispose]: () => {
      io.endSignal?.removeEventListener("abort", endAtOnce);
      if (!isKept) remove();
    },
  };
}

function makeIn(place: string, make: (place: string) => string): string {
  try {
    return make(place);
  } catch (error) {
    const what = `nothing can be made in ${quote(place)}, the folder for temporary files: ${fileReason(error)}`;
    throw new InputError(
      "temporary-folder-unwritable",
      `${what}; free disk space there, or set TMPDIR to another folder`,
    );
  }
}
