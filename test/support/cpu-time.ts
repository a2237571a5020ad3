/**
 * Milliseconds of processor time that some work takes in this process: what else runs on the machine does not count.
 */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
