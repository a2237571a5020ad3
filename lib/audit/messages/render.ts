import { escapeUnsafe } from "../../text/quote";
import { type CompanyWords, defaultWords, eventCatalogue } from "../catalogue";
import { type ActivityEvent, allParameters, type ParameterValue } from "../reading";

/**
 * The text that the console shows for an event, in one line that is safe for a terminal. A value that is missing is
 * marked as `{PARAMETER missing}`; a value that looks like a placeholder stays as it is; control characters are written
 * as `\u{…}`. An event that is not catalogued is told by its name and parameters.
 */
export function renderMessage(event: ActivityEvent, words: CompanyWords = {}): string {
  if (!event.known) return renderUnknown(event);
  const values = allParameters(event);
  const { message } = eventCatalogue[event.canonicalName];
  return message.replace(/\{([A-Z_]+)\}|<VENDOR>|<PARTNER>/g, (placeholder, parameter: string | undefined) => {
    if (placeholder === "<VENDOR>") return escapeUnsafe(words.vendor ?? defaultWords.vendor);
    if (placeholder === "<PARTNER>") return escapeUnsafe(words.partner ?? defaultWords.partner);
    // A value that is not of its type is still what the record says.
    const value = values.get(parameter as string);
    return value === undefined ? `{${parameter} missing}` : escapeUnsafe(formatValue(value));
  });
}

/** A value in words: lists by commas, parameters within as `name=value`. Not escaped. */
export function formatValue(value: ParameterValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  return Object.entries(value)
    .map(([name, item]) => `${name}=${formatValue(item)}`)
    .join(", ");
}

function renderUnknown({ name, type, otherParameters }: ActivityEvent): string {
  const told = otherParameters.map(
    (other) => `${other.name}=${other.value === undefined ? "?" : formatValue(other.value)}`,
  );
  const called = name === "" ? "event without a name" : name;
  const of = type === "" ? "" : ` of type ${type}`;
  return escapeUnsafe(`${called} (not catalogued${of})${told.length === 0 ? "" : `: ${told.join(", ")}`}`);
}
