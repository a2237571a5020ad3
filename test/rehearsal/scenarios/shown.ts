import type { Issued, LoggedRequest } from "../../../lib/cloud";
import type { FolderRun } from "../../../lib/rehearsal/observer";
import type { Evidence, Meeting, Proof } from "./seen";

/** Returns whether Terraform's provider sent the request: only the provider sends a token. */
export function isTerraform({ caller }: LoggedRequest): boolean {
  return caller.startsWith("token ");
}

/** Counts successful requests of a method. */
export function answered(method: string, what: string, atLeast = 1): Proof {
  return { what, atLeast, count: ({ requests }) => answersTo(requests, method).length };
}

/** Counts requests that were refused with an HTTP status. @param method counts only this method @default - any */
export function refused(status: number, what: string, method?: string): Proof {
  return requestsThat(what, (request) => request.status === status && (method ?? request.method) === request.method);
}

/** Counts Terraform's requests with a matching path or query. */
export function askedFor(pattern: RegExp, what: string): Proof {
  return requestsThat(what, (request) => isTerraform(request) && request.status < 300 && pattern.test(request.target));
}

export function requestsThat(what: string, shows: (request: LoggedRequest) => boolean): Proof {
  return { what, count: ({ requests }) => requests.filter(shows).length };
}

/** No request of Terraform was refused, and no run failed. */
export const nothingWrong: Proof = {
  what: "requests of Terraform refused, and runs of it failed",
  atMost: 0,
  count: ({ requests, runs }) =>
    requests.filter((request) => isTerraform(request) && request.status >= 400 && request.status !== 404).length +
    runs.filter(hasFailed).length,
};

/** Counts failed runs of Terraform whose output contains the text. */
export function failedSaying(text: string, what: string, atLeast = 1): Proof {
  return {
    what,
    atLeast,
    count: ({ runs }) => runs.filter((run) => hasFailed(run) && run.output.includes(text)).length,
  };
}

/** Counts hostnames with a matching handshake. */
export function hostnamesMet(what: string, atLeast: number, fits: (meeting: Meeting) => boolean): Proof {
  return { what, atLeast, count: ({ met }) => new Set(met.filter(fits).map(({ hostname }) => hostname)).size };
}

/** Counts failed handshakes with a matching error. */
export function failuresMet(pattern: RegExp, what: string): Proof {
  return { what, count: ({ met }) => met.filter(({ error }) => error !== undefined && pattern.test(error)).length };
}

/** Counts applies in which a request of each method succeeded. */
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

/** Counts pairs of concurrent applies in which the state lock blocked one apply. */
export const lockedOut: Proof = {
  what: "applies that were refused the lock while another ran, and went through",
  count: ({ runs }) =>
    pairsAtOnce(runs.filter(isApply)).filter(
      ([one, other]) =>
        [one, other].some(({ exitCode }) => exitCode === 0) &&
        [one, other].some((run) => hasFailed(run) && run.output.includes("Error acquiring the state lock")),
    ).length,
};

/** Counts pairs of concurrent successful applies of two states that both changed something. */
export const bothAtOnce: Proof = {
  what: "pairs of applies of two states that ran at once and went through",
  count: ({ runs, requests }) =>
    pairsAtOnce(runs.filter((run) => isApply(run) && run.exitCode === 0)).filter(
      ([one, other]) =>
        one.folder !== other.folder &&
        [one, other].every((run) => during(run, requests).some((request) => isTerraform(request) && request.mutation)),
    ).length,
};

/** Counts certificates that were issued again for the domains of an earlier certificate. */
export function issuedAgain(atLeast: number): Proof {
  return { what: "certificates renewed", atLeast, count: ({ issued }) => againIn(issued).length };
}

/** Counts certificates that were renewed between the first and the last change of the same apply. */
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

/** Counts operations that were polled for at least `seconds` of the cloud's time. @param path of the polls */
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

/** Counts requests of a method within, or only after, some seconds since the last request of another method. */
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
 * Counts hostnames for which the load balancer first presented a certificate at least `seconds` after the first change
 * of a map entry.
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
        if (side !== "loadBalancer" || certificate === undefined || !(atMs >= begunMs)) continue;
        firstMs.set(hostname, Math.min(firstMs.get(hostname) ?? atMs, atMs));
      }
      return [...firstMs.values()].filter((atMs) => atMs - begunMs >= seconds * 1_000).length;
    },
  };
}

/**
 * Counts incomplete runs that ended with SIGKILL: a request of the method had a response, the state was still locked,
 * Terraform printed no completion, and a later run in the same folder succeeded.
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

/** Returns Terraform's changes in a run. */
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
 * Returns runs while certificates were due for renewal, 60 days after their issuance, and before the first renewal.
 */
export function whileRenewing({ runs, issued }: Evidence): readonly FolderRun[] {
  const again = againIn(issued);
  const last = issued.filter((each) => !again.includes(each)).at(-1);
  const dueMs = Date.parse(last?.time ?? "") + 60 * daysMs;
  const end = again[0]?.time ?? "";
  return runs.filter(({ from, until }) => Date.parse(from) >= dueMs && until < end);
}
