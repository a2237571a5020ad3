/** Order of the deploys of a rehearsal. */
export type RehearsalOrder =
  | "phases"
  | "one deploy"
  | "traffic at once"
  | "without traffic"
  | "certificates alone"
  | "map attached at once"
  | "certificates removed first";

/**
 * Returns the number of the last step that a rehearsal runs.
 *
 * @param isInPlace whether proxies serve the hostnames already, so that traffic does not move
 */
export function lastStepOf(order: RehearsalOrder | undefined, isInPlace: boolean): number {
  if (isInPlace || order === "without traffic") return 7;
  return order === "certificates alone" ? 3 : 8;
}
