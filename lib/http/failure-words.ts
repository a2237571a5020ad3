import { escapeUnsafe } from "../text/quote";

interface Cause {
  readonly message?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  /** Of each address that was tried, where there were several. */
  readonly errors?: readonly Cause[];
}

/**
 * Why a call of `fetch` came to nothing, in one line: `fetch failed` says nothing, and what it hides says all, the code and the address among it.
 *
 * @param thrown whatever it was rejected with; untrusted
 */
export function failureWords(thrown: unknown): string {
  let error = thrown as Cause | undefined;
  while (typeof error?.cause === "object" && error.cause !== null) error = error.cause;
  return escapeUnsafe(wordsOf(error) || String(thrown));
}

function wordsOf({ message = "", code, errors = [] }: Cause = {}): string {
  const said = message || [...new Set(errors.map((one) => wordsOf(one)))].join(", ");
  if (typeof code !== "string" || said.includes(code)) return said;
  return said === "" ? code : `${said} (${code})`;
}
