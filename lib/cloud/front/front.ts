import {
  type ApiDescription,
  type BatchedResponse,
  decodeBatch,
  encodeBatchResponse,
  type Match,
  ownDescription,
} from "../../discovery";
import { InputError } from "../../errors";
import { printableUrl } from "../../http";
import { defined } from "../../json/defined";
import { CloudError } from "../cloud-error";
import type { Clock, Store } from "../state";
import { readCall, withoutOverride } from "./incoming";
import { carriesMedia, matchSession, readAnswerForm, readMediaCall } from "./media";
import type { RequestLog } from "./request-log";
import { callerOf } from "./request-log";
import type { CloudService } from "./service";
import { json, refusal, type WireAnswer, type WireRequest } from "./service";

export interface RequestFault {
  /** Delay in milliseconds of the machine's time. */
  readonly delayMs?: number;
  readonly error?: CloudError;
  readonly cut?: boolean;
}

/** Answers a request, or returns undefined to pass it on. */
export type OtherAnswer = (request: WireRequest) => Promise<WireAnswer | undefined> | WireAnswer | undefined;

interface FrontOptions {
  readonly services: readonly CloudService[];
  /**
   * Handlers of requests outside the services: the audit log, descriptions, control calls. The request log also
   * contains these requests, except control calls that only read or configure the cloud. Recording an administrator's
   * action counts as a mutation.
   */
  readonly others?: readonly OtherAnswer[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly fault?: (methodId: string, request: WireRequest) => RequestFault | undefined;
  /** Waits for a time in milliseconds of the machine's time. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether credentials are required; they are never checked. @default false */
  readonly requireCredentials?: boolean;
}

interface Routed {
  readonly service: CloudService;
  readonly match: Match;
}

/** Routes requests to the services by their descriptions, and formats answers as Google's front end does. */
export class Front {
  readonly #options: FrontOptions;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Answers a request; never throws. */
  async handle(received: WireRequest): Promise<WireAnswer> {
    const startedAt = performance.now();
    try {
      const request = withoutOverride(received);
      for (const otherAnswer of this.#options.others ?? []) {
        const answer = otherAnswer(request);
        if (answer === undefined) continue;
        const given = await answer;
        if (given === undefined) continue;
        if (!isUnloggedControlCall(request)) this.#note(request, methodOfOtherApi(request), given, startedAt);
        return given;
      }
      return isBatch(request) ? await this.#batch(request) : await this.#single(request);
    } catch (error) {
      return refusal(internalError(error), "status");
    }
  }

  async #batch(request: WireRequest): Promise<WireAnswer> {
    try {
      const parts = decodeBatch(request.headers["content-type"] ?? "", request.body);
      const responses: BatchedResponse[] = [];
      for (const part of parts) {
        const headers = { ...request.headers, ...Object.fromEntries(part.headers) };
        const answer = await this.#single({ httpMethod: part.method, target: part.target, headers, body: part.body });
        if (answer.cut === true) return answer;
        const { contentId } = part;
        responses.push({
          contentId,
          status: answer.status,
          headers: new Map(Object.entries(answer.headers)),
          // A part of a batch never has a media answer.
          body: answer.body.toString(),
        });
      }
      return { status: 200, ...encodeBatchResponse(responses) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refusal(new CloudError("INVALID_ARGUMENT", error.message), "errors");
    }
  }

  async #single(request: WireRequest): Promise<WireAnswer> {
    const startedAt = performance.now();
    const found = this.#route(request);
    const answer = found === undefined ? this.#unknownRoute(request) : await this.#call(request, found);
    this.#note(request, found?.match.method.id, answer, startedAt);
    return answer;
  }

  /** Adds a request to the log. @param startedAt a value of `performance.now()` */
  #note(request: WireRequest, method: string | undefined, { status }: WireAnswer, startedAt: number): void {
    const { httpMethod, target } = request;
    this.#options.log.add({
      timeMs: this.#options.clock.now().getTime(),
      httpMethod,
      target: printableUrl(target.slice(0, 2_000)),
      ...defined({ method }),
      status,
      caller: callerOf(request),
      durationMs: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
      mutation: isMutation(httpMethod, method),
    });
  }

  #route(received: WireRequest): Routed | undefined {
    // google-cloud-storage for Python downloads media at `/download` before the path of the method.
    const { target } = received;
    const request = target.startsWith("/download/")
      ? { ...received, target: target.slice("/download".length) }
      : received;
    for (const service of this.#options.services) {
      const match = service.description.match(request.httpMethod, request.target) ?? matchSession(service, request);
      if (match !== undefined) return { service, match };
    }
    return undefined;
  }

  async #call(request: WireRequest, { service, match }: Routed): Promise<WireAnswer> {
    const { id } = match.method;
    try {
      const fault = this.#options.fault?.(id, request);
      if (fault?.delayMs !== undefined) await this.#options.sleep(fault.delayMs);
      if (fault?.cut === true) return { status: 0, headers: {}, body: "", cut: true };
      if (fault?.error !== undefined) throw fault.error;
      const caller = callerOf(request);
      if (this.#options.requireCredentials === true && caller === "anonymous")
        throw new CloudError("UNAUTHENTICATED", "Request is missing required authentication credential.");
      if (service.media !== undefined && carriesMedia(match)) {
        const answer = service.media(readMediaCall(service, match, request, caller));
        this.#options.store.commit();
        return answer;
      }
      const handler = service.handlers[id];
      if (handler === undefined) throw new CloudError("UNIMPLEMENTED", `the rehearsal cloud does not emulate ${id}`);
      const formed = readAnswerForm(service, match);
      const result = await handler(readCall(service, match, request.body, caller));
      this.#options.store.commit();
      return result === undefined ? { status: 204, headers: {}, body: "" } : json(200, formed(result));
    } catch (error) {
      this.#options.store.commit();
      return refusal(error instanceof CloudError ? error : internalError(error), service.errors);
    }
  }

  /** Returns the error for an unknown route, in the error format of the API with that base path. */
  #unknownRoute({ httpMethod, target }: WireRequest): WireAnswer {
    const route = `${httpMethod} ${printableUrl(target.replace(/\?.*$/s, "").slice(0, 500))}`;
    const service = this.#options.services.find(({ description }) => target.startsWith(`/${basePathOf(description)}`));
    const error = new CloudError("UNIMPLEMENTED", `the rehearsal cloud does not emulate ${route}`);
    return refusal(error, service?.errors ?? "status");
  }
}

/** Returns the common prefix of an API's paths, up to its version, for example `dns/v1/`. */
function basePathOf(description: ApiDescription): string {
  const [first] = description.methods();
  return /^[^{]*?\bv\d\w*\//.exec(`${description.document.servicePath ?? ""}${first?.path ?? ""}`)?.[0] ?? "";
}

function internalError(error: unknown): CloudError {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CloudError("INTERNAL", `this is a mistake of the rehearsal cloud: ${trace}`);
}

function isBatch({ httpMethod, target }: WireRequest): boolean {
  return httpMethod === "POST" && /^\/batch(?:\/|\?|$)/.test(target);
}

/** Returns whether a request is a control call that changes no resource and no record of the emulated cloud. */
function isUnloggedControlCall({ httpMethod, target }: WireRequest): boolean {
  return target.startsWith("/_cloud") && !(httpMethod === "POST" && /^\/_cloud\/+activities(?:\?|$)/.test(target));
}

/** APIs without handlers here, whose requests other handlers answer. */
const otherApis = ["admin:reports_v1", "discovery:v1"] as const;

function methodOfOtherApi({ httpMethod, target }: WireRequest): string | undefined {
  for (const id of otherApis) {
    const match = ownDescription(id).match(httpMethod, target);
    if (match !== undefined) return match.method.id;
  }
  return undefined;
}

/** Methods that use POST but change nothing. */
const asking = /\.(?:fetchCaCerts|getHealth|getIamPolicy|testIamPermissions|wait)$/;

function isMutation(httpMethod: string, methodId = ""): boolean {
  return httpMethod !== "GET" && httpMethod !== "HEAD" && !asking.test(methodId);
}
