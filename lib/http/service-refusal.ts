/** What an error answer of a Google service says, in either of its two dialects. */
export interface ServiceRefusal {
  /** The service's sentence; empty where the body holds none. */
  readonly message: string;
  /** `errors[0].reason` of the older dialect, else the reason of an ErrorInfo detail, else `status` of the newer one. */
  readonly reason?: string;
}

const longestMessage = 500;

/**
 * Reads `{"error": {"code", "message", "status", "details"}}` and `{"error": {"code", "message", "errors": [{"reason"}]}}`. Anything
 * else, such as a proxy's page, gives an empty message.
 */
export function parseRefusal(body: string): ServiceRefusal {
  const error = own(parseJson(body), "error");
  // OAuth's own answers carry the word and the sentence side by side (RFC 6749, 5.2).
  if (typeof error === "string") return { message: error.slice(0, longestMessage), reason: error.slice(0, 100) };
  const message = own(error, "message");
  const reason = [own(first(own(error, "errors")), "reason"), detailReason(error), own(error, "status")].find(
    (word): word is string => typeof word === "string" && word !== "",
  );
  return {
    message: typeof message === "string" ? message.slice(0, longestMessage) : "",
    ...(reason === undefined ? {} : { reason: reason.slice(0, 100) }),
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
