import { escapeUnsafe } from "../../text/quote";
import { type CompanyWords, defaultWords, eventCatalogue } from "../catalogue";
import { type ActivityEvent, type AuditParameterValue, allParameters } from "../reading";

/**
 * Returns the console's text for an event, in one line that is safe for a terminal. A missing value is written as
 * `{PARAMETER missing}`. A value that looks like a placeholder stays unchanged. Control characters are written as
 * `\u{…}`. For an uncatalogued event, the text contains its name and parameters.
 */
export function renderMessage(event: ActivityEvent, words: CompanyWords = {}): string {
  if (!event.known) return renderUnknown(event);
  const values = allParameters(event);
  const { message } = eventCatalogue[event.canonicalName];
  return message.replace(/\{([A-Z_]+)\}|<VENDOR>|<PARTNER>/g, (placeholder, parameter: string | undefined) => {
    if (placeholder === "<VENDOR>") return escapeUnsafe(words.vendor ?? defaultWords.vendor);
    if (placeholder === "<PARTNER>") return escapeUnsafe(words.partner ?? defaultWords.partner);
    // A value of the wrong type is still part of the record, so the message shows it.
    const value = values.get(parameter as string);
    return value === undefined ? `{${parameter} missing}` : escapeUnsafe(formatValue(value));
  });
}

/** Formats a value: list items are separated by commas, nested parameters are written as `name=value`. Not escaped. */
export function formatValue(value: AuditParameterValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  return Object.entries(value)
    .map(([name, item]) => `${name}=${formatValue(item)}`)
    .join(", ");
}

function renderUnknown({ name, type, otherParameters }: ActivityEvent): string {
  const parameterTexts = otherParameters.map(
    (parameter) => `${parameter.name}=${parameter.value === undefined ? "?" : formatValue(parameter.value)}`,
  );
  const called = name === "" ? "event without a name" : name;
  const of = type === "" ? "" : ` of type ${type}`;
  return escapeUnsafe(
    `${called} (not catalogued${of})${parameterTexts.length === 0 ? "" : `: ${parameterTexts.join(", ")}`}`,
  );
}
