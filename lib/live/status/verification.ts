import { InputError, type Problem } from "../../errors";
import { defined } from "../../json/defined";
import { fieldsOf, listOf, parseJson } from "../../json/fields";
import { quote } from "../../text/quote";
import type { VerifyResult } from "../verify";

/** Results of handshakes, and their time. */
export interface StatusVerification {
  /** Time of the last handshake; absent if the input has no time. */
  readonly time?: Date;
  readonly results: readonly VerifiedServing[];
}

/** Whether a hostname was served at an address. */
export type VerifiedServing = Pick<VerifyResult, "hostname" | "address" | "ok"> & {
  /** A code of `verify`, if the hostname was not served. */
  readonly code?: string;
  /** Untrusted. */
  readonly message?: string;
  /** Untrusted. */
  readonly remedy?: string;
  /** SHA-256 of the served certificate in lower-case hexadecimal. @default - not served, or read from a file */
  readonly fingerprintSha256?: string;
};

const mostProblems = 20;

/**
 * Reads the output of `cert-migration verify --json`.
 *
 * @param source name of the input in error messages, usually a path
 * @throws InputError `verification-malformed`, with every problem
 */
export function readVerification(text: string, source: string): StatusVerification {
  const problems: Problem[] = [];
  const report = (what: string) => {
    const message = `${quote(source)} ${what}; give what 'cert-migration verify --json' prints`;
    problems.push({ code: "verification-malformed", message });
  };
  const fields = fieldsOf(parseJson(text));
  const time = typeof fields.time === "string" ? new Date(fields.time) : undefined;
  if (time !== undefined && Number.isNaN(time.getTime())) report("has a time that is not valid");
  if (!Array.isArray(fields.results)) report("has no list of results");
  const results = listOf(fields.results).flatMap((value, index) => {
    // Version 0.1 wrote `detail` in place of `message`.
    const { hostname, address, ok, code, detail, message = detail, remedy } = fieldsOf(value);
    if (typeof hostname !== "string" || typeof address !== "string" || typeof ok !== "boolean") {
      report(`/results/${index} is not a hostname at an address`);
      return [];
    }
    const texts = Object.entries({ code, message, remedy }).filter(([, value]) => typeof value === "string");
    return [{ hostname, address, ok, ...Object.fromEntries(texts) }];
  });
  if (problems.length > 0) throw new InputError(problems.slice(0, mostProblems));
  return { results, ...defined({ time }) };
}
