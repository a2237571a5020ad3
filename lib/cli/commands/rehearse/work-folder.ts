import { InputError } from "../../../errors";
import { fileReason } from "../../../files/file-reason";
import { quote } from "../../../text/quote";
import type { Io } from "../../command";
import { safe } from "../../text";

/** Where a rehearsal works: a folder that goes when it ends, however it ends. */
export interface WorkFolder extends Disposable {
  readonly path: string;
  /** Aborted where the process is about to end at once, before the folder goes: whoever works in it is to be ended then and there. */
  readonly endSignal: AbortSignal;
}

export interface WorkFolderOptions {
  /** Whether it stays when it ends. */
  readonly isKept: boolean;
  /** Folders that the user has named, which stay as well. */
  readonly named: readonly string[];
}

/** @throws InputError `temporary-folder-unwritable` where the system's folder for temporary files takes none */
export function openWorkFolder(io: Io, { isKept, named }: WorkFolderOptions): WorkFolder {
  const { mkdtempSync, rmSync } = require("node:fs") as typeof import("node:fs");
  const { tmpdir } = require("node:os") as typeof import("node:os");
  const { join } = require("node:path") as typeof import("node:path");
  const path = makeIn(io.env.TMPDIR || tmpdir(), (place) => mkdtempSync(join(place, "cert-migration-rehearsal-")));
  const ending = new AbortController();
  // What was killed may be writing its last line.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const endAtOnce = () => {
    ending.abort();
    if (!isKept) remove();
    const left = isKept ? [path, ...named] : named;
    const told = left.length === 0 ? "nothing is left" : `without an end: ${left.map(safe).join(", ")}`;
    io.stderr.write(`ended at once; Terraform was killed if it ran; ${told}\n`);
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
    throw new InputError("temporary-folder-unwritable", `${what}; make room there, or set TMPDIR to another folder`);
  }
}
