/**
 * Duration of a service's operations, in milliseconds of the cloud's time: a constant, or a function that is called
 * when an operation begins.
 */
export type OperationTime = number | (() => number);

/** A service whose changes are operations. */
export type OperatingService = "certificatemanager" | "compute" | "dns" | "networksecurity";

/** Returns the duration of an operation that begins now, in milliseconds of the cloud's time. */
export function timeOf(operationTime: OperationTime): number {
  return typeof operationTime === "number" ? operationTime : operationTime();
}
