/** The log of verifications, which shows for how long `verify` has passed for a hostname. */
import { InputError } from "../../errors";
import { fieldsOf, parseJson, textsOf } from "../../json/fields";
import { quote } from "../../text/quote";
import type { VerifyResult } from "./results";

/** One verification, as a line of JSON in the log. */
export interface LoggedVerification {
  readonly version: 1;
  /** End of the verification (RFC 3339). */
  readonly time: string;
  /** Hostnames that were served as they should be, at every address. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Maximum time between two verifications, and from the last one until now, in milliseconds: one day. */
const mostGapMs = 86_400_000;

/** Returns the line of a verification for the log. A hostname that failed at one address failed. */
export function loggedVerification(results: readonly VerifyResult[], time: Date): LoggedVerification {
  const failed = new Set(results.filter(({ ok }) => !ok).map(({ hostname }) => hostname));
  const passed = new Set(results.map(({ hostname }) => hostname).filter((hostname) => !failed.has(hostname)));
  return { version: 1, time: time.toISOString(), passed: [...passed].sort(), failed: [...failed].sort() };
}

/**
 * Reads a log of verifications.
 *
 * @param source name of the log in error messages, usually a path
 * @throws InputError `verify-log-malformed`
 */
export function readVerifyLog(text: string, source: string): readonly LoggedVerification[] {
  return text.split("\n").flatMap((line, index): LoggedVerification[] => {
    if (line.trim() === "") return [];
    const { version, time, passed, failed } = fieldsOf(parseJson(line));
    const isValid = version === 1 && typeof time === "string" && !Number.isNaN(Date.parse(time));
    if (isValid && Array.isArray(passed) && Array.isArray(failed)) {
      return [{ version, time, passed: textsOf(passed), failed: textsOf(failed) }];
    }
    const message = `${quote(source)}:${index + 1} is not a line of a log of verifications; pass the file of 'cert-migration verify --log'`;
    throw new InputError("verify-log-malformed", message);
  });
}

/**
 * Returns for how long `verify` has passed for each hostname, in milliseconds from the first success after the last
 * failure until now. Between two successes, and from the last one until now, at most {@link mostGapMs} may pass. A
 * hostname that does not pass now is absent.
 *
 * @param log in any order; verifications of the future do not count
 */
export function passingTimes(log: readonly LoggedVerification[], now: Date): ReadonlyMap<string, number> {
  const newestFirst = log
    .map((entry) => ({ ...entry, atMs: Date.parse(entry.time) }))
    .filter(({ atMs }) => atMs <= now.getTime())
    .sort((a, b) => b.atMs - a.atMs);
  const since = new Map<string, number>();
  const ended = new Set<string>();
  for (const { atMs, passed, failed } of newestFirst) {
    for (const hostname of failed) ended.add(hostname);
    for (const hostname of passed) {
      if (ended.has(hostname)) continue;
      if ((since.get(hostname) ?? now.getTime()) - atMs > mostGapMs) ended.add(hostname);
      else since.set(hostname, atMs);
    }
  }
  return new Map([...since].map(([hostname, atMs]) => [hostname, now.getTime() - atMs]));
}
