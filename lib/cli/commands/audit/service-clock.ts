import { ServiceError } from "../../../errors";
import type { Io } from "../../command";

/** A rehearsal cloud answers at once; another service is asked once, and must not hold up what follows. */
const clockTimeoutMs = 2_000;

/**
 * Returns what time it is for the service at a base URL. A rehearsal cloud has a clock of its own (`cloud --speed`), by which its events are dated and
 * its lists are cut; it is asked each time. Every other service goes by the machine's time.
 */
export function serviceClock(baseUrl: string, io: Pick<Io, "now" | "signal">): () => Promise<Date> {
  const url = new URL(baseUrl);
  // A rehearsal cloud listens on this machine only.
  if (url.protocol !== "http:" || !isLoopback(url.hostname)) return async () => io.now();
  const { createHttpClient } = require("../../../http") as typeof import("../../../http");
  const http = createHttpClient({ timeoutMs: clockTimeoutMs, retry: { maxAttempts: 1 } });
  let isCloud: boolean | undefined;
  let last: { readonly time: Date; readonly askedAt: Date } | undefined;
  const ask = async (): Promise<Date | undefined> => {
    const request = { method: "GET", url: `${url.origin}/_cloud/clock`, purpose: "asking for the cloud's time" };
    try {
      const { text } = await http.send({ ...request, signal: io.signal });
      const time = timeIn(text);
      isCloud ??= time !== undefined;
      return time;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // A service that is not there yet may be a cloud when it comes.
      if (error.status !== undefined) isCloud ??= false;
      return undefined;
    }
  };
  return async () => {
    if (isCloud === false) return io.now();
    const time = await ask();
    if (time !== undefined) last = { time, askedAt: io.now() };
    if (last === undefined) return io.now();
    return new Date(last.time.getTime() + io.now().getTime() - last.askedAt.getTime());
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function timeIn(text: string): Date | undefined {
  try {
    const { now } = JSON.parse(text) as { readonly now?: unknown };
    const time = new Date(typeof now === "string" ? now : Number.NaN);
    return Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}
