import { ServiceError } from "../../../errors";
import type { Io } from "../../command";

/**
 * Timeout of a clock request, in milliseconds. A rehearsal cloud answers immediately. Another service receives one
 * request, which must not delay the command.
 */
const clockTimeoutMs = 2_000;

/**
 * Returns a function that returns the time of the service at a base URL. A rehearsal cloud has its own clock (`cloud
 * --speed`), which sets the times of its events and the range of its lists; it is queried each time. For any other
 * service, the time is the machine's.
 */
export function serviceClock(baseUrl: string, io: Pick<Io, "now" | "signal">): () => Promise<Date> {
  const url = new URL(baseUrl);
  // A rehearsal cloud listens only on this machine.
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
      // A service that does not answer yet may turn out to be a rehearsal cloud.
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
