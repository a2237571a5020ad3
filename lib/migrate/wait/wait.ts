import { ServiceError } from "../../errors";
import type { CertificateReader, ResourceLister } from "../../google";
import { orAborted } from "../abort";
import { type Assessment, assess, assessEntries, type Standing } from "./assess";

export interface WaitOptions extends WaitSettings {
  /** `projects/P/locations/L/certificates/C`, one or more. */
  readonly certificates: readonly string[];
}

export interface EntryWaitOptions extends WaitSettings {
  /** `projects/P/locations/global/certificateMaps/M/certificateMapEntries/E`, one or more. */
  readonly entries: readonly string[];
}

export interface WaitSettings {
  /** @default 60 minutes */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told of each of them whose state or reasons have changed. */
  readonly onChange?: (standing: Standing) => void;
  /** Told of where all of them stand, each time that it was asked. */
  readonly onPoll?: (standings: readonly Standing[]) => void;
  /** Told of each request that failed and is tried again. */
  readonly onRetry?: (error: ServiceError) => void;
}

export interface WaitResult {
  readonly verdict: "active" | "failed" | "timed-out" | "stopped";
  readonly standings: readonly Standing[];
}

const defaultTimeoutMs = 60 * 60 * 1000;
/**
 * Soon at first, for what is active already, then 15 to 30 s: at two to four requests a minute, seventy waits at once stay within the 300 that a project has.
 * All of them are jittered, since gates of one apply start together.
 */
const firstPausesMs = [2_000, 5_000, 10_000];
const pauseMs = 15_000;
/** The longest pause after requests that failed one after the other; it doubles until there. */
const longestPauseMs = 120_000;

/**
 * Waits until all certificates are active. It ends at once when one has failed; what passes by itself (quota, outages, a certificate that is
 * not there yet) is waited for until the time is over.
 *
 * @throws ServiceError for a refusal that asking again won't change
 */
export function waitForCertificates(reader: CertificateReader, options: WaitOptions): Promise<WaitResult> {
  const { certificates, signal } = options;
  const ask = async () => assess(certificates, await reader.read(certificates, signal));
  return waitUntilActive(ask, unasked(certificates), options);
}

/**
 * Waits until all map entries are active, as {@link waitForCertificates} does for certificates; one list call for each map at a time. An entry never fails.
 *
 * @throws ServiceError for a refusal that asking again won't change
 */
export function waitForEntries(
  lister: Pick<ResourceLister, "entries">,
  options: EntryWaitOptions,
): Promise<WaitResult> {
  const { entries, signal } = options;
  const maps = [...new Set(entries.map((name) => name.slice(0, name.lastIndexOf("/certificateMapEntries/"))))];
  const ask = async () => {
    const found = [];
    for (const map of maps) found.push(...(await lister.entries(map, signal)));
    return assessEntries(entries, found);
  };
  return waitUntilActive(ask, unasked(entries), options);
}

/** As long as nobody has answered, nothing is known: not even that something is missing. */
function unasked(names: readonly string[]): Assessment {
  return { verdict: "waiting", standings: names.map((name) => ({ name, state: "UNKNOWN", findings: [] })) };
}

async function waitUntilActive(
  ask: () => Promise<Assessment>,
  nothing: Assessment,
  options: WaitSettings,
): Promise<WaitResult> {
  const { signal, onChange } = options;
  const deadline = options.now() + (options.timeoutMs ?? defaultTimeoutMs);
  const told = new Map<string, string>();
  let last = nothing;
  let failures = 0;
  let isLast = false;
  for (let poll = 0; ; poll += 1) {
    if (signal.aborted) return { verdict: "stopped", standings: last.standings };
    const answer = await readOnce(ask, options);
    failures = answer === undefined ? failures + 1 : 0;
    last = answer ?? last;
    for (const standing of answer?.standings ?? []) {
      const text = JSON.stringify(standing);
      if (told.get(standing.name) !== text) onChange?.(standing);
      told.set(standing.name, text);
    }
    options.onPoll?.(last.standings);
    if (last.verdict !== "waiting") return { verdict: last.verdict, standings: last.standings };
    if (isLast) return { verdict: "timed-out", standings: last.standings };
    const left = Math.max(0, deadline - options.now());
    const pause = pauseAfter(poll, failures, options.random());
    // The last look falls on the end of the time.
    isLast = pause >= left;
    await options.sleep(Math.min(left, pause), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

function pauseAfter(poll: number, failures: number, random: number): number {
  const first = firstPausesMs[poll];
  const usual = first === undefined ? pauseMs * (1 + random) : first * (0.75 + random / 2);
  return failures < 2 ? usual : Math.min(Math.max(usual, pauseMs) * 2 ** (failures - 1), longestPauseMs);
}

async function readOnce(ask: () => Promise<Assessment>, options: WaitSettings): Promise<Assessment | undefined> {
  try {
    return await orAborted(ask(), options.signal);
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (!(error instanceof ServiceError) || !error.retryable) throw error;
    options.onRetry?.(error);
    return undefined;
  }
}
