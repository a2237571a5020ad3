import { maskSecrets } from "../text/quote";

/**
 * Three culprits, three error types, three exit codes.
 *
 * {@link InputError}: the caller can mend it. {@link ServiceError}: a service said no or did not answer. Anything else that is
 * thrown is a mistake of this project, {@link BugError} where it noticed the mistake itself.
 */

/** One thing that is wrong with what the caller gave. */
export interface Problem {
  /** Stable, kebab-case: callers and tests branch on it. */
  readonly code: string;
  /** Which input, what is wrong with it, what is allowed and what to do. One line, lower case, no final period. */
  readonly message: string;
}

/** The caller gave something that can't be used. The command line ends with exit code 2. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** Code of the first problem. */
  readonly code: string;
  /** Everything that was wrong, in the order in which it was found; never empty. */
  readonly problems: readonly Problem[];

  constructor(code: string, message: string);
  constructor(problems: readonly Problem[]);
  constructor(codeOrProblems: string | readonly Problem[], message = "") {
    const problems = typeof codeOrProblems === "string" ? [{ code: codeOrProblems, message }] : codeOrProblems;
    super(problems.map((problem) => problem.message).join("\n"));
    this.code = problems[0]?.code ?? "invalid-input";
    this.problems = problems;
  }
}

/** What is known of a service's refusal. */
export interface ServiceErrorDetails {
  /** Stable, kebab-case. */
  readonly code: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** The service's own word for it, such as `PERMISSION_DENIED` or `rateLimitExceeded`. */
  readonly reason?: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** A service refused, failed or did not answer. The command line ends with exit code 3. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: string;
  readonly status?: number;
  readonly reason?: string;
  readonly retryable: boolean;

  /** @param message what was being attempted, then what came back; tokens and keys in it and in the reason are masked */
  constructor(message: string, details: ServiceErrorDetails) {
    super(maskSecrets(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.retryable = details.retryable;
    if (details.status !== undefined) this.status = details.status;
    if (details.reason !== undefined) this.reason = maskSecrets(details.reason);
  }
}

/** This project broke its own rule. The command line ends with exit code 1 and the stack trace. */
export class BugError extends Error {
  override readonly name = "BugError";
}
