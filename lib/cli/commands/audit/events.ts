import type { EventDefinition } from "../../../audit";
import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import { defineCommand, manyArguments } from "../../declare";
import * as load from "../../load";
import { columnsOf, type Fold, foldTo } from "../../style";
import { writeNote } from "../../text";
import { formatTable } from "../../text-table";

export const command = defineCommand({
  description:
    "Searches the 69 catalogued events by name (also the public service's), type, parameter and message. For a single event it shows the parameters, with their types, allowed values and meaning.",
  arguments: { word: manyArguments({ description: "words that the event must contain" }) },
  options: { "--json": "print the events as JSON", "--markdown": "print the reference page of all events" },
  json: "events",
  examples: {
    "cert-migration audit events certificate": "events about certificates",
    "cert-migration audit events ASSIGN_ROLE": "one event with its parameters",
  },
  exitCodes: { 4: "no event contains these words" },
  run: async ({ arguments: { word: words }, options, json }, io) => {
    const { aliasesOf, catalogueMarkdown, eventCatalogue, eventNames, findEvent } = load.audit();
    if (options.markdown) {
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
    const [first, ...others] = found;
    if (options.json) {
      io.stdout.write(json({ events: found.map((event) => ({ ...event, aliases: aliasesOf(event.name) })) }));
    } else if (first === undefined) {
      writeNote("events-not-found", `no event has ${words.map(quote).join(" and ")}`, io);
    } else {
      const columns = columnsOf(io, "stdout");
      const rows = found.map(({ name, type, message }) => [name, type, message]);
      const table = () => formatTable(["event", "type", "message"], rows, undefined, columns);
      io.stdout.write(others.length === 0 ? describe(first, aliasesOf(first.name), columns) : table());
    }
    return first === undefined ? 4 : 0;
  },
});

function hasWords({ name, type, parameters, message }: EventDefinition, words: readonly string[]): boolean {
  const { aliasesOf } = load.audit();
  const text = [name, ...aliasesOf(name), type, message, ...parameters.map((parameter) => parameter.name)]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function describe(
  { name, type, parameters, message }: EventDefinition,
  aliases: readonly string[],
  columns: number | undefined,
): string {
  const fold: Fold = columns === undefined ? (line) => line : foldTo(columns);
  const head = [`${name}  (${type})`, ...aliases.map((alias) => `also ${alias}`), fold(`  ${message}`, 2)];
  if (parameters.length === 0) return `${[...head, "", "no parameters"].join("\n")}\n`;
  const rows = parameters.map((parameter) => [
    parameter.name,
    parameter.type,
    [parameter.inMessage ? "in the message" : "", parameter.observed ? "observed, not in the specification" : ""]
      .filter((word) => word !== "")
      .join("; ") || "-",
    `${parameter.meaning}${parameter.values === undefined ? "" : `: ${parameter.values.join(", ")}`}`,
  ]);
  return `${head.join("\n")}\n\n${formatTable(["parameter", "type", "", "meaning"], rows, undefined, columns)}`;
}
