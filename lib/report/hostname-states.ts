import { defined } from "../json/defined";
import { groupBy } from "../json/group-by";
import { type HostnameStatus, type StepState, type StepStatus, stepNames } from "../live/status";
import type { WatchShare } from "../live/watch";
import type { ReportData, StatusSnapshot, Verification, VerifiedPair, WatchRecord } from "./model";
import { countWithSeparators, formatNumber } from "./words";

/** The state of one hostname, from all statuses, verifications and watches. */
export interface HostnameState {
  readonly hostname: string;
  /** Absent if no status mentions the hostname. */
  readonly migration?: string;
  /** All eight. */
  readonly steps: readonly StepStatus[];
  /** The first step that is neither done nor not needed. */
  readonly current?: StepStatus;
}

/**
 * Returns every hostname in the order in which status, verify and watch first name it. The latest status of each
 * hostname counts. The seventh step comes from `verify`; the eighth comes from a watch that is later than the status.
 */
export function hostnameStatesOf({
  statuses = [],
  verifications = [],
  watches = [],
}: ReportData): readonly HostnameState[] {
  const latest = latestStatuses(statuses);
  const verified = verifiedByHostname(verifications);
  const watched = watchedByHostname(watches);
  const named = new Set([...latest.values()].map(({ status }) => status.hostname));
  const others = [...new Set([...verified.keys(), ...watched.keys()])].filter((hostname) => !named.has(hostname));
  return [
    ...[...latest.values()].map(({ status, time }) => {
      const steps = overlay(status.steps, verified.get(status.hostname), watched.get(status.hostname), time);
      return hostnameState(status.hostname, steps, status.migration);
    }),
    ...others.map((hostname) => {
      const unknown = stepNames.map((_, index) => stepAt(index + 1, { state: "unknown", reason: "not in a status" }));
      return hostnameState(hostname, overlay(unknown, verified.get(hostname), watched.get(hostname), undefined));
    }),
  ];
}

/** Returns the key of a hostname in statuses: its migration and its name. */
export function statusKey({ migration, hostname }: Pick<HostnameStatus, "migration" | "hostname">): string {
  return JSON.stringify([migration, hostname]);
}

/** Sorts items by time, earliest first. */
export function sortByTime<Timed extends { readonly time: Date }>(items: readonly Timed[]): readonly Timed[] {
  return [...items].sort((left, right) => left.time.getTime() - right.time.getTime());
}

/** Returns whether a step still has to be completed for the hostname. */
export function isOpen({ state }: Pick<StepStatus, "state">): boolean {
  return state !== "done" && state !== "none";
}

/**
 * Returns the latest result of `verify` for every hostname, address and client type, in the order in which they were
 * first named.
 */
export function latestPairs(
  verifications: readonly Verification[],
): readonly (VerifiedPair & { readonly time: Date })[] {
  const pairs = new Map<string, VerifiedPair & { readonly time: Date }>();
  for (const { time, results } of sortByTime(verifications)) {
    for (const pair of results)
      pairs.set(JSON.stringify([pair.hostname, pair.address, pair.client]), { ...pair, time });
  }
  return [...pairs.values()];
}

function hostnameState(hostname: string, steps: readonly StepStatus[], migration?: string): HostnameState {
  const current = steps.find(isOpen);
  return { hostname, ...defined({ migration }), steps, ...defined({ current }) };
}

function latestStatuses(statuses: readonly StatusSnapshot[]) {
  const latest = new Map<string, { readonly status: HostnameStatus; readonly time: Date }>();
  for (const { time, hostnames } of sortByTime(statuses)) {
    for (const status of hostnames) latest.set(statusKey(status), { status, time });
  }
  return latest;
}

type StepResult = Pick<StepStatus, "state" | "code" | "reason" | "next">;

type TimedState = StepResult & { readonly time: Date };

function overlay(
  steps: readonly StepStatus[],
  verified: TimedState | undefined,
  watched: TimedState | undefined,
  statusTime: Date | undefined,
): readonly StepStatus[] {
  return steps.map((step) => {
    const result = step.step === 7 ? verified : step.step === 8 ? watched : undefined;
    if (result === undefined || step.state === "none") return step;
    const isNews = statusTime === undefined || result.time > statusTime || step.state === "unknown";
    return isNews ? stepAt(step.step, result) : step;
  });
}

function stepAt(step: number, { state, code, reason, next }: StepResult): StepStatus {
  const why = { ...defined({ code, reason }) };
  return { step, name: stepNames[step - 1] ?? stepNames[0], state, ...why, ...defined({ next }) };
}

function verifiedByHostname(verifications: readonly Verification[]): ReadonlyMap<string, TimedState> {
  const byHostname = groupBy(latestPairs(verifications), ({ hostname }) => hostname);
  return new Map([...byHostname].map(([hostname, pairs]) => [hostname, stateByVerify(pairs)]));
}

function stateByVerify(pairs: readonly (VerifiedPair & { readonly time: Date })[]): TimedState {
  const time = new Date(Math.max(...pairs.map((pair) => pair.time.getTime())));
  const bad = pairs.filter(({ ok }) => !ok);
  const [first] = bad;
  if (first === undefined) return { state: "done", time };
  // Several client types may fail at one address.
  const others = new Set(bad.map(({ address }) => address)).size - 1;
  const more = others === 0 ? "" : `, and at ${countWithSeparators(others, "more address", "more addresses")}`;
  const { code = "not-served", remedy } = first.failure ?? {};
  const reason = `${code} at ${first.address}${more}`;
  return { state: "failed", code, reason, ...defined({ next: remedy }), time };
}

/**
 * Watches that ran at the same time, for example on several machines, and ended within this time count as simultaneous.
 * Milliseconds.
 */
const sameMomentMs = 10 * 60 * 1_000;

interface LastShare {
  readonly from: Date;
  readonly until: Date;
  readonly share: WatchShare;
}

function watchedByHostname(watches: readonly WatchRecord[]): ReadonlyMap<string, TimedState> {
  const last = watches.flatMap(({ from, until, hostnames }) =>
    hostnames.flatMap(({ hostname, share }) => (answersOf(share) === 0 ? [] : [{ hostname, from, until, share }])),
  );
  const byHostname = groupBy(last, ({ hostname }) => hostname);
  return new Map([...byHostname].map(([hostname, shares]) => [hostname, stateByWatches(shares)]));
}

/** Combines the latest result with the results of simultaneous watches. */
function stateByWatches(shares: readonly LastShare[]): TimedState {
  const latest = shares.reduce((latestSoFar, share) => (share.until > latestSoFar.until ? share : latestSoFar));
  const together = shares.filter(
    ({ until }) => until >= latest.from && latest.until.getTime() - until.getTime() <= sameMomentMs,
  );
  const sum = (side: keyof WatchShare) => together.reduce((total, { share }) => total + share[side], 0);
  const share = {
    previous: sum("previous"),
    loadBalancer: sum("loadBalancer"),
    other: sum("other"),
    unknown: sum("unknown"),
  };
  return { ...stateByShare(share), time: latest.until };
}

function answersOf(share: WatchShare): number {
  return share.previous + share.loadBalancer + share.other;
}

/**
 * Returns the state from where resolvers lead. Failed connections are findings instead, because they may be long past.
 */
function stateByShare(share: WatchShare): { readonly state: StepState; readonly reason?: string } {
  const answers = answersOf(share);
  if (share.loadBalancer === answers && share.unknown === 0) return { state: "done" };
  const all = answers + share.unknown;
  const reason = `${formatNumber(share.loadBalancer)} of ${countWithSeparators(all, "resolver")} lead to the load balancer`;
  return { state: share.loadBalancer === 0 ? "todo" : "waiting", reason };
}

export interface RemainingStep {
  readonly step: number;
  readonly name: string;
  /** The number of hostnames at this step: all earlier steps are done or not needed. */
  readonly count: number;
  readonly failed: number;
  readonly waiting: number;
  readonly todo: number;
  readonly unknown: number;
  /** Why hostnames are at this step, failures first; the most frequent causes. */
  readonly causes: readonly RemainingCause[];
}

/** Hostnames that are at a step for the same reason. */
export interface RemainingCause {
  readonly state: StepStatus["state"];
  readonly count: number;
  /** The first of the hostnames, with its reason and its next action. */
  readonly example: HostnameState;
}

const mostCauses = 5;

/** Returns the remaining work by the step at which hostnames are. Steps without hostnames are left out. */
export function remainingOf(hostnameStates: readonly HostnameState[]): readonly RemainingStep[] {
  return stepNames.flatMap((name, index) => {
    const step = index + 1;
    const here = hostnameStates.filter(({ current }) => current?.step === step);
    if (here.length === 0) return [];
    const count = (state: StepState) => here.filter(({ current }) => current?.state === state).length;
    const [failed, waiting, todo, unknown] = [count("failed"), count("waiting"), count("todo"), count("unknown")];
    return [{ step, name, count: here.length, failed, waiting, todo, unknown, causes: causesOf(here) }];
  });
}

/** Groups hostnames by state and code. Without a code, the next action identifies the cause. */
function causesOf(hostnameStates: readonly HostnameState[]): readonly RemainingCause[] {
  const open = hostnameStates.flatMap((example) =>
    example.current === undefined ? [] : [{ example, current: example.current }],
  );
  const alike = groupBy(open, ({ current: { state, code, next } }) => `${state} ${code ?? next ?? ""}`);
  const rank = ({ state }: RemainingCause) => (state === "failed" ? 0 : 1);
  return [...alike.values()]
    .flatMap((all) => all.slice(0, 1).map(({ example, current: { state } }) => ({ state, count: all.length, example })))
    .sort((left, right) => rank(left) - rank(right) || right.count - left.count)
    .slice(0, mostCauses);
}
