import { defined } from "../../../json/defined";
import type { VerifyOptions, VerifyResult } from "../../../live/verify";
import type { Io } from "../../command";
import type { Connections } from "../../connections";
import { sleep, wordsFor } from "../../duration";
import * as load from "../../load";
import { createProgress } from "../../progress";
import { subjectOf } from "./render";

type CheckLimits = Required<Pick<VerifyOptions, "repeat" | "withinMs" | "keyFamilies">>;

interface CheckOptions extends CheckLimits, Pick<VerifyOptions, "targets" | "planned"> {
  readonly http: boolean;
}

/**
 * Verifies every target and reports progress; each initial failure is printed once.
 *
 * @param pause resolves after that many milliseconds, or rejects when the signal is aborted
 */
export async function checkServing(
  { http, ...options }: CheckOptions,
  { concurrency, shakeHands, trusted }: Connections,
  io: Io,
  pause: VerifyOptions["sleep"] = sleep,
): Promise<readonly VerifyResult[]> {
  const { verifyServing } = load.verify();
  const progress = createProgress(io, { noun: ["check", "checks"] });
  const total = options.targets.reduce((count, { addresses }) => count + addresses.length, 0);
  const deadline = io.now().getTime() + options.withinMs;
  const reported = new Set<string>();
  const retried = new Set<string>();
  let settled = 0;
  let bad = 0;
  const showProgress = () => {
    const parts = [
      ...(bad === 0 ? [] : [`${bad} not as they should be`]),
      ...(retried.size === 0 ? [] : [`${retried.size} failing and retried`]),
    ];
    const label = parts.length === 0 ? undefined : parts.join(", ");
    progress.update(settled, Math.max(total, settled), label, () => {
      return `at most ${wordsFor(deadline - io.now().getTime())} left`;
    });
  };
  showProgress();
  try {
    return await verifyServing({
      ...options,
      concurrency,
      ...defined({ trusted }),
      shakeHands: (address, hostname, client) => shakeHands(address, hostname, { http, ...defined({ client }) }),
      signal: io.signal,
      now: () => io.now().getTime(),
      sleep: pause,
      random: Math.random,
      onRetry: (result, outlook) => {
        const { hostname, address, code, message } = result;
        const key = `${hostname} ${address} ${code}`;
        const doubt = outlook === "unknown" ? "; repeated, because the failure may resolve on its own" : "";
        if (!reported.has(key)) progress.line(`${hostname} at ${address}: ${message}${doubt} [${code}]`);
        reported.add(key);
        retried.add(subjectOf(result));
        showProgress();
      },
      onResult: (result) => {
        retried.delete(subjectOf(result));
        settled += 1;
        if (!result.ok) bad += 1;
        showProgress();
      },
    });
  } finally {
    progress.end();
  }
}
