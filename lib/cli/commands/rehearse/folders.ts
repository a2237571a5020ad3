import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { checkWritable } from "../../files";
import * as load from "../../load";
import { explainTemporary } from "../../system-error";
import { safe } from "../../text";
import { folderPrefix, markOwner, removeLeftFolders } from "./left-folders";
import type { RehearseOptions } from "./options";

/** Folder that a rehearsal fills and leaves behind. */
export interface Place {
  readonly folder: string;
  /** Option that names the folder, as in `--keep`. */
  readonly option: string;
}

/**
 * Checks whether the outputs that the options name can be written.
 *
 * @returns the folders that stay, with their options
 */
export async function checkPlaces({
  keep,
  evidence,
  report,
}: Pick<RehearseOptions, "keep" | "evidence" | "report">): Promise<readonly Place[]> {
  const { checkFolder } = load.rehearsal();
  if (keep !== undefined && evidence !== undefined) {
    throw new InputError(
      "rehearsal-folder",
      "give either --keep or --evidence: one keeps the keys, the other has none",
    );
  }
  const places = Object.entries({ "--keep": keep, "--evidence": evidence }).flatMap(([option, folder]) =>
    typeof folder === "string" ? [{ option, folder }] : [],
  );
  for (const { folder, option } of places) {
    checkFolder(folder, option);
    const way = report === undefined ? ".." : relative(folder, report);
    if (way.split(/[/\\]/)[0] !== ".." && !isAbsolute(way)) {
      const message = `--report ${quote(report ?? "")} is in the folder of ${option}, which has what a rehearsal leaves and nothing else; name a file outside of it`;
      throw new InputError("rehearsal-folder", message);
    }
  }
  if (report !== undefined) await checkWritable(report, { force: true });
  return places;
}

/** Working folder of a rehearsal; it is removed at the end, after any outcome. */
export interface WorkFolder extends Disposable {
  readonly path: string;
  /**
   * Aborted right before the process ends immediately and the folder is removed; programs that work in the folder must
   * then be killed.
   */
  readonly endSignal: AbortSignal;
}

interface WorkFolderOptions {
  readonly isKept: boolean;
  /** Folders that the user has named; they also stay. */
  readonly named: readonly string[];
}

/** Creates the working folder. */
export function openWorkFolder(io: Io, { isKept, named }: WorkFolderOptions): WorkFolder {
  const path = makeIn(io.env.TMPDIR || tmpdir(), (place) => {
    const left = removeLeftFolders(place);
    if (left.length > 0) {
      const what = countOf(left.length, "temporary folder");
      io.stderr.write(`removed ${what} of rehearsals that were killed: ${left.map(safe).join(", ")}\n`);
    }
    const made = mkdtempSync(join(place, folderPrefix));
    // Files that the user wants to keep are never removed.
    if (!isKept) markOwner(made);
    return made;
  });
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
    throw explainTemporary(place, error);
  }
}
