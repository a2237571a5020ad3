import { defined } from "../../../json/defined";
import type { VerifyOptions, VerifyResult } from "../../../live/verify";
import type { Io } from "../../command";
import type { Connections } from "../../connections";
import { wordsFor } from "../../duration";
import { createProgress } from "../../progress";
import { sleep } from "../../sleep";

export type CheckLimits = Required<Pick<VerifyOptions, "repeat" | "withinMs" | "keyFamilies">>;

interface CheckOptions extends CheckLimits, Pick<VerifyOptions, "targets" | "planned"> {
  /** Whether to also send an HTTP request. */
  readonly http: boolean;
}

/** Verifies every target and reports progress; each initial failure is printed once. */
export async function checkServing(
  { http, ...options }: CheckOptions,
  { concurrency, shakeHands, trusted }: Connections,
  io: Io,
): Promise<readonly VerifyResult[]> {
  const { verifyServing } = require("../../../live/verify") as typeof import("../../../live/verify");
  const progress = createProgress(io, { noun: ["check", "checks"] });
  const total = options.targets.reduce((count, { addresses }) => count + addresses.length, 0);
  const told = new Set<string>();
  let settled = 0;
  let bad = 0;
  try {
    return await verifyServing({
      ...options,
      concurrency,
      ...defined({ trusted }),
      shakeHands: (address, hostname, client) => shakeHands(address, hostname, { http, ...defined({ client }) }),
      signal: io.signal,
      now: () => io.now().getTime(),
      sleep,
      random: Math.random,
      onRetry: ({ hostname, address, code, detail }, outlook) => {
        const key = `${hostname} ${address} ${code}`;
        const doubt = outlook === "unknown" ? "; asked again, as nobody can tell whether that passes by itself" : "";
        if (!told.has(key)) progress.line(`${hostname} at ${address}: ${code} (${detail})${doubt}`);
        told.add(key);
        progress.update(settled, total, `asking again, ${wordsFor(options.withinMs)} at most`);
      },
      onResult: ({ ok }) => {
        settled += 1;
        if (!ok) bad += 1;
        progress.update(settled, Math.max(total, settled), bad === 0 ? undefined : `${bad} not as they should be`);
      },
    });
  } finally {
    progress.end();
  }
}
