import { appendFileSync, closeSync, openSync } from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { defined } from "../../json/defined";
import type { WatchChange, WatchGap, WatchLine, WatchObservers, WatchStart, WatchSummary } from "../../live/watch";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { wordsFor } from "../duration";
import { errorCodeOf } from "../files";
import type { Progress } from "../progress";

/**
 * Writes every event to the log, if there is one, and prints only new facts: the same fact is not printed in every
 * round.
 */
export function createWatchHooks(progress: Progress, log: WatchLogFile | undefined): Required<WatchObservers> {
  /** Failure that was last printed for each failing hostname. */
  const failing = new Map<string, string>();
  const absent = new Set<string>();
  const silent = new Set<string>();
  const reportSilence = ({ hostname, address = "" }: Line<"sample">) => {
    if (silent.has(address)) return;
    silent.add(address);
    progress.line(`${hostname} at ${address}: not confirmed: the server sends nothing after the handshake`);
  };
  const reportFailure = ({ hostname, resolver, address, code = "", detail = "" }: Line<"sample">) => {
    const failure = `${hostname} at ${address ?? resolver}: ${detail} [${code}]`;
    if (failing.get(hostname) !== failure) progress.line(failure);
    failing.set(hostname, failure);
  };
  const reportAbsence = ({ hostname, resolver, detail }: Line<"absent">) => {
    if (absent.has(hostname)) return;
    absent.add(hostname);
    progress.line(`${hostname} is new: ${resolver} has no address yet (${detail}), which is not a failure`);
  };
  const reportGapBegin = ({ time, reason }: Line<"gap-begin">) => {
    // `onSilent` reports a single resolver.
    if (reason !== "network-lost") return;
    progress.line(`no server has answered since ${time}: neither a resolver nor an address; failures do not count`);
  };
  return {
    onLine: (line) => {
      log?.write(line);
      if (line.kind === "gap") progress.line(gapLine(line));
      else if (line.kind === "gap-begin") reportGapBegin(line);
      else if (line.kind === "absent") reportAbsence(line);
      else if (line.kind === "sample" && line.confirmed === false) reportSilence(line);
      else if (line.kind === "sample" && !line.ok && line.shared !== true) reportFailure(line);
    },
    onChange: (hostname, change) => {
      if (change === "fails") return;
      if (change === "recovered") failing.delete(hostname);
      progress.line(`${hostname} ${changeWords[change]}`);
    },
    onProgress: ({ share, failures }) => {
      const all = share.loadBalancer + share.previous + share.other + share.unknown;
      progress.update(share.loadBalancer, all, failures === 0 ? "no failure" : countOf(failures, "failure"));
    },
    onSilent: (resolver) =>
      progress.line(`${resolver} does not answer: it is skipped, and retried at growing intervals`),
    onBlind: (since, restMs) => {
      const text = `no server has answered since ${new Date(since).toISOString()}`;
      progress.show(text, () => `the watch ends in ${wordsFor(restMs)}`);
    },
    onIpv6Missing: () => progress.line("this machine has no IPv6: addresses of IPv6 are not watched"),
  };
}

type Line<Kind extends WatchLine["kind"]> = Extract<WatchLine, { readonly kind: Kind }>;

const changeWords: Readonly<Record<Exclude<WatchChange, "fails">, string>> = {
  moved: "leads to the load balancer everywhere",
  "moved-back": "no longer leads to the load balancer everywhere",
  recovered: "is good again",
};

const gapWords = {
  "stood-still": "the watch was suspended",
  "network-lost": "the watch had no network",
  "resolver-silent": "did not answer",
} as const;

function gapLine({ time, until, reason, resolver, discarded }: Line<"gap">): string {
  const who = resolver === undefined ? "" : `${resolver} `;
  return `gap from ${time} to ${until}: ${who}${gapWords[reason]}; ${countOf(discarded, "poll is", "polls are")} not counted`;
}

/** Maximum number of periods in the JSON; further periods are only counted. */
const mostPeriods = 1_000;

type Period = Pick<WatchGap, "reason" | "resolver"> & { readonly from: string; readonly until: string };

/**
 * Contract of `watch --json`: the summary, what was watched, and the periods without data. docs/json-output.md
 * describes it.
 */
export interface WatchJson
  extends WatchSummary,
    Pick<WatchStart, "wildcards" | "resolvers" | "previousAddresses" | "loadBalancerAddresses" | "everyMs"> {
  readonly startedAt: string;
  readonly migrations: NonNullable<WatchStart["migrations"]>;
  readonly notWatched: readonly string[];
  /** The first {@link mostPeriods} periods, in the order in which they ended. */
  readonly gapPeriods: readonly Period[];
}

/** Collects what `watch --json` prints from the lines of a watch. */
export function createWatchJson(migrations: WatchJson["migrations"]) {
  let start: WatchStart | undefined;
  const gapPeriods: Period[] = [];
  return {
    take: (line: WatchLine): void => {
      if (line.kind === "start") start = line;
      if (line.kind !== "gap" || gapPeriods.length >= mostPeriods) return;
      const { time: from, until, reason, resolver } = line;
      gapPeriods.push({ from, until, reason, ...defined({ resolver }) });
    },
    result: (summary: WatchSummary, notWatched: readonly string[]): WatchJson => {
      const { time: startedAt = summary.time, wildcards = {}, resolvers = [], everyMs = 0 } = start ?? {};
      const { previousAddresses = [], loadBalancerAddresses = [] } = start ?? {};
      const addresses = { previousAddresses, loadBalancerAddresses };
      const watched = { startedAt, migrations, wildcards, resolvers, ...addresses, everyMs };
      return { ...summary, ...watched, notWatched, gapPeriods };
    },
  };
}

interface WatchLogFile {
  readonly write: (line: WatchLine) => void;
  readonly close: () => void;
}

/** Buffer limits: the maximum number of characters, and the maximum delay in milliseconds before they are written. */
const mostPending = 64 * 1_024;
const pendingMs = 1_000;

/** Opens a file for JSON lines. */
export function openWatchLog(path: string, { now }: Io): WatchLogFile {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (error) {
    if (errorCodeOf(error) === "EEXIST") {
      throw new InputError("file-exists", `--log ${quote(path)} exists and is not replaced; give another name`);
    }
    const message = `--log ${quote(path)} can't be written: ${fileReason(error)}; give another name`;
    throw new InputError("file-unwritable", message);
  }
  let pending = "";
  let writtenAt = now().getTime();
  const flush = () => {
    const text = pending;
    pending = "";
    writtenAt = now().getTime();
    try {
      // A single `write` may write only a part without an error; `appendFileSync` writes everything.
      appendFileSync(file, text);
    } catch (error) {
      const what = `--log ${quote(path)} can no longer be written: ${fileReason(error)}`;
      throw new InputError("file-unwritable", `${what}; what it has is what was seen until then: give another name`);
    }
  };
  return {
    write: (line) => {
      pending += `${JSON.stringify(line)}\n`;
      const isDue = now().getTime() - writtenAt >= pendingMs || pending.length >= mostPending;
      const isOfMany = line.kind === "sample" || line.kind === "absent";
      if (!isOfMany || isDue) flush();
    },
    close: () => {
      try {
        if (pending !== "") flush();
      } finally {
        closeSync(file);
      }
    },
  };
}
