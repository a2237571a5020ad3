import {
  type EventDefinition,
  type EventParameter,
  type EventType,
  eventCatalogue,
  eventNames,
  eventTypes,
} from "./catalogue";
import { aliasesOf } from "./names";
import { parameterDefinitions } from "./parameters";
import { watchClasses } from "./watch-classes";

/** Returns the reference page of the events as Markdown. The catalog is the only source. */
export function catalogueMarkdown(): string {
  return [
    "# Administrative audit events",
    `The ${eventNames.length} events of the application \`admin\` that are catalogued, by type. Parameters without a type are strings. *observed* marks parameters of published records that the specification does not contain. Parameters in **bold** appear in the message.`,
    ...eventTypes.map(typeSection),
    "## Parameters",
    table(
      ["Parameter", "Type", "Meaning", "Values"],
      Object.entries<{ type: string; meaning: string; values?: readonly string[] }>(parameterDefinitions).map(
        ([name, { type, meaning, values = [] }]) => [code(name), type, meaning, values.map(code).join(", ")],
      ),
    ),
    "## Watch classes of the change-freeze guard",
    table(
      ["Class", "Why it matters", "Events"],
      Object.entries(watchClasses).map(([name, { why, events }]) => [
        code(name),
        why,
        events.map(({ event }) => code(event)).join(", "),
      ]),
    ),
    "",
  ].join("\n\n");
}

function typeSection(type: EventType): string {
  const events = eventNames.map((name): EventDefinition => eventCatalogue[name]).filter((event) => event.type === type);
  const rows = events.map(({ name, parameters, message }) => [
    [name, ...aliasesOf(name)].map(code).join("<br>also "),
    parameters.map(parameterCell).join(", ") || "none",
    code(message),
  ]);
  return `## ${type} (${events.length})\n\n${table(["Event", "Parameters", "Message"], rows)}`;
}

function parameterCell({ name, type, inMessage, observed }: EventParameter): string {
  const typed = type === "string" ? code(name) : `${code(name)}: ${type}`;
  const weighed = inMessage ? `**${typed}**` : typed;
  return observed ? `${weighed} *(observed)*` : weighed;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
