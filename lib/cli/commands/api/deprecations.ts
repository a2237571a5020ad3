import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { formatTable, jsonDocument } from "../../text";
import { apiArgument, readApi, sourceOptions } from "./source";

export const deprecationsCommand: CommandDetails = {
  arguments: [apiArgument],
  options: sourceOptions,
  examples: [{ command: "cert-migration api deprecations compute:v1", what: "everything deprecated in Compute" }],
  run: runDeprecations,
};

async function runDeprecations(invocation: Invocation, io: Io): Promise<ExitCode> {
  const found = (await readApi(invocation.arguments.api as string, invocation, io)).deprecations();
  const rows = found.map(({ kind, name, advice }) => [kind, name, advice]);
  if (invocation.options.json === true) io.stdout.write(jsonDocument({ deprecations: found }));
  else if (found.length === 0) io.stdout.write("nothing is deprecated\n");
  else io.stdout.write(formatTable(["KIND", "NAME", "ADVICE"], rows));
  return 0;
}
