import { isOwnDescriptionId, ownDescription, type PreparedRequest } from "../lib/discovery";
import { BugError } from "../lib/errors";
import { BlockedError, blockedReasonOf } from "./blocked";
import { checkOwn, isChange } from "./guard";
import type { Journal } from "./journal";
import { type Identity, suiteLabel } from "./normalize";
import { operationEnd } from "./operations";
import { kindCreatedBy, labeled, type Parameters, type ResourceKind } from "./resource-kinds";

/** A JSON object of a service. */
export type Json = Readonly<Record<string, unknown>>;

/** Answer of a service. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** A request with the id of its method. */
export interface SideRequest extends PreparedRequest {
  readonly id: string;
}

/** Sends a request to a side and returns its answer, also a refusal. */
export type Transport = (request: SideRequest) => Promise<Answer>;

/** A TLS client: what it sends, and where it connects. */
export interface HandshakeInput {
  /** IP address of a forwarding rule. */
  readonly address: string;
  /** @default 443 */
  readonly port?: number;
  /** Undefined: no SNI. */
  readonly servername?: string | undefined;
  readonly alpn?: readonly string[];
  /** Signature algorithms in the format of OpenSSL, which select the key type. */
  readonly signatureAlgorithms?: string;
  readonly maxVersion?: "TLSv1.2" | "TLSv1.3";
}

/** Result of a handshake. */
export type HandshakeResult =
  | {
      readonly dnsNames: readonly string[];
      readonly keyType: "RSA" | "ECDSA";
      readonly protocol: string;
      readonly alpn: string | undefined;
      readonly serialNumber: string;
    }
  /** Code of Node's error, for example `ERR_SSL_TLSV1_UNRECOGNIZED_NAME`. */
  | { readonly refused: string };

/** What differs between the sides. Time, randomness and network are arguments. */
export interface SideParts {
  readonly kind: "rehearsal" | "google";
  readonly identity: Identity;
  /** Host and port that replace all APIs. @default - each API's own */
  readonly endpoint?: string | undefined;
  readonly transport: Transport;
  readonly journal: Journal;
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  /** Returns the data of a record from an authoritative name server; empty if there is none. */
  readonly resolve: (name: string, type: "A" | "AAAA" | "CNAME" | "TXT") => Promise<readonly string[]>;
  readonly handshake: (input: HandshakeInput) => Promise<HandshakeResult>;
  readonly signal?: AbortSignal;
}

export interface CallOptions {
  /** Whether a refusal for a missing permission, API or quota is an answer instead of the end of the run. */
  readonly mayBeBlocked?: boolean;
  /** Whether the caller has checked that the resource, whose name the service assigned, is of this run. */
  readonly isOwn?: boolean;
  /** Root of another API that has the same method at the same path. @default - the root of the method's API */
  readonly rootUrl?: string | undefined;
}

export interface EventuallyOptions {
  readonly withinMs: number;
  /** @default 1_000 */
  readonly everyMs?: number;
}

const versions: Readonly<Record<string, string>> = {
  certificatemanager: "v1",
  cloudresourcemanager: "v3",
  compute: "v1",
  dns: "v1",
  logging: "v2",
  monitoring: "v3",
  networksecurity: "v1",
  privateca: "v1",
  serviceusage: "v1",
};

/** Methods of Monitoring v1; the others are of v3. */
const dashboards = "monitoring.projects.dashboards.";

/** One side of the comparison: the rehearsal cloud, or Google Cloud. */
export class Side {
  readonly kind: SideParts["kind"];
  readonly project: string;
  readonly prefix: string;
  readonly zone: string;
  /** Domain of this run, `PREFIX.DOMAIN`, without a trailing dot. */
  readonly domain: string;
  readonly resolve: SideParts["resolve"];
  readonly handshake: SideParts["handshake"];
  readonly now: SideParts["now"];
  readonly #parts: SideParts;
  readonly #shared = new Map<string, Promise<unknown>>();
  /** Names that a service assigned to resources of this run. */
  readonly #assigned = new Set<string>();

  constructor(parts: SideParts) {
    const { kind, identity } = parts;
    this.#parts = parts;
    this.kind = kind;
    this.project = identity.project;
    this.prefix = identity.prefix;
    this.zone = identity.zone;
    this.domain = `${identity.prefix}.${identity.domain}`;
    this.resolve = parts.resolve;
    this.handshake = parts.handshake;
    this.now = parts.now;
  }

  get identity(): Identity {
    return this.#parts.identity;
  }

  get journal(): Journal {
    return this.#parts.journal;
  }

  /** Returns the name of a resource of this run. */
  name(word: string): string {
    return `${this.prefix}-${word}`;
  }

  /** Returns a hostname of this run. @param label one or more labels; empty for the domain of the run itself */
  host(label = ""): string {
    return label === "" ? this.domain : `${label}.${this.domain}`;
  }

  /** Returns `projects/P/locations/L`. */
  location(location = "global"): string {
    return `projects/${this.project}/locations/${location}`;
  }

  /** Returns the value of a function that is called once in a run, for resources that several groups share. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#shared.get(key) as Promise<Value> | undefined;
    const value = known ?? make();
    this.#shared.set(key, value);
    return value;
  }

  /**
   * Sends a request and returns the answer, also a refusal. A resource that the request creates gets the label of the
   * suite and an entry in the journal before.
   *
   * @throws BlockedError if the project refuses the method as a whole
   */
  async call(id: string, parameters: Parameters, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const { journal, transport, signal, identity } = this.#parts;
    const endpoint = this.#parts.endpoint ?? options.rootUrl;
    signal?.throwIfAborted();
    const kind = kindCreatedBy(id);
    const sent = kind === undefined ? body : labeled(kind, body, identity.prefix);
    const api = id.slice(0, id.indexOf("."));
    const description = `${api}:${id.startsWith(dashboards) ? "v1" : versions[api]}`;
    if (!isOwnDescriptionId(description)) throw new BugError(`${id} has no description in lib/discovery`);
    const request = ownDescription(description).request(id, {
      parameters,
      ...(sent === undefined ? {} : { body: sent }),
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    const isAssigned = typeof parameters.name === "string" && this.#assigned.has(parameters.name);
    if (isChange(request.method, id) && options.isOwn !== true && !isAssigned) {
      checkOwn({ id, parameters, body: sent, run: identity });
    }
    const resources = kind?.targets(parameters, (sent ?? {}) as Json) ?? [];
    const added = resources.map((target) => ({ createdBy: id, target })).filter((each) => journal.creating(each));
    const answer = await transport({ ...request, id });
    const { name } = answer.body;
    if (kind?.search !== undefined && answer.status < 300 && typeof name === "string") this.#assigned.add(name);
    if (answer.status < 300) for (const each of added) journal.answered(each);
    // A conflict may be with a resource that an earlier, unanswered request of the run created.
    if (isRefused(answer) && answer.status !== 409) for (const each of added) journal.refused(each);
    const reason = options.mayBeBlocked === true ? undefined : blockedReasonOf(answer.status, answer.body);
    if (reason !== undefined) throw new BlockedError(reason, id, messageOf(answer));
    return answer;
  }

  /** Sends a request that has to succeed, and returns the content of the answer. */
  async make(id: string, parameters: Parameters, body?: unknown): Promise<Json> {
    const answer = await this.call(id, parameters, body);
    if (answer.status >= 300) throw new Error(`${id} answered ${answer.status}: ${messageOf(answer)}`);
    return answer.body;
  }

  /**
   * Sends a request that has to succeed, waits for its operation, and returns the ended operation. A new resource whose
   * creating request has no labels gets the label of the suite afterwards.
   */
  async run(id: string, parameters: Parameters, body?: unknown): Promise<Json> {
    const ended = await this.ended(id, parameters, await this.make(id, parameters, body));
    const kind = kindCreatedBy(id);
    if (kind?.relabel !== undefined && ended.error === undefined) {
      for (const target of kind.targets(parameters, (body ?? {}) as Json)) await this.#relabel(kind.relabel, target);
    }
    return ended;
  }

  async #relabel({ get, set }: NonNullable<ResourceKind["relabel"]>, target: Parameters): Promise<void> {
    const { labels, labelFingerprint } = await this.make(get, target);
    const { project, region, ...words } = target;
    const parameters = {
      project: project ?? "",
      ...(region === undefined ? {} : { region }),
      resource: Object.values(words)[0] ?? "",
    };
    const own = { ...(labels as Json | undefined), [suiteLabel]: this.prefix };
    await this.ended(set, parameters, await this.make(set, parameters, { labels: own, labelFingerprint }));
  }

  /** Waits for the end of an operation, or of a change of Cloud DNS. @param id the method that answered with it */
  async ended(id: string, parameters: Parameters, operation: Json): Promise<Json> {
    const end = operationEnd(id, parameters, operation);
    if (end === undefined) return operation;
    const { value, isReached } = await this.eventually(
      async (): Promise<Json> =>
        (await this.call(end.method, end.parameters, undefined, { rootUrl: end.rootUrl })).body,
      end.isDone,
      { withinMs: 20 * 60_000 },
      operation,
    );
    if (!isReached) throw new Error(`the operation of ${id} did not end within 20 minutes`);
    return value;
  }

  /** Repeats a question until its answer is as wanted, or the bound is over. Waits before each further question. */
  async eventually<Value>(
    ask: () => Promise<Value>,
    isWanted: (value: Value) => boolean,
    { withinMs, everyMs = this.kind === "rehearsal" ? 500 : 2_000 }: EventuallyOptions,
    first?: Value,
  ): Promise<{ readonly value: Value; readonly isReached: boolean; readonly tookMs: number }> {
    const { now, wait } = this.#parts;
    const startedMs = now().getTime();
    let value = first ?? (await ask());
    for (;;) {
      const tookMs = now().getTime() - startedMs;
      if (isWanted(value)) return { value, isReached: true, tookMs };
      if (tookMs >= withinMs) return { value, isReached: false, tookMs };
      await wait(Math.min(everyMs, withinMs - tookMs));
      value = await ask();
    }
  }

  /** Waits; the clock of the rehearsal cloud is moved instead. */
  wait(ms: number): Promise<void> {
    return this.#parts.wait(ms);
  }
}

function messageOf({ status, body }: Answer): string {
  const { error } = body as { readonly error?: { readonly message?: unknown } };
  return typeof error?.message === "string" ? error.message : `HTTP ${status}`;
}

/** Returns what a client decides by: HTTP status, status name or reason, and the invalid fields. */
export function refusalOf({ status, body }: Answer): Json {
  const { error } = body as {
    readonly error?: {
      readonly status?: string;
      readonly errors?: readonly Json[];
      readonly details?: readonly Json[];
    };
  };
  if (error === undefined) return { status };
  return { status, ...(error.status === undefined ? { reason: error.errors?.[0]?.reason } : { code: error.status }) };
}

/** Returns whether a request was refused, where no document states the code. */
export function isRefused({ status }: Answer): boolean {
  return status >= 400 && status < 500;
}
