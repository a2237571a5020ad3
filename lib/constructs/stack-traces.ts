/**
 * Runs a function without stack traces. cdktf takes a trace for each block and token, two dozen for a certificate.
 * These traces need 40 % of the time. Errors keep their own trace.
 */
export function withoutStackTraces<Result>(make: () => Result): Result {
  const capture = Error.captureStackTrace;
  // Hardened runtimes freeze the property; then the traces are taken.
  const replaced = Reflect.set(Error, "captureStackTrace", () => {});
  try {
    return make();
  } finally {
    if (replaced) Error.captureStackTrace = capture;
  }
}
