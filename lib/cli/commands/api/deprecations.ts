import { defineCommand } from "../../declare";
import { writeTable } from "../../text-table";
import { apiArgument, descriptionOptions, readApi } from "./source";

export const command = defineCommand({
  arguments: { api: apiArgument },
  options: descriptionOptions,
  json: "deprecations",
  examples: {
    "cert-migration api deprecations compute:v1": "everything deprecated in Compute",
  },
  run: async ({ arguments: { api }, options, json }, io) => {
    const deprecations = (await readApi(api, options, io)).deprecations();
    const rows = deprecations.map(({ kind, name, advice }) => [kind, name, advice]);
    if (options.json) io.stdout.write(json({ deprecations }));
    else if (rows.length === 0) io.stdout.write("nothing is deprecated\n");
    else writeTable(["KIND", "NAME", "ADVICE"], rows, io);
    return 0;
  },
});
