import type { DirectoryItem } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { formatTable, jsonDocument } from "../../text";
import { descriptionClient, sourceOptions } from "./source";

export const listCommand: CommandDetails = {
  description:
    "Lists the APIs of the description service. With --own, lists the APIs whose descriptions are part of this program.",
  options: [
    { flags: "--name <name>", description: "only versions of this API" },
    { flags: "--preferred", description: "only the preferred version of each API" },
    { flags: "--own", description: "the APIs whose descriptions are part of this program" },
    ...sourceOptions,
  ],
  examples: [
    { command: "cert-migration api list --own", what: "what is known without a network" },
    {
      command: "cert-migration api list --name dns --root-url http://127.0.0.1:8080/",
      what: "the versions that a local service has",
    },
  ],
  run: runList,
};

type Row = Pick<DirectoryItem, "id" | "name" | "version" | "title" | "preferred" | "discoveryRestUrl">;

async function runList(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const name = options.name as string | undefined;
  const items: readonly Partial<Row>[] = options.own === true ? ownItems(name) : await listed(invocation, io, name);
  if (options.json === true) {
    io.stdout.write(jsonDocument({ apis: items }));
    return 0;
  }
  const rows = items.map(({ id, preferred, title, discoveryRestUrl }) => [
    id ?? "",
    preferred === true ? "yes" : "",
    title ?? "",
    discoveryRestUrl ?? "",
  ]);
  io.stdout.write(formatTable(["API", "PREFERRED", "TITLE", "DESCRIPTION"], rows));
  return 0;
}

async function listed(invocation: Invocation, io: Io, name: string | undefined): Promise<readonly DirectoryItem[]> {
  const filter = { ...defined({ name }), ...(invocation.options.preferred === true ? { preferred: true } : {}) };
  try {
    return await descriptionClient(invocation, io).list(filter);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "offline-miss") throw error;
    throw new InputError(
      error.code,
      `${error.message}; --own lists the APIs whose descriptions are part of this program`,
    );
  }
}

function ownItems(name: string | undefined): readonly Partial<Row>[] {
  const { ownDescription, ownDescriptionIds } = require("../../../discovery") as typeof import("../../../discovery");
  return ownDescriptionIds
    .map((id) => ownDescription(id))
    .filter((api) => name === undefined || api.name === name)
    .map(({ id, name: own, version, document }) => ({
      id,
      name: own,
      version,
      title: document.title ?? "",
      preferred: true,
    }));
}
