import { escapeUnsafe } from "../text/quote";

/**
 * The content of an error answer of a Google service, in either of its two formats, or of OAuth. Safe for a terminal.
 */
export interface ServiceRefusal {
  /** The service's message; empty if the body contains none. */
  readonly message: string;
  /**
   * `errors[0].reason` of the older format, else the reason of an ErrorInfo detail, else `status` of the newer format;
   * for OAuth its error code.
   */
  readonly reason?: string;
}

/** In characters; longer messages are cut. */
const longestMessage = 500;
const longestReason = 100;

/**
 * Reads `{"error": {"code", "message", "status", "details"}}`, `{"error": {"code", "message", "errors":
 * [{"reason"}]}}`, and OAuth's `{"error", "error_description"}` (RFC 6749, 5.2). Any other body, for example a proxy's
 * page, gives an empty message.
 */
export function parseRefusal(body: string): ServiceRefusal {
  const answer = parseJson(body);
  const error = own(answer, "error");
  if (typeof error === "string") return refusalOf(own(answer, "error_description"), error);
  const reasons = [own(first(own(error, "errors")), "reason"), detailReason(error), own(error, "status")];
  return refusalOf(
    own(error, "message"),
    reasons.find((word): word is string => typeof word === "string" && word !== ""),
  );
}

/** Returns the beginning of a service's message, safe for a terminal. */
export function printableMessage(message: string): string {
  return escapeUnsafe(message.slice(0, longestMessage));
}

function refusalOf(message: unknown, reason: string | undefined): ServiceRefusal {
  return {
    message: typeof message === "string" ? printableMessage(message) : "",
    ...(reason === undefined ? {} : { reason: escapeUnsafe(reason.slice(0, longestReason)) }),
  };
}

function detailReason(error: unknown): unknown {
  const details = own(error, "details");
  if (!Array.isArray(details)) return undefined;
  return own(
    details.find((detail) => String(own(detail, "@type")).endsWith("google.rpc.ErrorInfo")),
    "reason",
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}
