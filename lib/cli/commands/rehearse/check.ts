import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import type { ExitCode, Invocation, Io } from "../../command";
import { createProgress } from "../../progress";
import { formatTable, jsonDocument } from "../../text";

/** Checks the evidence of `--check-evidence` and prints the results. */
export async function checkKept(options: Invocation["options"], io: Io): Promise<ExitCode> {
  refuseBesideCheck(options);
  const { checkEvidence } = require("../../../rehearsal") as typeof import("../../../rehearsal");
  const manifest = readManifest(options);
  const progress = createProgress(io);
  const checks = await checkEvidence(options.checkEvidence as string, manifest, progress.show).finally(progress.end);
  const ok = checks.every((check) => check.ok);
  const rows = checks.map((check) => [check.ok ? "ok" : "FAILED", check.name, check.detail]);
  io.stdout.write(options.json === true ? jsonDocument({ ok, checks }, 0) : formatTable(["", "WHAT", "FOUND"], rows));
  return ok ? 0 : 4;
}

/** @throws InputError `manifest-malformed` */
function readManifest({ manifest }: Invocation["options"]): string | undefined {
  const given = manifest as string | undefined;
  if (given === undefined || /^[0-9a-f]{64}$/i.test(given)) return given;
  const message = `--manifest ${quote(given)} is not a SHA-256 digest; expected 64 hexadecimal digits, as in the report`;
  throw new InputError("manifest-malformed", message);
}

/** Options of a rehearsal, by their names in an invocation. */
const rehearsalFlags = {
  spec: "--spec",
  certificates: "--certificates",
  stack: "--stack",
  app: "--app",
  skipUnknown: "--skip-unknown",
  terraform: "--terraform",
  faults: "--faults",
  seed: "--seed",
  keep: "--keep",
  evidence: "--evidence",
  report: "--report",
  pauseAfter: "--pause-after",
  pauseBeforeDestroy: "--pause-before-destroy",
};

/** Refuses options that a check would ignore: the user who gives them expects a rehearsal. */
function refuseBesideCheck(options: Invocation["options"]): void {
  // A repeatable option that is not given is an empty list.
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const given = Object.entries(rehearsalFlags).flatMap(([name, flag]) => (isGiven(options[name]) ? [flag] : []));
  if (given.length === 0) return;
  const ignored = given.join(", ").replace(/, ([^,]*)$/, " and $1");
  const message = `--check-evidence checks what a rehearsal has kept, and rehearses nothing: leave out ${ignored}, or leave out --check-evidence to rehearse`;
  throw new InputError("rehearsal-source", message);
}
