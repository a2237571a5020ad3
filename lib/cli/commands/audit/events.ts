import type { EventDefinition } from "../../../audit";
import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { type Fold, folderFor } from "../../style";
import { formatTable, jsonDocument } from "../../text";

export const auditEventsCommand: CommandDetails = {
  description:
    "Searches the 69 catalogued events by name (also the public service's), type, parameter and message. For a single event it shows the parameters, with their types, allowed values and meaning.",
  arguments: [{ name: "word", description: "words that the event must contain", takes: "any number" }],
  options: [
    { flags: "--json", description: "print the events as JSON" },
    { flags: "--markdown", description: "print the reference page of all events" },
  ],
  examples: [
    { command: "cert-migration audit events certificate", what: "events about certificates" },
    { command: "cert-migration audit events ASSIGN_ROLE", what: "one event with its parameters" },
  ],
  exitCodes: { 4: "no event contains these words" },
  run: runEvents,
};

async function runEvents({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  const { aliasesOf, catalogueMarkdown, eventCatalogue, eventNames, findEvent } =
    require("../../../audit") as typeof import("../../../audit");
  const words = given.word as readonly string[];
  if (options.markdown === true) {
    if (words.length > 0)
      throw new InputError("words-unwanted", "--markdown is the page of all events; leave the words out");
    io.stdout.write(catalogueMarkdown());
    return 0;
  }
  const exact = words.length === 1 ? findEvent(words[0]?.toUpperCase() ?? "") : undefined;
  const found =
    exact === undefined
      ? eventNames.map((name): EventDefinition => eventCatalogue[name]).filter((event) => hasWords(event, words))
      : [exact];
  if (options.json === true) {
    io.stdout.write(jsonDocument({ events: found.map((event) => ({ ...event, aliases: aliasesOf(event.name) })) }));
    return found.length === 0 ? 4 : 0;
  }
  const [only] = found;
  const fold = folderFor(io, "stdout");
  if (only === undefined) {
    io.stderr.write(`no event has ${words.map(quote).join(" and ")}\n`);
    return 4;
  }
  const rows = found.map(({ name, type, message }) => [name, type, message]);
  if (found.length === 1) io.stdout.write(describe(only, aliasesOf(only.name), fold));
  else io.stdout.write(formatTable(["event", "type", "message"], rows, undefined, fold));
  return 0;
}

function hasWords({ name, type, parameters, message }: EventDefinition, words: readonly string[]): boolean {
  const { aliasesOf } = require("../../../audit") as typeof import("../../../audit");
  const text = [name, ...aliasesOf(name), type, message, ...parameters.map((parameter) => parameter.name)]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function describe(
  { name, type, parameters, message }: EventDefinition,
  aliases: readonly string[],
  fold: Fold,
): string {
  const head = [`${name}  (${type})`, ...aliases.map((alias) => `also ${alias}`), `  ${message}`];
  if (parameters.length === 0) return `${[...head, "", "no parameters"].join("\n")}\n`;
  const rows = parameters.map((parameter) => [
    parameter.name,
    parameter.type,
    [parameter.inMessage ? "in the message" : "", parameter.observed ? "observed, not in the specification" : ""]
      .filter((word) => word !== "")
      .join("; ") || "-",
    `${parameter.meaning}${parameter.values === undefined ? "" : `: ${parameter.values.join(", ")}`}`,
  ]);
  return `${head.join("\n")}\n\n${formatTable(["parameter", "type", "", "meaning"], rows, undefined, fold)}`;
}
