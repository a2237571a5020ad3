import type { Code } from "../findings/codes";
import type { CodedFinding } from "../findings/finding";
import { maskSecrets } from "../text/quote";

/**
 * Defines three error types, one for each origin of an error and each exit code.
 *
 * {@link InputError}: the caller can fix the input. {@link ServiceError}: a service refused or did not answer. Any
 * other thrown error is a bug of this project; {@link BugError} marks a bug that the project itself detected.
 */

/**
 * One mistake in what the caller gave: the code and message of a finding. The message names the input, what is wrong
 * with it, what is allowed and what to do, on one line, in lower case, without a final period.
 */
export interface Problem {
  readonly code: Code;
  readonly message: string;
}

/** Thrown when the caller's input cannot be used. The command line ends with exit code 2. */
export class InputError extends Error {
  override readonly name: "InputError" = "InputError";
  /** Code of the first problem. */
  readonly code: Code;
  /** All problems, in the order in which they were found; never empty. */
  readonly problems: readonly Problem[];

  constructor(code: Code, message: string);
  constructor(problems: readonly Problem[]);
  constructor(codeOrProblems: Code | readonly Problem[], message = "") {
    const problems = typeof codeOrProblems === "string" ? [{ code: codeOrProblems, message }] : codeOrProblems;
    super(problems.map((problem) => problem.message).join("\n"));
    this.code = problems[0]?.code ?? "input-invalid";
    this.problems = problems;
  }

  /**
   * The problems in the form of all findings. `subject` and `remedy` are empty, because the message contains the input
   * and what to do.
   */
  get findings(): readonly CodedFinding<Code>[] {
    return this.problems.map(({ code, message }) => ({ code, severity: "error", subject: "", message, remedy: "" }));
  }
}

/** Details of a service's refusal. */
export interface ServiceErrorDetails {
  /** Stable code in kebab-case. */
  readonly code: Code;
  /** HTTP status. @default - the service did not answer */
  readonly status?: number;
  /** The service's own reason, such as `PERMISSION_DENIED` or `rateLimitExceeded`. */
  readonly reason?: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** Thrown when a service refused, failed or did not answer. The command line ends with exit code 3. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: Code;
  readonly status?: number;
  readonly reason?: string;
  readonly retryable: boolean;

  /**
   * Creates the error.
   *
   * @param message the attempted action, then the answer; tokens and keys in the message and in the reason are masked
   */
  constructor(message: string, details: ServiceErrorDetails) {
    super(maskSecrets(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.retryable = details.retryable;
    if (details.status !== undefined) this.status = details.status;
    if (details.reason !== undefined) this.reason = maskSecrets(details.reason);
  }
}

/** Thrown when this project breaks its own invariant. The command line ends with exit code 1 and the stack trace. */
export class BugError extends Error {
  override readonly name = "BugError";
}

/**
 * Makes `instanceof` true for the errors of every copy of this package: wrapper libraries and linked workspaces can
 * have their own. Subclasses keep the usual meaning.
 */
function recognizeCopies(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`cdktf-google-cert-migration/${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === "object" && value !== null && mark in value;
    },
  });
}

recognizeCopies(InputError, "InputError");
recognizeCopies(ServiceError, "ServiceError");
recognizeCopies(BugError, "BugError");
