import type { Method, SchemaDocument } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { argument, defineCommand, value } from "../../declare";
import { severityTones } from "../../style";
import { writeTable } from "../../text-table";
import { oneOf } from "../../value-types";
import { closeOnTerminal, writeVerdict } from "../../verdict";
import { apiArgument, descriptionOptions, readApi, readJsonArgument } from "./source";

export const command = defineCommand({
  description:
    "Validates a value with a schema, or with the request of a method (with --as response: its response), and prints each finding with its position.",
  arguments: {
    api: apiArgument,
    what: argument({ description: "id of a schema, or of a method" }),
    json: argument({ description: "the value: JSON, @FILE, or - for standard input" }),
  },
  options: { "--as <side>": value(oneOf("request", "response"), "what the value is"), ...descriptionOptions },
  json: "ok, findings",
  examples: {
    "cert-migration api validate certificatemanager:v1 DnsAuthorization @authorization.json": "a file against a schema",
  },
  exitCodes: { 4: "the value is not valid" },
  run: async ({ arguments: { api: source, what, json: given }, options, json }, io) => {
    const api = await readApi(source, options, io);
    const method = api.hasMethod(what) ? api.method(what) : undefined;
    const as = options.as ?? (method === undefined ? undefined : "request");
    const schema = method === undefined ? what : bodyOf(method, as ?? "request");
    const instance = await readJsonArgument(given, "<json>", io);
    const findings = api.validate(schema, instance, defined({ as, methodId: method?.id }));
    const ok = findings.every(({ severity }) => severity !== "error");
    const rows = findings.map(({ severity, code, message }) => [severity, code, message]);
    if (options.json) io.stdout.write(json({ ok, findings }));
    else if (rows.length === 0) writeVerdict({ state: "done", headline: "valid" }, io, "stdout");
    else {
      writeTable(["", "CODE", "FINDING"], rows, io, (column, row) =>
        column === 0 ? severityTones[findings[row]?.severity ?? "info"] : undefined,
      );
      closeOnTerminal({ state: ok ? "done" : "failed", headline: ok ? "valid" : "not valid" }, io);
    }
    return ok ? 0 : 4;
  },
});

function bodyOf(method: Method, side: "request" | "response"): SchemaDocument {
  const schema = method[side];
  if (schema !== undefined) return schema;
  const opposite = side === "request" ? "response" : "request";
  const hint = method[opposite] === undefined ? "name a schema" : `its ${opposite} is compared with --as ${opposite}`;
  throw new InputError(`${side}-undeclared`, `${quote(method.id)} has no ${side} body: ${hint}`);
}
