import type { DirectoryItem } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { Io } from "../../command";
import { defineCommand, type OptionValues } from "../../declare";
import * as load from "../../load";
import { writeTable } from "../../text-table";
import { descriptionClient, descriptionOptions } from "./source";

const listOptions = {
  "--name <name>": "only versions of this API",
  "--preferred": "only the preferred version of each API",
  "--own": "the APIs whose descriptions are part of this program",
  ...descriptionOptions,
} as const;

export const command = defineCommand({
  description:
    "Lists the APIs of the description service. With --own, lists the APIs whose descriptions are part of this program.",
  options: listOptions,
  json: "apis",
  examples: {
    "cert-migration api list --own": "what is known without a network",
    "cert-migration api list --name dns --root-url http://127.0.0.1:8080/": "the versions that a local service has",
  },
  run: async ({ options, json }, io) => {
    const apis: readonly Partial<Row>[] = options.own ? includedItems(options.name) : await listed(options, io);
    const rows = apis.map(({ id, preferred, title, discoveryRestUrl }) => [
      id ?? "",
      preferred === true ? "yes" : "",
      title ?? "",
      discoveryRestUrl ?? "",
    ]);
    if (options.json) io.stdout.write(json({ apis }));
    else writeTable(["API", "PREFERRED", "TITLE", "DESCRIPTION"], rows, io);
    return 0;
  },
});

type Row = Pick<DirectoryItem, "id" | "name" | "version" | "title" | "preferred" | "discoveryRestUrl">;

async function listed(options: OptionValues<typeof listOptions>, io: Io): Promise<readonly DirectoryItem[]> {
  const { name, preferred } = options;
  const filter = { ...defined({ name }), ...(preferred ? { preferred } : {}) };
  try {
    return await descriptionClient(options, io).list(filter);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "offline-miss") throw error;
    throw new InputError(
      error.code,
      `${error.message}; --own lists the APIs whose descriptions are part of this program`,
    );
  }
}

function includedItems(name: string | undefined): readonly Partial<Row>[] {
  const { ownDescription, ownDescriptionIds } = load.discovery();
  return ownDescriptionIds
    .map((id) => ownDescription(id))
    .filter((api) => name === undefined || api.name === name)
    .map((api) => {
      const { id, version, document } = api;
      return { id, name: api.name, version, title: document.title ?? "", preferred: true };
    });
}
