import type { InjectedFailure } from "../certificate-manager";
import { CloudError, type CloudStatus } from "../cloud-error";
import type { RequestFault } from "../front";
import type { AnswerFault, Question } from "../name-server";
import type { Clock } from "../state";
import type { FaultPlan } from "./fault-plan";
import { seededRandom } from "./random";

/** Strikes as a plan says. Which requests it strikes depends on the plan, its seed and the order of requests, on nothing else. */
export class Faults {
  readonly #clock: Clock;
  #plan: FaultPlan = {};
  /** Each fault draws its own numbers, so that none moves where the others strike. */
  #randoms = new Map<object, () => number>();
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
    this.#randoms = new Map(all.map((fault) => [fault, seededRandom(seeds() * 2 ** 32)]));
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

  readonly ofRequest = (method: string): RequestFault | undefined => {
    if (this.#isOverLimit()) return { error: refuse("RESOURCE_EXHAUSTED", "Quota exceeded for requests per minute.") };
    const fault = this.#strike(this.#plan.requests, (candidate) => matches(candidate.method, method));
    if (fault === undefined) return undefined;
    return {
      ...(fault.delayMs === undefined ? {} : { delayMs: fault.delayMs }),
      ...(fault.cut === undefined ? {} : { cut: fault.cut }),
      ...(fault.status === undefined
        ? {}
        : { error: refuse(fault.status as CloudStatus, `${fault.status}, as the fault plan wants it`) }),
    };
  };

  readonly ofOperation = (method: string): CloudError | undefined => {
    const fault = this.#strike(this.#plan.operations, (candidate) => matches(candidate.method, method));
    return fault && refuse("INTERNAL", fault.message ?? "the operation failed, as the fault plan wants it");
  };

  readonly ofAnswer = ({ name, type }: Question): AnswerFault | undefined => {
    const absolute = name.toLowerCase();
    const fault = this.#strike(
      this.#plan.dns,
      (candidate) => matches(candidate.name.replace(/\.?$/, "."), absolute) && (candidate.type ?? type) === type,
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
    const fault = this.#strike(this.#plan.issuance, (candidate) => matches(candidate.domain, domain));
    if (fault === undefined) return undefined;
    const failureReason = fault.failureReason as InjectedFailure["failureReason"];
    return { failureReason, details: fault.details ?? `${failureReason}, as the fault plan wants it` };
  };

  #strike<Fault extends { readonly probability?: number; readonly times?: number }>(
    faults: readonly Fault[] | undefined,
    fits: (fault: Fault) => boolean,
  ): Fault | undefined {
    // A number is drawn for each that fits, also where an earlier one strikes or it is used up.
    const hits = (faults ?? []).filter((fault) => fits(fault) && this.#draw(fault) < (fault.probability ?? 1));
    const striking = hits.find((fault) => (this.#struck.get(fault) ?? 0) < (fault.times ?? Number.POSITIVE_INFINITY));
    if (striking !== undefined) this.#struck.set(striking, (this.#struck.get(striking) ?? 0) + 1);
    return striking;
  }

  #draw(fault: object): number {
    return this.#randoms.get(fault)?.() ?? 0;
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

/** A star stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const value = text.toLowerCase();
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found === -1 || found + part.length > value.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
