import { orAborted } from "../../async/abort";
import { ServiceError } from "../../errors";
import type { CertificateReader, ResourceLister } from "../../google";
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
  /**
   * How long to wait; a request that is under way then is cut off, and the last one, which falls on the end, has two seconds.
   *
   * @default 60 minutes
   */
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
/** How long the look at the end of the time may take. */
const lastLookMs = 2_000;
/** What a timer can count to. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Waits until all certificates are active. It ends at once when one has failed; what passes by itself (quota, outages, a certificate that is
 * not there yet) is waited for until the time is over.
 *
 * @throws ServiceError for a refusal that asking again won't change, and at the end of the time where no request at all was answered
 */
export function waitForCertificates(reader: CertificateReader, options: WaitOptions): Promise<WaitResult> {
  const { certificates } = options;
  const ask = async (signal: AbortSignal) => assess(certificates, await reader.read(certificates, signal));
  return waitUntilActive(ask, unasked(certificates), options);
}

/**
 * Waits until all map entries are active, as {@link waitForCertificates} does for certificates; one list call for each map at a time. An entry never fails.
 *
 * @throws ServiceError for a refusal that asking again won't change, and at the end of the time where no request at all was answered
 */
export function waitForEntries(
  lister: Pick<ResourceLister, "entries">,
  options: EntryWaitOptions,
): Promise<WaitResult> {
  const { entries } = options;
  const maps = [...new Set(entries.map((name) => name.slice(0, name.lastIndexOf("/certificateMapEntries/"))))];
  const ask = async (signal: AbortSignal) => {
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

/** Asks for everything once. */
type Ask = (signal: AbortSignal) => Promise<Assessment>;

async function waitUntilActive(ask: Ask, nothing: Assessment, options: WaitSettings): Promise<WaitResult> {
  const { signal, onChange } = options;
  const deadline = options.now() + (options.timeoutMs ?? defaultTimeoutMs);
  const told = new Map<string, string>();
  let last = nothing;
  let failures = 0;
  let isLast = false;
  for (let poll = 0; ; poll += 1) {
    if (signal.aborted) return { verdict: "stopped", standings: last.standings };
    const look = await readOnce(ask, Math.max(deadline - options.now(), isLast ? lastLookMs : 0), options);
    if (look instanceof ServiceError) failures += 1;
    else {
      failures = 0;
      last = look ?? last;
    }
    for (const standing of look instanceof ServiceError ? [] : (look?.standings ?? [])) {
      const text = JSON.stringify(standing);
      if (told.get(standing.name) !== text) onChange?.(standing);
      told.set(standing.name, text);
    }
    options.onPoll?.(last.standings);
    if (last.verdict !== "waiting") return { verdict: last.verdict, standings: last.standings };
    const left = Math.max(0, deadline - options.now());
    if (isLast || left === 0) {
      // What nobody has answered is no state that could be told.
      if (look instanceof ServiceError && last === nothing && !signal.aborted) throw look;
      return { verdict: signal.aborted ? "stopped" : "timed-out", standings: last.standings };
    }
    if (look instanceof ServiceError) options.onRetry?.(look);
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

/** What a look brought: an answer, a failure that may pass, or nothing where the wait was stopped. */
async function readOnce(
  ask: Ask,
  milliseconds: number,
  options: WaitSettings,
): Promise<Assessment | ServiceError | undefined> {
  const late = AbortSignal.timeout(Math.min(milliseconds, longestTimerMs));
  const signal = AbortSignal.any([options.signal, late]);
  try {
    return await orAborted(ask(signal), signal);
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (late.aborted) {
      const message = "the service did not answer before the end of the time to wait";
      return new ServiceError(message, { code: "service-timeout", retryable: true, cause: error });
    }
    if (!(error instanceof ServiceError) || !error.retryable) throw error;
    return error;
  }
}
