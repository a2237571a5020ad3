/** How long a response may be used without a new request (RFC 9111), without the rules for shared caches. */

/** Lifetime of a response without `Cache-Control`, in seconds. */
const defaultMaxAgeSeconds = 3_600;

/** Maximum lifetime in seconds. RFC 9111, 1.2.2 allows a cache to treat a larger value as this value. */
const longestMaxAgeSeconds = 2 ** 31;

interface Keeping {
  readonly store: boolean;
  /** How long the response may be used without a request, in seconds; undefined if the response has no such rule. */
  readonly maxAgeSeconds: number | undefined;
}

const directive = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]+)))?/g;

/** @param age number of seconds that the response spent in caches on the way, which are subtracted */
export function readKeeping(cacheControl: string | undefined, age: string | undefined): Keeping {
  const ages: number[] = [];
  let store = true;
  for (const [, name = "", quoted, token] of (cacheControl ?? "").slice(0, 2_000).matchAll(directive)) {
    const lower = name.toLowerCase();
    if (lower === "no-store") store = false;
    else if (lower === "no-cache") ages.push(0);
    // For an unreadable value, an additional request is the safe choice.
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

/** Returns {@link Keeping.maxAgeSeconds}; if it is undefined, the previous value, or one hour. */
export function maxAgeOf(keeping: Keeping, before?: { readonly maxAgeSeconds: number }): number {
  return keeping.maxAgeSeconds ?? before?.maxAgeSeconds ?? defaultMaxAgeSeconds;
}

/** Returns whether a response needs no request. A response from the future was written with another clock. */
export function isFresh(
  { fetchedAtMs, maxAgeSeconds }: { readonly fetchedAtMs: number; readonly maxAgeSeconds: number },
  now: Date,
): boolean {
  const ageMs = now.getTime() - fetchedAtMs;
  return ageMs >= 0 && ageMs < maxAgeSeconds * 1_000;
}

/** Returns whether a text is an entity tag (RFC 9110, 8.8.3). Only a valid tag may go into a header. */
export function isEtag(text: string): boolean {
  return text.length <= 1_000 && /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(text);
}

/** Returns whether two entity tags mean the same content, strong or weak (RFC 9110, 8.8.3.2). */
export function isSameContent(a: string, b: string): boolean {
  return a.replace(/^W\//, "") === b.replace(/^W\//, "");
}

/** Formats an age for people, for example `3 days`, in the largest unit with a value of at least two. */
export function ageInWords(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1_000));
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)} minutes`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)} hours`;
  return `${Math.floor(seconds / 86_400)} days`;
}
