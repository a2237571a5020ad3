import { defineCommand } from "../../declare";
import * as load from "../../load";
import { writeLine } from "../../text";
import { writeTable } from "../../text-table";
import { writeVerdict } from "../../verdict";
import { apiArgument, descriptionOptions, readApi } from "./source";

export const command = defineCommand({
  description:
    "Compares two descriptions method by method and schema by schema, and classes each change: breaking for existing callers, compatible, or noise. The revision is not trusted.",
  arguments: { old: apiArgument, new: apiArgument },
  options: { "--noise": "show noise as well: texts, icons, revisions", ...descriptionOptions },
  json: "from, to, changes, breaking, compatible, noise, findings",
  examples: {
    "cert-migration api compare old.json dns:v1": "compare a file with the description in this program",
  },
  exitCodes: { 4: "a change breaks existing callers" },
  run: async ({ arguments: { old: before, new: after }, options, json }, io) => {
    const { compareDescriptions } = load.discovery();
    const comparison = compareDescriptions(await readApi(before, options, io), await readApi(after, options, io));
    const { from, to, changes, breaking, compatible, noise, findings } = comparison;
    if (options.json) {
      io.stdout.write(json(comparison));
      return breaking > 0 ? 4 : 0;
    }
    const shown = changes.filter((change) => change.class !== "noise" || options.noise);
    const rows = shown.map((change) => [change.class, change.subject, change.message]);
    writeLine(`${from.id} ${from.revision ?? ""} → ${to.id} ${to.revision ?? ""}`, io, "stdout");
    for (const { code, message } of findings) writeLine(`note: ${message} [${code}]`, io, "stdout");
    if (rows.length > 0) writeTable(["CLASS", "SUBJECT", "CHANGE"], rows, io);
    const rest = `, ${compatible} compatible, ${noise} noise`;
    writeVerdict({ state: breaking > 0 ? "failed" : "done", headline: `${breaking} breaking`, rest }, io, "stdout");
    return breaking > 0 ? 4 : 0;
  },
});
