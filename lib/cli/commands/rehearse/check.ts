import { InputError } from "../../../errors";
import type { ExitCode, Io } from "../../command";
import { nameOf } from "../../declare";
import * as load from "../../load";
import { createProgress } from "../../progress";
import { jsonDocument } from "../../text";
import { writeTable } from "../../text-table";
import { type RehearseOptions, rehearseOptions } from "./options";

/** Checks the evidence of `--check-evidence` and prints the results. */
export async function checkKept(options: RehearseOptions, given: ReadonlySet<string>, io: Io): Promise<ExitCode> {
  refuseBesideCheck(given);
  const { checkEvidence } = load.rehearsal();
  const progress = createProgress(io);
  const folder = options.checkEvidence ?? "";
  const checks = await checkEvidence(folder, options.manifest, progress.show).finally(progress.end);
  const ok = checks.every((check) => check.ok);
  const rows = checks.map((check) => [check.ok ? "ok" : "FAILED", check.name, check.detail]);
  if (options.json) io.stdout.write(jsonDocument({ ok, checks }, 0));
  else writeTable(["", "WHAT", "FOUND"], rows, io);
  return ok ? 0 : 4;
}

/** Options that a check uses. */
const usedOptions = ["checkEvidence", "manifest", "json"];

/** Refuses options that a check would ignore: the user who gives them expects a rehearsal. */
function refuseBesideCheck(given: ReadonlySet<string>): void {
  const flags = Object.keys(rehearseOptions).filter((flag) => {
    const name = nameOf(flag);
    return given.has(name) && !usedOptions.includes(name);
  });
  if (flags.length === 0) return;
  const ignored = flags
    .map((flag) => flag.split(" ")[0])
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  const message = `--check-evidence checks what a rehearsal has kept, and rehearses nothing: leave out ${ignored}, or leave out --check-evidence to rehearse`;
  throw new InputError("rehearsal-source", message);
}
