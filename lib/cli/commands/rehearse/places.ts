import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import type { Invocation } from "../../command";
import { checkWritable } from "../../files";

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
 * @throws InputError `rehearsal-folder`, `file-unwritable`
 */
export async function checkPlaces(options: Invocation["options"]): Promise<readonly Place[]> {
  const { isAbsolute, relative } = require("node:path") as typeof import("node:path");
  const { checkFolder } = require("../../../rehearsal") as typeof import("../../../rehearsal");
  const { keep, evidence, report } = options;
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
    const way = typeof report === "string" ? relative(folder, report) : "..";
    if (way.split(/[/\\]/)[0] !== ".." && !isAbsolute(way)) {
      const message = `--report ${quote(String(report))} is in the folder of ${option}, which has what a rehearsal leaves and nothing else; name a file outside of it`;
      throw new InputError("rehearsal-folder", message);
    }
  }
  if (typeof report === "string") await checkWritable(report, { force: true });
  return places;
}
