import type { ApiDescription, Method, SchemaDocument } from "../../../discovery";
import { defineCommand } from "../../declare";
import * as load from "../../load";
import { writeTable } from "../../text-table";
import { ownParameters } from "./describe";
import { apiArgument, descriptionOptions, readApi } from "./source";

export const command = defineCommand({
  description:
    "Lists methods with their paths and the parameters that 'api request' takes: required ones, then the others in brackets. Parameters of the whole API, such as 'fields', are listed by 'api show'.",
  arguments: { api: apiArgument },
  options: { "--filter <text>": "only methods with this text in id or path", ...descriptionOptions },
  json: "methods",
  examples: {
    "cert-migration api methods compute:v1 --filter targetHttpsProxies": "the methods of one resource",
  },
  run: async ({ arguments: { api: source }, options, json }, io) => {
    const api = await readApi(source, options, io);
    const wanted = (options.filter ?? "").toLowerCase();
    const methods = [...api.methods()].filter(({ id, path, flatPath }) =>
      `${id} ${path} ${flatPath}`.toLowerCase().includes(wanted),
    );
    if (options.json) {
      io.stdout.write(json({ methods: methods.map((method) => factsOf(api, method)) }));
      return 0;
    }
    const rows = methods.map((method) => {
      const { id, httpMethod, path, deprecated } = method;
      return [id, httpMethod, addressBelowRoot(api, path), parameterNames(api, method), deprecated ? "deprecated" : ""];
    });
    writeTable(["METHOD", "VERB", "PATH", "PARAMETERS", ""], rows, io);
    return 0;
  },
});

function factsOf(api: ApiDescription, method: Method): object {
  const { id, httpMethod, path, flatPath, deprecated } = method;
  const parameters = ownParameters(api, method).map(({ name, location, required, repeated }) => {
    return { name, location, required, repeated };
  });
  return { id, httpMethod, path, flatPath, deprecated, parameters };
}

function addressBelowRoot({ document }: ApiDescription, path: string): string {
  const { pathBelowRoot } = load.discovery();
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
