import { InputError, ServiceError } from "../../errors";
import { escapeUnsafe } from "../../text/quote";
import type { CompanyWords } from "../catalogue";
import type { ActivityPage, UnreadableRecord } from "../query";
import { type Activity, parseActivity, readLosslessJson } from "../reading";
import { isData, own } from "../reading/values";

/** A page, with the token of the next page. */
export interface ListedPage extends ActivityPage {
  readonly nextPageToken?: string;
}

/**
 * Reads the service's answer. Anything except a list of activities is an error. If a malformed answer were read as an
 * empty list, the caller would conclude that nothing happened.
 *
 * @param status HTTP status of the answer
 * @param purpose what was attempted, for the message
 * @throws ServiceError `answer-malformed`
 */
export function readPage(status: number, text: string, purpose: string, words: CompanyWords): ListedPage {
  // The other success codes never carry a complete page.
  if (status !== 200) throw malformed(purpose, `has status ${status} in place of 200`, status);
  const page = readObject(text, purpose);
  const [items, token, kind] = [own(page, "items"), own(page, "nextPageToken"), own(page, "kind")];
  if (own(page, "error") !== undefined) throw malformed(purpose, "holds an error in place of activities");
  if (items !== undefined && !Array.isArray(items)) throw malformed(purpose, "has items that are not a list");
  // The service omits an empty list, so an answer without a list must at least have the right kind.
  if (items === undefined && !(typeof kind === "string" && /activit(y|ies)$/i.test(kind))) {
    throw malformed(purpose, "is not a list of activities");
  }
  if (token !== undefined && typeof token !== "string")
    throw malformed(purpose, "has a page token that is not a string");
  const activities: Activity[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const item of (items ?? []) as readonly unknown[]) {
    try {
      // A string would be parsed as JSON, but a string in a list is not a record.
      activities.push(parseActivity(typeof item === "string" ? undefined : item, words));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unreadable.push(...error.problems.map((problem) => ({ problem, raw: item })));
    }
  }
  return {
    activities,
    unreadable,
    warnings: warningsOf(page),
    ...(token === undefined || token === "" ? {} : { nextPageToken: token }),
  };
}

function readObject(text: string, purpose: string): Readonly<Record<string, unknown>> {
  let read: unknown;
  try {
    read = readLosslessJson(text);
  } catch {
    throw malformed(purpose, "is incomplete or not JSON");
  }
  if (isData(read)) return read;
  throw malformed(purpose, "is not an object");
}

function malformed(purpose: string, what: string, status = 200): ServiceError {
  const message = `${purpose}: the answer ${what}; it can't be used`;
  return new ServiceError(message, { code: "answer-malformed", status, retryable: true });
}

/** Returns the page's warnings. Related listings of the service report missing or partial data in this field. */
function warningsOf(page: Readonly<Record<string, unknown>>): readonly string[] {
  const warnings = own(page, "warnings");
  if (!Array.isArray(warnings)) return [];
  return warnings.map((warning: unknown) => {
    const words = isData(warning) ? [own(warning, "code"), own(warning, "message")] : [warning];
    return (
      escapeUnsafe(words.filter((word) => typeof word === "string" || typeof word === "number").join(": ")) || "warning"
    );
  });
}
