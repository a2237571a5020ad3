import { escapeUnsafe } from "../text/quote";

interface Cause {
  readonly message?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  /** One error for each address that was tried, if there were several. */
  readonly errors?: readonly Cause[];
}

/**
 * Returns why a call of `fetch` failed, in one line. Its own message is only `fetch failed`; the cause contains the
 * code and the address.
 *
 * @param thrown the value of the rejection; untrusted
 */
export function failureWords(thrown: unknown): string {
  let error = thrown as Cause | undefined;
  while (typeof error?.cause === "object" && error.cause !== null) error = error.cause;
  return escapeUnsafe(wordsOf(error) || String(thrown));
}

function wordsOf({ message = "", code, errors = [] }: Cause = {}): string {
  const said = message || [...new Set(errors.map((error) => wordsOf(error)))].join(", ");
  if (typeof code !== "string" || said.includes(code)) return said;
  return said === "" ? code : `${said} (${code})`;
}
