/** Names of google.rpc.Code that the services use, with their HTTP status. */
const statuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  CONDITION_NOT_MET: 412,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

export type CloudStatus = keyof typeof statuses;

/** Reasons in the `errors` dialect, by the same names. */
const reasons: Readonly<Record<CloudStatus, string>> = {
  INVALID_ARGUMENT: "invalid",
  FAILED_PRECONDITION: "failedPrecondition",
  UNAUTHENTICATED: "authError",
  PERMISSION_DENIED: "forbidden",
  NOT_FOUND: "notFound",
  ALREADY_EXISTS: "alreadyExists",
  ABORTED: "conflict",
  CONDITION_NOT_MET: "conditionNotMet",
  RESOURCE_EXHAUSTED: "rateLimitExceeded",
  INTERNAL: "internalError",
  UNIMPLEMENTED: "notImplemented",
  UNAVAILABLE: "backendError",
  DEADLINE_EXCEEDED: "deadlineExceeded",
};

const codes: Readonly<Record<CloudStatus, number>> = {
  INVALID_ARGUMENT: 3,
  FAILED_PRECONDITION: 9,
  UNAUTHENTICATED: 16,
  PERMISSION_DENIED: 7,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  ABORTED: 10,
  CONDITION_NOT_MET: 9,
  RESOURCE_EXHAUSTED: 8,
  INTERNAL: 13,
  UNIMPLEMENTED: 12,
  UNAVAILABLE: 14,
  DEADLINE_EXCEEDED: 4,
};

interface CloudErrorOptions {
  /**
   * Reason in the `errors` dialect if it is not the usual reason of the status, for example
   * `resourceInUseByAnotherResource`.
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
    this.httpStatus = options.httpStatus ?? statuses[status];
    this.reason = options.reason ?? reasons[status];
    this.details = options.details ?? [];
  }

  /** Returns the error as `google.rpc.Status`, the format of operations. */
  get rpcStatus(): { readonly code: number; readonly message: string; readonly details?: readonly object[] } {
    return {
      code: codes[this.status],
      message: this.message,
      ...(this.details.length === 0 ? {} : { details: this.details }),
    };
  }
}

/** Format of errors: `status` and `details` (Certificate Manager), or the older `errors[]` (DNS, Compute, reports). */
export type ErrorDialect = "status" | "errors";

export function errorBody(error: CloudError, dialect: ErrorDialect): object {
  const { httpStatus: code, message, status, reason, details } = error;
  if (dialect === "errors") return { error: { code, message, errors: [{ message, domain: "global", reason }] } };
  const word = status === "CONDITION_NOT_MET" ? "FAILED_PRECONDITION" : status;
  return { error: { code, message, status: word, ...(details.length === 0 ? {} : { details }) } };
}
