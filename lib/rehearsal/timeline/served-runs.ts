import { defined } from "../../json/defined";
import type { RehearsalTimeline, ServedRun } from "../../report";
import type { Probe } from "../probe";

/** Maximum number of runs of a hostname. The last one takes the rest, so that the result stays small. */
const mostRuns = 200;

type GrowingRun = { -readonly [Name in keyof ServedRun]: ServedRun[Name] };

/**
 * Joins consecutive handshakes of a hostname with the same result.
 *
 * @param isPrevious returns whether a certificate belongs to the previous provider, by its SHA-256
 */
export function createServedRuns(hostnames: readonly string[], isPrevious: (certificate: string) => boolean) {
  const runs = new Map<string, GrowingRun[]>(hostnames.map((hostname) => [hostname, []]));
  return {
    add: (probe: Probe) => {
      const served = runs.get(probe.hostname) ?? [];
      runs.set(probe.hostname, served);
      const run = runOf(probe, isPrevious);
      const last = served.at(-1);
      if (last !== undefined && isSame(last, run)) return extend(last, run);
      if (last === undefined || served.length < mostRuns) return void served.push(run);
      if (last.by !== "mixed") {
        last.failed = last.by === "failed" ? last.handshakes : 0;
        last.by = "mixed";
        delete last.certificate;
      }
      if (run.by === "failed") last.failed = (last.failed ?? 0) + 1;
      if (run.error !== undefined) last.error ??= run.error;
      extend(last, run);
    },
    result: (): RehearsalTimeline["hostnames"] => [...runs].map(([hostname, served]) => ({ hostname, runs: served })),
  };
}

function extend(last: GrowingRun, run: ServedRun): void {
  // Concurrent probes of a hostname may end in another order.
  if (run.until > last.until) last.until = run.until;
  last.handshakes += 1;
}

function isSame(last: ServedRun, run: ServedRun): boolean {
  return last.by === run.by && last.certificate === run.certificate && last.error === run.error;
}

function runOf({ time, ok, side, certificate, error }: Probe, isPrevious: (sha256: string) => boolean): GrowingRun {
  const run = { from: time, until: time, handshakes: 1, ...defined({ certificate }) };
  if (!ok) return { ...run, by: "failed", error: error ?? "failed" };
  if (side === "previous") return { ...run, by: "previous" };
  return {
    ...run,
    by: certificate !== undefined && isPrevious(certificate) ? "load-balancer-previous" : "load-balancer",
  };
}
