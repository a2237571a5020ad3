import type { Issued, LoggedRequest } from "../../../lib/cloud";
import type { FolderRun } from "../../../lib/rehearsal/stage-options";
import type { Evidence, Meeting, Proof } from "./seen";

/** Whether Terraform's provider asked, which brings a token along; gates and the rehearsal's own looks bring none. */
export function isTerraform({ caller }: LoggedRequest): boolean {
  return caller.startsWith("token ");
}

/** Requests of a method that were answered well. */
export function answered(method: string, what: string, atLeast = 1): Proof {
  return { what, atLeast, count: ({ requests }) => answersTo(requests, method).length };
}

/** Requests that were refused with a status of HTTP. @param method of these alone. @default - of any */
export function refused(status: number, what: string, method?: string): Proof {
  return requestsThat(what, (request) => request.status === status && (method ?? request.method) === request.method);
}

/** Requests of Terraform's whose path or query fits. */
export function askedFor(pattern: RegExp, what: string): Proof {
  return requestsThat(what, (request) => isTerraform(request) && request.status < 300 && pattern.test(request.target));
}

export function requestsThat(what: string, shows: (request: LoggedRequest) => boolean): Proof {
  return { what, count: ({ requests }) => requests.filter(shows).length };
}

/** Nothing of Terraform's was refused, and none of its runs failed. */
export const nothingWrong: Proof = {
  what: "requests of Terraform refused, and runs of it failed",
  atMost: 0,
  count: ({ requests, runs }) =>
    requests.filter((request) => isTerraform(request) && request.status >= 400 && request.status !== 404).length +
    runs.filter(hasFailed).length,
};

/** Runs of Terraform that failed, and said why. */
export function failedSaying(text: string, what: string, atLeast = 1): Proof {
  return {
    what,
    atLeast,
    count: ({ runs }) => runs.filter((run) => hasFailed(run) && run.output.includes(text)).length,
  };
}

/** Hostnames that clients met in a way that fits. */
export function hostnamesMet(what: string, atLeast: number, fits: (meeting: Meeting) => boolean): Proof {
  return { what, atLeast, count: ({ met }) => new Set(met.filter(fits).map(({ hostname }) => hostname)).size };
}

/** Handshakes that failed in a way that fits. */
export function failuresMet(pattern: RegExp, what: string): Proof {
  return { what, count: ({ met }) => met.filter(({ error }) => error !== undefined && pattern.test(error)).length };
}

/** One apply, in which each of these methods was answered well. */
export function inOneApply(methods: readonly string[], what: string): Proof {
  return {
    what,
    count: ({ runs, requests }) =>
      runs.filter((run) => {
        const within = during(run, requests);
        return isApply(run) && run.exitCode === 0 && methods.every((method) => answersTo(within, method).length > 0);
      }).length,
  };
}

/** Pairs of applies that ran at once, and one of which locked the other out. */
export const lockedOut: Proof = {
  what: "applies that were refused the lock while another ran, and went through",
  count: ({ runs }) =>
    pairsAtOnce(runs.filter(isApply)).filter(
      ([one, other]) =>
        [one, other].some(({ exitCode }) => exitCode === 0) &&
        [one, other].some((run) => hasFailed(run) && run.output.includes("Error acquiring the state lock")),
    ).length,
};

/** Pairs of applies of two states that went through at once, each of which changed something. */
export const bothAtOnce: Proof = {
  what: "pairs of applies of two states that ran at once and went through",
  count: ({ runs, requests }) =>
    pairsAtOnce(runs.filter((run) => isApply(run) && run.exitCode === 0)).filter(
      ([one, other]) =>
        one.folder !== other.folder &&
        [one, other].every((run) => during(run, requests).some((request) => isTerraform(request) && request.mutation)),
    ).length,
};

/** Certificates that were issued again for the domains of an earlier one. */
export function issuedAgain(atLeast: number): Proof {
  return { what: "certificates renewed", atLeast, count: ({ issued }) => againIn(issued).length };
}

/** Certificates that were renewed after the first and before the last change of one and the same apply. */
export function renewedMeanwhile(atLeast: number): Proof {
  return {
    what: "certificates renewed between the first and the last change of one apply",
    atLeast,
    count: ({ runs, requests, issued }) => {
      const within = runs.filter((run) => isApply(run) && run.exitCode === 0).map((run) => changesIn(run, requests));
      const isWithin = ({ time }: Issued) =>
        within.some((changes) => (changes[0]?.time ?? "~") < time && time < (changes.at(-1)?.time ?? ""));
      return againIn(issued).filter(isWithin).length;
    },
  };
}

/** Operations that were asked for over so many seconds of the cloud's time. @param path of the polls */
export function operationsOver(seconds: number, what: string, path = /\/operations\/[^/]+$/): Proof {
  return {
    what,
    count: ({ requests }) => {
      const spans = new Map<string, { readonly first: number; last: number }>();
      for (const { time, target } of requests.filter(({ target }) => path.test(target))) {
        const at = Date.parse(time);
        const span = spans.get(target) ?? { first: at, last: at };
        spans.set(target, { ...span, last: at });
      }
      return [...spans.values()].filter(({ first, last }) => last - first >= seconds * 1_000).length;
    },
  };
}

/** Requests of one method that came within so many seconds, or only after them, of the last of another before. */
export function afterwards(
  method: string,
  before: string,
  isInTime: (seconds: number) => boolean,
  what: string,
): Proof {
  return {
    what,
    count: ({ requests }) =>
      answersTo(requests, method).filter(({ time }) => {
        const earlier = answersTo(requests, before).filter((request) => request.time <= time);
        const last = earlier.at(-1);
        return last !== undefined && isInTime((Date.parse(time) - Date.parse(last.time)) / 1_000);
      }).length,
  };
}

/**
 * Hostnames for which the load balancer presented another certificate only so many seconds after an entry was led to
 * one.
 */
export function presentedAfter(seconds: number, what: string): Proof {
  return {
    what,
    count: ({ met, requests }) => {
      const patched = requests.filter(({ method }) => method?.endsWith(".certificateMapEntries.patch") === true);
      const begunMs = Date.parse(patched[0]?.time ?? "");
      const firstMs = new Map<string, number>();
      for (const { hostname, side, certificate, firstAt } of met) {
        const atMs = Date.parse(firstAt);
        if (side !== "new" || certificate === undefined || !(atMs >= begunMs)) continue;
        firstMs.set(hostname, Math.min(firstMs.get(hostname) ?? atMs, atMs));
      }
      return [...firstMs.values()].filter((atMs) => atMs - begunMs >= seconds * 1_000).length;
    },
  };
}

/**
 * Runs that ended with SIGKILL in the middle: a request of the method had been answered, the state was still locked,
 * Terraform did not say that it was done, and a later run of the same folder went through.
 */
export function killedAt(method: string): Proof {
  return {
    what: `runs cut off by SIGKILL after ${method}, with the state locked, and made good by a later run`,
    count: ({ runs, requests }) =>
      runs.filter(
        (run) =>
          run.killed &&
          run.isLockLeft &&
          !/(?:Apply|Destroy) complete!/.test(run.output) &&
          answersTo(during(run, requests), method).length > 0 &&
          runs.some((later) => later.folder === run.folder && later.from >= run.until && later.exitCode === 0),
      ).length,
  };
}

/** Changes of Terraform's in a run. */
export function changesIn(run: FolderRun, requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return during(run, requests).filter((request) => isTerraform(request) && request.mutation && request.status < 300);
}

function isApply({ words }: FolderRun): boolean {
  return words[0] === "apply";
}

function hasFailed({ exitCode, words }: FolderRun): boolean {
  return exitCode !== 0 && !(words[0] === "plan" && exitCode === 2);
}

function during({ from, until }: FolderRun, requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ time }) => from <= time && time <= until);
}

function answersTo(requests: readonly LoggedRequest[], method: string): readonly LoggedRequest[] {
  return requests.filter((request) => request.method === method && request.status > 0 && request.status < 300);
}

function pairsAtOnce(runs: readonly FolderRun[]): readonly (readonly [FolderRun, FolderRun])[] {
  return runs.flatMap((one, index) =>
    runs
      .slice(index + 1)
      .filter((other) => one.from < other.until && other.from < one.until)
      .map((other) => [one, other] as const),
  );
}

function againIn(issued: readonly Issued[]): readonly Issued[] {
  const keyOf = ({ domains }: Issued) => domains.join();
  return issued.filter((each, index) => issued.slice(0, index).some((earlier) => keyOf(earlier) === keyOf(each)));
}

const daysMs = 24 * 3_600_000;

/**
 * Runs while certificates were due to be renewed, 60 days after they were issued, and the first had not been renewed
 * yet.
 */
export function whileRenewing({ runs, issued }: Evidence): readonly FolderRun[] {
  const again = againIn(issued);
  const last = issued.filter((each) => !again.includes(each)).at(-1);
  const dueMs = Date.parse(last?.time ?? "") + 60 * daysMs;
  const end = again[0]?.time ?? "";
  return runs.filter(({ from, until }) => Date.parse(from) >= dueMs && until < end);
}
