/**
 * Matches characters that must not reach a terminal raw: control characters (C0, C1, DEL), line and paragraph
 * separators, format characters (including bidirectional overrides and zero-width characters), lone surrogates,
 * private-use and unassigned characters, and all spaces but U+0020.
 */
const UNSAFE = /(?! )[\p{C}\p{Z}]/gu;

/** Maximum length of a quotation, in characters; longer text is cut, and its length is added. */
const LONGEST = 120;

/**
 * Returns untrusted text in single quotes, safe for a one-line message.
 *
 * Characters that could control a terminal or stay invisible are written as `\u{…}`. A backslash precedes each
 * backslash and single quote, so that two different texts never look the same (until they are cut at 120 characters).
 */
export function quote(text: string): string {
  const cut = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const safe = escapeUnsafe(cut.replace(/[\\']/g, "\\$&"));
  return text.length > LONGEST ? `'${safe}…' (${text.length} characters)` : `'${safe}'`;
}

/**
 * Escapes untrusted text for a terminal, in full and without quotes. Characters that could control the terminal or stay
 * invisible are written as `\u{…}`.
 */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Names of parameters whose values are secrets, as part of a regular expression that ignores case. */
export const secretNames =
  "(?:(?:access|id|refresh|oauth|bearer)_)?token|(?:api_?)?key|client_secret|signature|assertion";

/**
 * Patterns of secrets, by format or by the preceding name, with their replacements. Values of a `key` or a `token` are
 * masked only after `=`, because sentences contain colons.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  // A plain word after "bearer" is part of a sentence, as in "bearer token".
  [/\b([Bb]earer|BEARER)(\s+)(?![a-z]+\b(?![\w.~+/=-]))[\w.~+/=-]+/g, "$1$2***"],
  [/\bya29\.[\w.-]+/g, "ya29.***"],
  [/\bAIza[\w-]{16,}|\b1\/\/[\w-]{16,}|\bGOCSPX-[\w-]+/g, "***"],
  [new RegExp(`\\b(${secretNames})=[^\\s&#"',;)]+`, "gi"), "$1=***"],
  [/"((?:access|id|refresh)_token|client_secret|private_key)"\s*:\s*"[^"]*"?/gi, '"$1": "***"'],
];

/**
 * Replaces access tokens, signed tokens, API keys and the values of secret parameters in a service's text with `***`.
 */
export function maskSecrets(text: string): string {
  const unsigned = text.replace(/[\w.-]+/g, maskSignedToken);
  return secrets.reduce((masked, [pattern, left]) => masked.replace(pattern, left), unsigned);
}

/**
 * Masks the signed token (JWT) at the end of a word. The function works piece by piece, because a single regular
 * expression takes hours on a word of a megabyte.
 */
function maskSignedToken(word: string): string {
  const pieces = word.split(".");
  let start = 0;
  for (const [index, piece] of pieces.entries()) {
    const at = piece.search(/\beyJ[\w-]{4}/);
    if (at >= 0 && pieces[index + 1]) return `${word.slice(0, start + at)}***`;
    start += piece.length + 1;
  }
  return word;
}

/** Returns whether a text has none of the characters that {@link quote} writes as a number. */
export function isSafeToShow(text: string): boolean {
  return text.search(UNSAFE) === -1;
}
