/** An object from JSON whose fields are not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses JSON, with or without a byte order mark. Returns `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object unchanged; returns an empty object for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns a list unchanged; returns an empty list for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the strings of a list; returns an empty list if the value is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/**
 * Returns an unchecked value as text, as `String` does for plain values. `String` throws for an object whose `toString`
 * is no function, which JSON can contain; an object is an empty text here.
 */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(",");
  return typeof value === "object" && value !== null ? "" : String(value);
}
