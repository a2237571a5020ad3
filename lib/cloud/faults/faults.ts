import { defined } from "../../json/defined";
import type { InjectedFailure } from "../certificate-manager";
import { CloudError, type CloudStatus } from "../cloud-error";
import type { Call, Json, RequestFault, WireRequest } from "../front";
import { type AnswerFault, canonicalName, type Question } from "../name-server";
import { fitsStarPattern } from "../star-pattern";
import type { Clock } from "../state";
import type { FaultPlan } from "./fault-plan";

/** Maximum number of counted occasions; beyond it, the count of the oldest occasions restarts. */
const mostOccasions = 100_000;

/**
 * Injects faults according to a plan. Whether a random fault takes effect depends on its place in the plan, the seed,
 * the request and how often the same request came before. A request is a method and its resource, a name and its type,
 * or a domain. Other requests and their order have no influence. Thus a run with the same seed is reproducible, even if
 * look-ups and requests race each other.
 *
 * The limits `times` and `requestsPerMinute` count over all requests in their order of arrival. Which of several
 * simultaneous requests is affected is undefined.
 */
export class Faults {
  readonly #clock: Clock;
  #plan: FaultPlan = {};
  /** Seeds of the faults: each fault draws its own numbers, so that faults do not influence each other. */
  #seeds = new Map<object, number>();
  /** Number of times that each occasion has occurred. */
  #occasions = new Map<string, number>();
  #effectCounts = new Map<object, number>();
  /** Times of the requests of the last minute. */
  #recent: number[] = [];

  constructor(clock: Clock, plan: FaultPlan = {}) {
    this.#clock = clock;
    this.set(plan);
  }

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** Replaces the plan and resets all counts; an empty plan stops all faults. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    const { seed = 1, requests = [], operations = [], dns = [], issuance = [], authorities = [] } = plan;
    const seeds = seededRandom(seed);
    const all: readonly object[] = [...requests, ...operations, ...dns, ...issuance, ...authorities];
    this.#seeds = new Map(all.map((fault) => [fault, seeds() * 2 ** 32]));
    this.#occasions = new Map();
    this.#effectCounts = new Map();
    this.#recent = [];
  }

  /** Returns how often each fault has taken effect, in the order of the plan. */
  counts(): readonly { readonly list: string; readonly fault: object; readonly count: number }[] {
    const { requests = [], operations = [], dns = [], issuance = [], authorities = [] } = this.#plan;
    return Object.entries({ requests, operations, dns, issuance, authorities }).flatMap(([list, faults]) =>
      faults.map((fault: object) => ({ list, fault, count: this.#effectCounts.get(fault) ?? 0 })),
    );
  }

  /** Returns the fault of a request. @param request request; without it, all requests of a method share one count */
  readonly ofRequest = (method: string, request?: Pick<WireRequest, "target" | "body">): RequestFault | undefined => {
    if (this.#isOverLimit()) return { error: refuse("RESOURCE_EXHAUSTED", "Quota exceeded for requests per minute.") };
    const fault = this.#takeEffect(
      this.#plan.requests,
      (candidate) => matches(candidate.method, method),
      () => `request ${request === undefined ? method : occasionOfRequest(method, request)}`,
    );
    if (fault === undefined) return undefined;
    return {
      ...defined({ delayMs: fault.delayMs, cut: fault.cut }),
      ...(fault.status === undefined
        ? {}
        : { error: refuse(fault.status as CloudStatus, `${fault.status}, as the fault plan wants it`) }),
    };
  };

  /** Returns the error of an operation. @param call mutation; without it, all calls of a method share one count */
  readonly ofOperation = (method: string, call?: Pick<Call, "parameters" | "body">): CloudError | undefined => {
    const fault = this.#takeEffect(
      this.#plan.operations,
      (candidate) => matches(candidate.method, method),
      () => `operation ${call === undefined ? method : occasionOfCall(method, call)}`,
    );
    return fault && refuse("INTERNAL", fault.message ?? "the operation failed, as the fault plan wants it");
  };

  readonly ofAnswer = ({ name, type }: Question): AnswerFault | undefined => {
    const absolute = canonicalName(name);
    const fault = this.#takeEffect(
      this.#plan.dns,
      (candidate) => matches(candidate.name.replace(/\.?$/, "."), absolute) && (candidate.type ?? type) === type,
      () => `dns ${absolute} ${type}`,
    );
    if (fault === undefined) return undefined;
    const { delayMs, rcode, drop, truncate, rrdatas } = fault;
    return {
      ...defined({ delayMs }),
      ...(rcode === undefined ? {} : { rcode: rcode as NonNullable<AnswerFault["rcode"]> }),
      ...defined({ drop, truncate }),
      ...(rrdatas === undefined ? {} : { answers: rrdatas.length === 0 ? [] : [{ name, type, ttl: 60, rrdatas }] }),
    };
  };

  readonly ofDomain = (domain: string): InjectedFailure | undefined => {
    const fault = this.#takeEffect(
      this.#plan.issuance,
      (candidate) => matches(candidate.domain, domain),
      () => `domain ${domain}`,
    );
    if (fault === undefined) return undefined;
    const failureReason = fault.failureReason as InjectedFailure["failureReason"];
    return { failureReason, details: fault.details ?? `${failureReason}, as the fault plan wants it` };
  };

  /** Returns whether a fault disables a CA, without an effect on the faults that follow. */
  readonly disablesAuthority = (name: string): boolean =>
    (this.#plan.authorities ?? []).some((fault) => matches(fault.authority, name) && !this.#isUsedUp(fault));

  /** Returns whether a disabled CA refuses an issuance, which counts as an effect of the fault. */
  readonly refusesIssuance = (authority: string): boolean => {
    const fits = (fault: { readonly authority: string }) => matches(fault.authority, authority);
    return this.#takeEffect(this.#plan.authorities, fits, () => `authority ${authority}`) !== undefined;
  };

  #isUsedUp(fault: { readonly times?: number }): boolean {
    return (this.#effectCounts.get(fault) ?? 0) >= (fault.times ?? Number.POSITIVE_INFINITY);
  }

  #takeEffect<Fault extends { readonly probability?: number; readonly times?: number }>(
    faults: readonly Fault[] | undefined,
    fits: (fault: Fault) => boolean,
    occasion: () => string,
  ): Fault | undefined {
    const fitting = (faults ?? []).filter(fits);
    // The occasion counts only if a fault is random.
    const turn = fitting.some(({ probability = 1 }) => probability < 1) ? this.#nextTurn(occasion()) : "";
    // Every matching fault draws a number, even after an earlier match or a used-up limit, to keep the draws
    // reproducible.
    const drawn = fitting.filter((fault) => numberFor(this.#seeds.get(fault) ?? 0, turn) < (fault.probability ?? 1));
    const chosen = drawn.find((fault) => !this.#isUsedUp(fault));
    if (chosen !== undefined) this.#effectCounts.set(chosen, (this.#effectCounts.get(chosen) ?? 0) + 1);
    return chosen;
  }

  /** Returns the occasion with its number of occurrences. */
  #nextTurn(occasion: string): string {
    const before = this.#occasions.get(occasion) ?? 0;
    this.#occasions.set(occasion, before + 1);
    const [oldest] = this.#occasions.size > mostOccasions ? this.#occasions.keys() : [];
    if (oldest !== undefined) this.#occasions.delete(oldest);
    return `${occasion} ${before}`;
  }

  #isOverLimit(): boolean {
    const limit = this.#plan.requestsPerMinute;
    if (limit === undefined) return false;
    const now = this.#clock.now().getTime();
    this.#recent = this.#recent.filter((time) => time > now - 60_000);
    if (this.#recent.length >= limit) return true;
    this.#recent.push(now);
    return false;
  }
}

function refuse(status: CloudStatus, message: string): CloudError {
  return new CloudError(status, message);
}

/** Returns whether a pattern matches a name; names are case-insensitive. */
function matches(pattern: string, text: string): boolean {
  return fitsStarPattern(pattern.toLowerCase(), text.toLowerCase());
}

// Keys of the occasions on which a fault may take effect. A key has to be the same in every run. It therefore contains
// values that callers choose, and no values that the cloud generates, such as the names of operations.

/** Returns the key of a request: its method and its resource, which may be in the path, the query or the body. */
function occasionOfRequest(methodId: string, { target, body }: Pick<WireRequest, "target" | "body">): string {
  const [path = "", query = ""] = target.split("?", 2);
  const identifying = [...new URLSearchParams(query)].filter(([name]) => identifiesResource(name));
  const named = identifying.map(([name, value]) => `${name}=${value}`);
  const withoutGeneratedName = path.replace(/(\/operations\/)[^/]+/, "$1-");
  return [methodId, withoutGeneratedName, ...named, ...namesIn(parsed(body))].join(" ");
}

function occasionOfCall(methodId: string, { parameters, body }: Pick<Call, "parameters" | "body">): string {
  const named = Object.entries(parameters).filter(([name]) => name !== "requestId");
  return [methodId, ...named.map(([name, value]) => `${name}=${value}`).sort(), ...namesIn(body)].join(" ");
}

/** Returns whether a parameter identifies the resource. Excludes `upload_id`, which the cloud generates. */
function identifiesResource(name: string): boolean {
  return /^(?:name|type)$|(?:Id|_id)$/.test(name) && !/^(?:request(?:Id|_id)|upload_id)$/.test(name);
}

function parsed(body: string): Json {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Returns the name in a body, and the names of the record sets that a DNS change adds and deletes. */
function namesIn({ name, additions, deletions }: Json): readonly string[] {
  const recordSets = [additions, deletions].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return [name, ...recordSets.map((recordSet) => `${recordSet?.name} ${recordSet?.type}`)].map(String);
}

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a number from 0 (inclusive) to 1 (exclusive) that depends only on the seed and the text. */
function numberFor(seed: number, text: string): number {
  // FNV-1a hash; the generator spreads its bits.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return seededRandom(hash)();
}
