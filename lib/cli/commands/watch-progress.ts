import type { WatchChange, WatchLine, WatchOptions } from "../../live/watch";
import { countOf } from "../../text/words";
import { wordsFor } from "../duration";
import type { Progress } from "../progress";
import type { WatchLogFile } from "./watch-log-file";

type Hooks = Required<
  Pick<WatchOptions, "onLine" | "onChange" | "onProgress" | "onSilent" | "onBlind" | "onIpv6Missing">
>;

/** Writes every event to the log, if there is one, and prints only new facts: the same fact is not printed in every round. */
export function createWatchHooks(progress: Progress, log: WatchLogFile | undefined): Hooks {
  /** Failure that was last printed for each failing hostname. */
  const failing = new Map<string, string>();
  const absent = new Set<string>();
  const silent = new Set<string>();
  const tellSilence = ({ hostname, address = "" }: Line<"sample">) => {
    if (silent.has(address)) return;
    silent.add(address);
    progress.line(`${hostname} at ${address}: not confirmed: the server sends nothing after the handshake`);
  };
  const tellFailure = ({ hostname, resolver, address, code = "", detail = "" }: Line<"sample">) => {
    const failure = `${hostname} at ${address ?? resolver}: ${code} (${detail})`;
    if (failing.get(hostname) !== failure) progress.line(failure);
    failing.set(hostname, failure);
  };
  const tellAbsence = ({ hostname, resolver, detail }: Line<"absent">) => {
    if (absent.has(hostname)) return;
    absent.add(hostname);
    progress.line(`${hostname} is new: ${resolver} has no address yet (${detail}), which is not a failure`);
  };
  const tellGapBegin = ({ time, reason }: Line<"gap-begin">) => {
    // `onSilent` reports a single resolver.
    if (reason !== "network-lost") return;
    progress.line(`no server has answered since ${time}: neither a resolver nor an address; failures do not count`);
  };
  return {
    onLine: (line) => {
      log?.write(line);
      if (line.kind === "gap") progress.line(gapLine(line));
      else if (line.kind === "gap-begin") tellGapBegin(line);
      else if (line.kind === "absent") tellAbsence(line);
      else if (line.kind === "sample" && line.confirmed === false) tellSilence(line);
      else if (line.kind === "sample" && !line.ok && line.shared !== true) tellFailure(line);
    },
    onChange: (hostname, change) => {
      if (change === "fails") return;
      if (change === "recovered") failing.delete(hostname);
      progress.line(`${hostname} ${changeWords[change]}`);
    },
    onProgress: ({ share, failures }) => {
      const all = share.new + share.old + share.other + share.unknown;
      progress.update(share.new, all, failures === 0 ? "no failure" : countOf(failures, "failure"));
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
