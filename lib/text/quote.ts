/**
 * What may not reach a terminal raw: control characters (C0, C1, DEL), line and paragraph separators, format characters (among them the
 * bidirectional overrides and zero-width characters), lone surrogates, private-use and unassigned characters, and spaces that don't look like one.
 */
const UNSAFE = /(?! )[\p{C}\p{Z}]/gu;

/** Longest quotation, in characters; what goes beyond is cut, and its length is told. */
const LONGEST = 120;

/**
 * Untrusted text, in single quotes, as it can safely be part of a one-line message.
 *
 * Characters that could steer a terminal or hide are written as `\u{…}`, a backslash and a single quote get a backslash before them, so that
 * two different texts never look the same (until they are cut at 120 characters).
 */
export function quote(text: string): string {
  const cut = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const safe = escapeUnsafe(cut.replace(/[\\']/g, "\\$&"));
  return text.length > LONGEST ? `'${safe}…' (${text.length} characters)` : `'${safe}'`;
}

/** Untrusted text for a terminal, whole and without quotes; characters that could steer the terminal or hide are written as `\u{…}`. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Names of parameters whose values are secrets, as part of a regular expression that takes no heed of case. */
export const secretNames =
  "(?:(?:access|id|refresh|oauth|bearer)_)?token|(?:api_?)?key|client_secret|signature|assertion";

/** What is a secret by its looks or by the name before it, and what is left of it. Values of a `key` or a `token` are masked after `=` alone, since sentences have colons. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // A plain word after it is part of a sentence, as in "bearer token".
  [/\b([Bb]earer|BEARER)(\s+)(?![a-z]+\b(?![\w.~+/=-]))[\w.~+/=-]+/g, "$1$2***"],
  [/\bya29\.[\w.-]+/g, "ya29.***"],
  [/\bAIza[\w-]{16,}|\b1\/\/[\w-]{16,}|\bGOCSPX-[\w-]+/g, "***"],
  [new RegExp(`\\b(${secretNames})=[^\\s&#"',;)]+`, "gi"), "$1=***"],
  [/"((?:access|id|refresh)_token|client_secret|private_key)"\s*:\s*"[^"]*"?/gi, '"$1": "***"'],
];

/** A text of a service, in which access tokens, signed tokens, API keys and the values of parameters that carry some are `***`. */
export function maskSecrets(text: string): string {
  const unsigned = text.replace(/[\w.-]+/g, maskSignedToken);
  return secrets.reduce((masked, [pattern, left]) => masked.replace(pattern, left), unsigned);
}

/** Masks the signed token (JWT) that a word ends in. Piece by piece, as one expression for all of it takes hours on a word of a megabyte. */
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

/** Whether a text holds none of the characters that {@link quote} would write as a number. */
export function isSafeToShow(text: string): boolean {
  return text.search(UNSAFE) === -1;
}
