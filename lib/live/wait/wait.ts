import { orAborted } from "../../async/abort";
import { ServiceError } from "../../errors";
import type { CertificateReader, ResourceLister } from "../../google";
import { type Assessment, assess, assessEntries, type ResourceState } from "./assess";

/** Options of {@link waitForCertificates}. */
export interface WaitOptions extends WaitSettings {
  /** `projects/P/locations/L/certificates/C`, one or more. */
  readonly certificates: readonly string[];
}

/** Options of {@link waitForEntries}. */
export interface EntryWaitOptions extends WaitSettings {
  /** `projects/P/locations/global/certificateMaps/M/certificateMapEntries/E`, one or more. */
  readonly entries: readonly string[];
}

/** Options of every wait. */
export interface WaitSettings {
  /**
   * How long to wait, in milliseconds. Requests in progress are cut off at the end. The last request starts at the end
   * of the time and may take two seconds.
   *
   * @default 60 minutes
   */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Called for each resource whose state or reasons changed. */
  readonly onChange?: (resource: ResourceState) => void;
  /** Called with the state of all resources after each poll. */
  readonly onPoll?: (resources: readonly ResourceState[]) => void;
  /** Called for each failed request that is retried. */
  readonly onRetry?: (error: ServiceError) => void;
}

/** The result of a wait. */
export interface WaitResult {
  readonly verdict: "active" | "failed" | "timed-out" | "stopped";
  readonly resources: readonly ResourceState[];
}

const defaultTimeoutMs = 60 * 60 * 1000;
/**
 * Pauses between the first polls: short, in case the resources are active already. Later pauses take 15 to 30 s, which
 * is two to four requests per minute. Seventy waits at the same time stay within the project's 300 requests per minute.
 * All pauses are jittered, because the gates of one apply start together.
 */
const firstPausesMs = [2_000, 5_000, 10_000];
const pauseMs = 15_000;
/** Maximum pause after consecutive failed requests; the pause doubles up to this limit. */
const longestPauseMs = 120_000;
/** Maximum duration of the poll at the end of the time. */
const lastPollMs = 2_000;
/** Maximum delay of a Node timer (2^31 - 1 ms). */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Waits until all certificates are active. Ends at once if one certificate has failed. Temporary conditions (quota,
 * outages, a certificate that does not exist yet) are waited for until the timeout.
 *
 * @throws ServiceError for a refusal that a retry cannot change, and at the timeout if no request was answered
 */
export function waitForCertificates(reader: CertificateReader, options: WaitOptions): Promise<WaitResult> {
  const { certificates } = options;
  const ask = async (signal: AbortSignal) => assess(certificates, await reader.read(certificates, signal));
  return waitUntilActive(ask, unasked(certificates), options);
}

/**
 * Waits until all map entries are active, as {@link waitForCertificates} does for certificates. Each poll sends one
 * list call per map. An entry never fails.
 *
 * @throws ServiceError for a refusal that a retry cannot change, and at the timeout if no request was answered
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

/** Without an answer, it is not even known whether a resource is missing. */
function unasked(names: readonly string[]): Assessment {
  return { verdict: "waiting", resources: names.map((name) => ({ name, state: "UNKNOWN", findings: [] })) };
}

type Ask = (signal: AbortSignal) => Promise<Assessment>;

async function waitUntilActive(ask: Ask, nothing: Assessment, options: WaitSettings): Promise<WaitResult> {
  const { signal, onChange } = options;
  const deadline = options.now() + (options.timeoutMs ?? defaultTimeoutMs);
  const reported = new Map<string, string>();
  let last = nothing;
  let failures = 0;
  let isLast = false;
  for (let poll = 0; ; poll += 1) {
    if (signal.aborted) return { verdict: "stopped", resources: last.resources };
    const assessment = await readOnce(ask, Math.max(deadline - options.now(), isLast ? lastPollMs : 0), options);
    if (assessment instanceof ServiceError) failures += 1;
    else {
      failures = 0;
      last = assessment ?? last;
    }
    for (const resource of assessment instanceof ServiceError ? [] : (assessment?.resources ?? [])) {
      const text = JSON.stringify(resource);
      if (reported.get(resource.name) !== text) onChange?.(resource);
      reported.set(resource.name, text);
    }
    options.onPoll?.(last.resources);
    if (last.verdict !== "waiting") return { verdict: last.verdict, resources: last.resources };
    const left = Math.max(0, deadline - options.now());
    if (isLast || left === 0) {
      // Without any answer, no state can be reported.
      if (assessment instanceof ServiceError && last === nothing && !signal.aborted) throw assessment;
      return { verdict: signal.aborted ? "stopped" : "timed-out", resources: last.resources };
    }
    if (assessment instanceof ServiceError) options.onRetry?.(assessment);
    const pause = pauseAfter(poll, failures, options.random());
    // The last poll is at the end of the time.
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

/** Polls once. Returns the answer, a failure that may be temporary, or undefined if the wait was stopped. */
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
