/** How long operations of a service run, in milliseconds of the cloud's time: the same for all, or asked for each when it begins. */
export type OperationTime = number | (() => number);

/** A service whose changes are operations. */
export type OperatingService = "certificatemanager" | "compute" | "dns";

/** Returns how long an operation that begins now runs. */
export function timeOf(operationTime: OperationTime): number {
  return typeof operationTime === "number" ? operationTime : operationTime();
}
