import type { Method, SchemaDocument, ValidateOptions } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { formatTable, jsonDocument } from "../../text";
import { apiArgument, readApi, readJsonArgument, sourceOptions } from "./source";

export const validateCommand: CommandDetails = {
  description:
    "Validates a value with a schema, or with the request of a method (with --as response: its response), and prints each finding with its position.",
  arguments: [
    apiArgument,
    { name: "what", description: "id of a schema, or of a method" },
    { name: "json", description: "the value: JSON, @FILE, or - for standard input" },
  ],
  options: [
    { flags: "--as <side>", description: "what the value is", choices: ["request", "response"] },
    ...sourceOptions,
  ],
  examples: [
    {
      command: "cert-migration api validate certificatemanager:v1 DnsAuthorization @authorization.json",
      what: "a file against a schema",
    },
  ],
  exitCodes: { 4: "the value is not valid" },
  run: runValidate,
};

async function runValidate(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { api: source, what, json } = invocation.arguments as Readonly<Record<"api" | "what" | "json", string>>;
  const api = await readApi(source, invocation, io);
  const side = invocation.options.as as ValidateOptions["as"];
  const method = api.hasMethod(what) ? api.method(what) : undefined;
  const as = side ?? (method === undefined ? undefined : "request");
  const schema = method === undefined ? what : bodyOf(method, as ?? "request");
  const value = await readJsonArgument(json, "<json>", io);
  const options = { ...defined({ as }), ...(method === undefined ? {} : { methodId: method.id }) };
  const findings = api.validate(schema, value, options);
  const isValid = findings.every(({ severity }) => severity !== "error");
  const rows = findings.map(({ severity, code, message }) => [severity, code, message]);
  if (invocation.options.json === true) io.stdout.write(jsonDocument({ ok: isValid, findings }));
  else if (rows.length === 0) io.stdout.write("valid\n");
  else io.stdout.write(formatTable(["", "CODE", "FINDING"], rows));
  return isValid ? 0 : 4;
}

function bodyOf(method: Method, side: "request" | "response"): SchemaDocument {
  const schema = method[side];
  if (schema !== undefined) return schema;
  const other = side === "request" ? "response" : "request";
  const hint = method[other] === undefined ? "name a schema" : `its ${other} is held with --as ${other}`;
  throw new InputError(`${side}-undeclared`, `${quote(method.id)} has no ${side} body: ${hint}`);
}
