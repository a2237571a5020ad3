import type { Command, ExitCode, Invocation, Io } from "../../command";
import { formatTable, toJson } from "../../text";
import { apiArgument, readApi, sourceOptions } from "./source";

export const methodsCommand: Command = {
  name: "api methods",
  summary: "list the methods of an API",
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
  const methods = [...api.methods()].filter(({ id, path }) => `${id} ${path}`.toLowerCase().includes(wanted));
  if (invocation.options.json === true) {
    const facts = methods.map(({ id, httpMethod, path, flatPath, deprecated }) => ({
      id,
      httpMethod,
      path,
      flatPath,
      deprecated,
    }));
    io.stdout.write(toJson(facts));
    return 0;
  }
  const rows = methods.map(({ id, httpMethod, flatPath, deprecated }) => [
    id,
    httpMethod,
    flatPath,
    deprecated ? "deprecated" : "",
  ]);
  io.stdout.write(formatTable(["METHOD", "VERB", "PATH", ""], rows));
  return 0;
}
