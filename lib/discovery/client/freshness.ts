/**
 * How long an answer may be used without asking again (RFC 9111), decided here, without a clock. The cache is private
 * to its user; what is meant for shared caches alone is left out.
 */

/** How long an answer without `Cache-Control` is used. */
const defaultMaxAgeSeconds = 3_600;

/** RFC 9111, 1.2.2: whoever is given more may count it as this. */
const longestMaxAgeSeconds = 2 ** 31;

/** What an answer says about being kept. */
export interface Keeping {
  /** False after `no-store`. */
  readonly store: boolean;
  /** How long it may be used without asking; undefined where the answer doesn't say. */
  readonly maxAgeSeconds: number | undefined;
}

const directive = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]+)))?/g;

/**
 * Reads `Cache-Control` and `Age`.
 *
 * @param age how many seconds the answer had spent in caches on the way; they count
 */
export function readKeeping(cacheControl: string | undefined, age: string | undefined): Keeping {
  const ages: number[] = [];
  let store = true;
  for (const [, name = "", quoted, token] of (cacheControl ?? "").slice(0, 2_000).matchAll(directive)) {
    const lower = name.toLowerCase();
    if (lower === "no-store") store = false;
    else if (lower === "no-cache") ages.push(0);
    // What can't be read is better asked for once too often.
    else if (lower === "max-age") ages.push(readSeconds(quoted ?? token) ?? 0);
  }
  if (ages.length === 0) return { store, maxAgeSeconds: undefined };
  return { store, maxAgeSeconds: Math.max(0, Math.min(...ages) - (readSeconds(age) ?? 0)) };
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text.trim())
    ? Math.min(Number(text), longestMaxAgeSeconds)
    : undefined;
}

/** {@link Keeping.maxAgeSeconds}, or else what was said the last time, or else an hour. */
export function maxAgeOf(keeping: Keeping, before?: { readonly maxAgeSeconds: number }): number {
  return keeping.maxAgeSeconds ?? before?.maxAgeSeconds ?? defaultMaxAgeSeconds;
}

/**
 * Whether an answer may be used without asking. One from the future was written by another clock, and is not trusted.
 */
export function isFresh(
  { fetchedAtMs, maxAgeSeconds }: { readonly fetchedAtMs: number; readonly maxAgeSeconds: number },
  now: Date,
): boolean {
  const ageMs = now.getTime() - fetchedAtMs;
  return ageMs >= 0 && ageMs < maxAgeSeconds * 1_000;
}

/** Whether a text is an entity tag (RFC 9110, 8.8.3): only such a one may go into a header. */
export function isEtag(text: string): boolean {
  return text.length <= 1_000 && /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(text);
}

/** Whether two entity tags mean the same content, byte for byte or not (RFC 9110, 8.8.3.2). */
export function isSameContent(a: string, b: string): boolean {
  return a.replace(/^W\//, "") === b.replace(/^W\//, "");
}

/** An age for people, as in `3 days`; the largest unit of which there are two. */
export function ageInWords(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1_000));
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)} minutes`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)} hours`;
  return `${Math.floor(seconds / 86_400)} days`;
}
