/**
 * Returns whether a string contains a value that only Terraform knows: `${…}` as users write it, or the placeholders of
 * CDKTF tokens (`${TfToken[…]}` in strings, `#{TfToken[…]}` in lists). A reference can be passed on, but its value
 * cannot be checked.
 */
export function isReference(text: string): boolean {
  return /(?<!\$)\$\{|#\{TfToken\[/.test(text);
}

/** Letters of any language, without characters that are invisible or change the direction of text. */
const letter = "A-Za-z_\\u00c0-\\u1fff\\u2c00-\\ud7ff";
const identifier = `[${letter}][${letter}0-9-]*`;
/** An index: a number, or a key without the characters that begin a reference, an escape or the end of the text. */
const index = '\\[(?:[0-9]{1,9}|"[A-Za-z0-9_.*:/@ -]*")\\]';
/** Roots whose values depend on the place in a module or on the run, not on the configuration. */
const excludedRoots = "(?!(?:path|terraform|each|count|self)\\.)";
const reference = `\\$\\{ *${excludedRoots}${identifier}(?:\\.${identifier}(?:${index})*)+ *\\}`;
const variable = `\\$\\{ *var\\.${identifier} *\\}`;
/** Text of one line or several, in which `$${` and `%%{` stand for `${` and `%{`, as in Terraform. */
const literal = "(?:[^$%]|\\$+(?!\\$|\\{)|\\$\\$+\\{|%+(?!%|\\{)|%%+\\{)*";
/** Text without any of these sequences, and without `/`. */
const segment = "(?:[^$%/]|\\$(?!\\$?\\{)|%(?!%?\\{))*";

const forms = {
  id: `(?:${segment}|${reference})(?:/(?:${segment}|${reference}))*`,
  variables: `(?:[^$%]|\\$(?!\\$?\\{)|%(?!%?\\{)|${variable})*`,
  whole: `${literal}|${reference}`,
} as const;

/** Where a field accepts references. */
export type ReferenceForm = keyof typeof forms;

/** What a field accepts, for messages. */
export const acceptedForms: Readonly<Record<ReferenceForm, string>> = {
  id: "one reference such as ${var.NAME}, ${local.NAME} or ${TYPE.NAME.ATTRIBUTE}, or references between slashes",
  variables: "${var.NAME}, also beside other text",
  whole: "one reference such as ${var.NAME} in place of the text",
};

/**
 * Returns the regular expression of the texts that a field accepts. Without forms, the field accepts text only.
 *
 * A reference is `var.`, `local.`, `module.`, `data.` or a resource, with attributes and literal indexes: Terraform
 * would evaluate anything else, for example `${file("key.pem")}`, on the machine that runs it.
 */
export function textPattern(accepted: readonly ReferenceForm[]): string {
  return accepted.length === 0 ? `^${literal}$` : `^(?:${accepted.map((form) => forms[form]).join("|")})$`;
}

/** A text that is one reference. */
const wholeReference = new RegExp(`^${reference}$`);

/** Returns the reference in `${…}`, for messages; undefined if the text is not exactly one reference. */
export function referenceIn(text: string): string | undefined {
  return wholeReference.test(text) ? text.slice(2, -1).trim() : undefined;
}

/** Escapes the characters of a text that begin a reference or a directive, so that Terraform passes it literally. */
export function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}
