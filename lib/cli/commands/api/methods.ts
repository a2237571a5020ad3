import type { ApiDescription, Method, SchemaDocument } from "../../../discovery";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { formatTable, jsonDocument } from "../../text";
import { ownParameters } from "./describe";
import { apiArgument, readApi, sourceOptions } from "./source";

export const methodsCommand: CommandDetails = {
  description:
    "Lists methods with their paths and the parameters that 'api request' takes: required ones, then the others in brackets. Parameters of the whole API, such as 'fields', are listed by 'api show'.",
  arguments: [apiArgument],
  options: [{ flags: "--filter <text>", description: "only methods with this text in id or path" }, ...sourceOptions],
  examples: [
    {
      command: "cert-migration api methods compute:v1 --filter targetHttpsProxies",
      what: "the methods of one resource",
    },
  ],
  run: runMethods,
};

async function runMethods(invocation: Invocation, io: Io): Promise<ExitCode> {
  const api = await readApi(invocation.arguments.api as string, invocation, io);
  const wanted = ((invocation.options.filter as string | undefined) ?? "").toLowerCase();
  const methods = [...api.methods()].filter(({ id, path, flatPath }) =>
    `${id} ${path} ${flatPath}`.toLowerCase().includes(wanted),
  );
  if (invocation.options.json === true) {
    const facts = methods.map((method) => {
      const { id, httpMethod, path, flatPath, deprecated } = method;
      const parameters = ownParameters(api, method).map(({ name, location, required, repeated }) => ({
        name,
        location,
        required,
        repeated,
      }));
      return { id, httpMethod, path, flatPath, deprecated, parameters };
    });
    io.stdout.write(jsonDocument({ methods: facts }));
    return 0;
  }
  const rows = methods.map((method) => {
    const { id, httpMethod, path, deprecated } = method;
    return [id, httpMethod, addressBelowRoot(api, path), parameterNames(api, method), deprecated ? "deprecated" : ""];
  });
  io.stdout.write(formatTable(["METHOD", "VERB", "PATH", "PARAMETERS", ""], rows));
  return 0;
}

function addressBelowRoot({ document }: ApiDescription, path: string): string {
  const { pathBelowRoot } = require("../../../discovery") as typeof import("../../../discovery");
  return pathBelowRoot(document, path);
}

function parameterNames(api: ApiDescription, method: Method): string {
  const parameters = ownParameters(api, method);
  const needed = parameters.filter(({ required }) => required).map(({ name, schema }) => `${name}${formOf(schema)}`);
  const others = parameters.filter(({ required }) => !required).map(({ name }) => name);
  return [...needed, ...(others.length === 0 ? [] : [`[${others.join(", ")}]`])].join(", ");
}

// Returns the format of a value with several path segments, with stars for names; an empty string if the pattern has no
// such format.
function formOf({ pattern = "" }: SchemaDocument): string {
  const form = pattern
    .replace(/^\^|\$$/g, "")
    .replaceAll("[^/]+", "*")
    .replaceAll(".*", "**");
  return /^[\w-]+(?:\/(?:[\w-]+|\*{1,2}))+$/.test(form) ? `=${form}` : "";
}
