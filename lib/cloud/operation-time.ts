/**
 * Duration of operations, in milliseconds of the cloud's time: a constant, or a function that is called with the id of
 * the method that begins an operation, for example `compute.addresses.insert`.
 */
export type OperationTime = number | ((methodId: string) => number);

/** Returns the duration of an operation that a method begins now, in milliseconds of the cloud's time. */
export function timeOf(operationTime: OperationTime, methodId: string): number {
  return typeof operationTime === "number" ? operationTime : operationTime(methodId);
}
