/**
 * Does something that makes many constructs without a stack trace for each.
 *
 * cdktf takes one for every block and every token of a resource, two dozen for a certificate, which is 40 % of the time that making
 * them takes; all of them would lead into this library. Errors take their own trace and keep it.
 */
export function withoutStackTraces<Result>(make: () => Result): Result {
  const capture = Error.captureStackTrace;
  // Where a hardened runtime has frozen it, the traces are simply taken.
  const replaced = Reflect.set(Error, "captureStackTrace", () => {});
  try {
    return make();
  } finally {
    if (replaced) Error.captureStackTrace = capture;
  }
}
