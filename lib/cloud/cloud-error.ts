/** Names of google.rpc.Code: HTTP status, number in operations, and reason in the `errors` dialect. */
const statuses = {
  INVALID_ARGUMENT: { http: 400, code: 3, reason: "invalid" },
  FAILED_PRECONDITION: { http: 400, code: 9, reason: "failedPrecondition" },
  UNAUTHENTICATED: { http: 401, code: 16, reason: "authError" },
  PERMISSION_DENIED: { http: 403, code: 7, reason: "forbidden" },
  NOT_FOUND: { http: 404, code: 5, reason: "notFound" },
  ALREADY_EXISTS: { http: 409, code: 6, reason: "alreadyExists" },
  ABORTED: { http: 409, code: 10, reason: "conflict" },
  CONDITION_NOT_MET: { http: 412, code: 9, reason: "conditionNotMet" },
  RESOURCE_EXHAUSTED: { http: 429, code: 8, reason: "rateLimitExceeded" },
  INTERNAL: { http: 500, code: 13, reason: "internalError" },
  UNIMPLEMENTED: { http: 501, code: 12, reason: "notImplemented" },
  UNAVAILABLE: { http: 503, code: 14, reason: "backendError" },
  DEADLINE_EXCEEDED: { http: 504, code: 4, reason: "deadlineExceeded" },
} as const;

export type CloudStatus = keyof typeof statuses;

interface CloudErrorOptions {
  /**
   * Reason in the `errors` dialect, for example `resourceInUseByAnotherResource`. @default - the reason of the status
   */
  readonly reason?: string;
  /** Details in the `status` dialect. Each needs a well-known `@type`, because clients reject others. */
  readonly details?: readonly object[];
  /** HTTP status, if it is not the usual status. */
  readonly httpStatus?: number;
}

/** An error that a service returns to its client. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly status: CloudStatus;
  readonly httpStatus: number;
  readonly reason: string;
  readonly details: readonly object[];

  constructor(status: CloudStatus, message: string, options: CloudErrorOptions = {}) {
    super(message);
    this.status = status;
    this.httpStatus = options.httpStatus ?? statuses[status].http;
    this.reason = options.reason ?? statuses[status].reason;
    this.details = options.details ?? [];
  }

  /** Returns the error as `google.rpc.Status`, the format of operations. */
  get rpcStatus(): { readonly code: number; readonly message: string; readonly details?: readonly object[] } {
    return {
      code: statuses[this.status].code,
      message: this.message,
      ...(this.details.length === 0 ? {} : { details: this.details }),
    };
  }
}

/** Returns what a service has found. @param missing creates the error of the service for nothing @throws CloudError */
export function foundOrThrow<Value>(found: Value | undefined, missing: () => CloudError): Value {
  if (found === undefined) throw missing();
  return found;
}

/** Format of errors: `status` and `details` (Certificate Manager), or the older `errors[]` (DNS, Compute, reports). */
export type ErrorDialect = "status" | "errors";

export function errorBody(error: CloudError, dialect: ErrorDialect): object {
  const { httpStatus: code, message, status, reason, details } = error;
  if (dialect === "errors") return { error: { code, message, errors: [{ message, domain: "global", reason }] } };
  const word = status === "CONDITION_NOT_MET" ? "FAILED_PRECONDITION" : status;
  return { error: { code, message, status: word, ...(details.length === 0 ? {} : { details }) } };
}
