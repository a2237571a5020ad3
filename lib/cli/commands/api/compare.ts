import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { formatTable, jsonDocument, safe } from "../../text";
import { apiArgument, readApi, sourceOptions } from "./source";

export const compareCommand: CommandDetails = {
  description:
    "Compares two descriptions method by method and schema by schema, and classes each change: breaking for existing callers, compatible, or noise. The revision is not trusted.",
  arguments: [
    { ...apiArgument, name: "old" },
    { ...apiArgument, name: "new" },
  ],
  options: [{ flags: "--noise", description: "show noise as well: texts, icons, revisions" }, ...sourceOptions],
  examples: [
    {
      command: "cert-migration api compare old.json dns:v1",
      what: "compare a file with the description in this program",
    },
  ],
  exitCodes: { 4: "a change breaks existing callers" },
  run: runCompare,
};

async function runCompare(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { compareDescriptions } = require("../../../discovery") as typeof import("../../../discovery");
  const { old, new: fresh } = invocation.arguments as Readonly<Record<"old" | "new", string>>;
  const comparison = compareDescriptions(await readApi(old, invocation, io), await readApi(fresh, invocation, io));
  if (invocation.options.json === true) {
    io.stdout.write(jsonDocument(comparison));
  } else {
    const { from, to, changes, breaking, compatible, noise, findings } = comparison;
    const shown = changes.filter((change) => change.class !== "noise" || invocation.options.noise === true);
    const rows = shown.map((change) => [change.class, change.subject, change.message]);
    io.stdout.write(`${safe(`${from.id} ${from.revision ?? ""} → ${to.id} ${to.revision ?? ""}`)}\n`);
    for (const { message } of findings) io.stdout.write(`note: ${safe(message)}\n`);
    if (rows.length > 0) io.stdout.write(formatTable(["CLASS", "SUBJECT", "CHANGE"], rows));
    io.stdout.write(`${breaking} breaking, ${compatible} compatible, ${noise} noise\n`);
  }
  return comparison.breaking > 0 ? 4 : 0;
}
