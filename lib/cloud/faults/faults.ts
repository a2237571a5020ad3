import type { InjectedFailure } from "../certificate-manager";
import { CloudError, type CloudStatus } from "../cloud-error";
import type { Call, RequestFault, WireRequest } from "../front";
import { type AnswerFault, canonicalName, type Question } from "../name-server";
import { fitsStarPattern } from "../star-pattern";
import type { Clock } from "../state";
import type { FaultPlan } from "./fault-plan";
import { occasionOfCall, occasionOfRequest } from "./occasions";
import { numberFor, seededRandom } from "./random";

/** So many occasions are known apart; beyond them those that came first count anew. */
const mostOccasions = 100_000;

/**
 * Strikes as a plan says. Whether a fault strikes by chance depends on its place in the plan, the seed, what is asked (a method and its resource, a
 * name and its type, a domain) and how often that has been asked before: not on what else is asked meanwhile, and in which order. So a run with the
 * same seed is the same run also where look-ups and requests race each other.
 *
 * What counts over everything, `times` and `requestsPerMinute`, counts in the order in which things arrive: of those that arrive together, it is
 * open which are struck.
 */
export class Faults {
  readonly #clock: Clock;
  #plan: FaultPlan = {};
  /** Each fault draws its own numbers, so that none moves where the others strike. */
  #seeds = new Map<object, number>();
  /** How often each occasion has come. */
  #occasions = new Map<string, number>();
  #struck = new Map<object, number>();
  /** Times of the requests of the last minute. */
  #recent: number[] = [];

  constructor(clock: Clock, plan: FaultPlan = {}) {
    this.#clock = clock;
    this.set(plan);
  }

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** Begins anew with a plan; an empty one stops all faults. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    const { seed = 1, requests = [], operations = [], dns = [], issuance = [] } = plan;
    const seeds = seededRandom(seed);
    const all: readonly object[] = [...requests, ...operations, ...dns, ...issuance];
    this.#seeds = new Map(all.map((fault) => [fault, seeds() * 2 ** 32]));
    this.#occasions = new Map();
    this.#struck = new Map();
    this.#recent = [];
  }

  /** How often each fault has struck, in the order of the plan. */
  counts(): readonly { readonly list: string; readonly fault: object; readonly count: number }[] {
    const { requests = [], operations = [], dns = [], issuance = [] } = this.#plan;
    return Object.entries({ requests, operations, dns, issuance }).flatMap(([list, faults]) =>
      faults.map((fault: object) => ({ list, fault, count: this.#struck.get(fault) ?? 0 })),
    );
  }

  /** @param request what is asked; without it, all requests of a method are one */
  readonly ofRequest = (method: string, request?: Pick<WireRequest, "target" | "body">): RequestFault | undefined => {
    if (this.#isOverLimit()) return { error: refuse("RESOURCE_EXHAUSTED", "Quota exceeded for requests per minute.") };
    const fault = this.#strike(
      this.#plan.requests,
      (candidate) => matches(candidate.method, method),
      () => `request ${request === undefined ? method : occasionOfRequest(method, request)}`,
    );
    if (fault === undefined) return undefined;
    return {
      ...(fault.delayMs === undefined ? {} : { delayMs: fault.delayMs }),
      ...(fault.cut === undefined ? {} : { cut: fault.cut }),
      ...(fault.status === undefined
        ? {}
        : { error: refuse(fault.status as CloudStatus, `${fault.status}, as the fault plan wants it`) }),
    };
  };

  /** @param call what is to be changed; without it, all calls of a method are one */
  readonly ofOperation = (method: string, call?: Pick<Call, "parameters" | "body">): CloudError | undefined => {
    const fault = this.#strike(
      this.#plan.operations,
      (candidate) => matches(candidate.method, method),
      () => `operation ${call === undefined ? method : occasionOfCall(method, call)}`,
    );
    return fault && refuse("INTERNAL", fault.message ?? "the operation failed, as the fault plan wants it");
  };

  readonly ofAnswer = ({ name, type }: Question): AnswerFault | undefined => {
    const absolute = canonicalName(name);
    const fault = this.#strike(
      this.#plan.dns,
      (candidate) => matches(candidate.name.replace(/\.?$/, "."), absolute) && (candidate.type ?? type) === type,
      () => `dns ${absolute} ${type}`,
    );
    if (fault === undefined) return undefined;
    const { delayMs, rcode, drop, truncate, rrdatas } = fault;
    return {
      ...(delayMs === undefined ? {} : { delayMs }),
      ...(rcode === undefined ? {} : { rcode: rcode as NonNullable<AnswerFault["rcode"]> }),
      ...(drop === undefined ? {} : { drop }),
      ...(truncate === undefined ? {} : { truncate }),
      ...(rrdatas === undefined ? {} : { answers: rrdatas.length === 0 ? [] : [{ name, type, ttl: 60, rrdatas }] }),
    };
  };

  readonly ofDomain = (domain: string): InjectedFailure | undefined => {
    const fault = this.#strike(
      this.#plan.issuance,
      (candidate) => matches(candidate.domain, domain),
      () => `domain ${domain}`,
    );
    if (fault === undefined) return undefined;
    const failureReason = fault.failureReason as InjectedFailure["failureReason"];
    return { failureReason, details: fault.details ?? `${failureReason}, as the fault plan wants it` };
  };

  #strike<Fault extends { readonly probability?: number; readonly times?: number }>(
    faults: readonly Fault[] | undefined,
    fits: (fault: Fault) => boolean,
    occasion: () => string,
  ): Fault | undefined {
    const fitting = (faults ?? []).filter(fits);
    // Only where something is left to chance there is anything to count.
    const turn = fitting.some(({ probability = 1 }) => probability < 1) ? this.#nextTurn(occasion()) : "";
    // A number is drawn for each that fits, also where an earlier one strikes or it is used up.
    const hits = fitting.filter((fault) => numberFor(this.#seeds.get(fault) ?? 0, turn) < (fault.probability ?? 1));
    const striking = hits.find((fault) => (this.#struck.get(fault) ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY));
    if (striking !== undefined) this.#struck.set(striking, (this.#struck.get(striking) ?? 0) + 1);
    return striking;
  }

  /** The occasion, and how many of its kind there have been. */
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

/** Names know no case. */
function matches(pattern: string, text: string): boolean {
  return fitsStarPattern(pattern.toLowerCase(), text.toLowerCase());
}
