import { setTimeout as wait } from "node:timers/promises";
import { ownDescription } from "../../discovery";
import { InputError, ServiceError } from "../../errors";
import type { Code } from "../../findings/codes";
import { createHttpClient, type HttpClient, type HttpRequest, type RetryNotice } from "../../http";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { type CompanyWords, findEvent, serviceName } from "../catalogue";
import {
  type ActivityPage,
  type ActivityQuery,
  type ActivitySource,
  checkQuery,
  formatFilters,
  isFilterQuery,
} from "../query";
import type { Activity } from "../reading";
import { type ListedPage, readPage } from "./page";
import { createRateLimiter } from "./rate-limiter";

/** Options of a client of the activities service. */
export interface ActivitiesClientOptions extends CompanyWords {
  /** URL of the service, with or without a path before `/admin`. @default "https://admin.googleapis.com/" */
  readonly baseUrl?: string;
  /** @default - the client sends no token */
  readonly authorization?: ActivitiesAuthorization;
  /**
   * Whether event names are sent as the public service writes them (`CREATE_GMAIL_SETTING` for
   * `CREATE_HOSTED_MAIL_SETTING`). The public service returns no events for a name that it does not know.
   *
   * @default - true for hosts of googleapis.com
   */
  readonly serviceNames?: boolean;
  readonly limits?: ActivitiesLimits;
  /**
   * HTTP client.
   *
   * @default - waits from 5 s on, doubling, 6 attempts, as the public service advises, and 10 minutes for one page
   */
  readonly http?: HttpClient;
  readonly time?: ActivitiesTime;
}

/** How a client is authorized. */
export interface ActivitiesAuthorization {
  /**
   * Returns an access token with the scope `https://www.googleapis.com/auth/admin.reports.audit.readonly`. The client
   * calls this before each page. It sends the token over HTTPS; over HTTP, only to this machine.
   */
  readonly token: () => string | Promise<string>;
  /**
   * Number or id of the project whose quota is used. The service requires a quota project for tokens of a user's own
   * login (`gcloud auth application-default login`).
   *
   * @default - that of the token
   */
  readonly quotaProject?: string;
  /**
   * Where the client puts the token. Specification 2 puts the token in the query, but queries appear in logs.
   *
   * @default "header"
   */
  readonly tokenIn?: "header" | "query";
}

/** Limits of the requests of a client. */
export interface ActivitiesLimits {
  /**
   * Maximum number of filter queries per minute, as the service counts them.
   *
   * @default 250: the public service's quota
   */
  readonly filterQueriesPerMinute?: number;
  /** Maximum number of queries of any kind per minute. @default 2_400: the public service's quota */
  readonly queriesPerMinute?: number;
  /** Maximum number of pages in one listing. @default 10_000 */
  readonly maxPages?: number;
}

/** The clocks and the timer of a client. */
export interface ActivitiesTime {
  /** Returns the current time. @default the machine's clock */
  readonly now?: () => Date;
  /**
   * Returns the current time of the service. The client checks the times of queries against this time.
   *
   * @default - `now`; the time of a rehearsal cloud can run ahead of the machine's clock
   */
  readonly serviceTime?: () => Date | Promise<Date>;
  /** Waits. Rejects when the signal aborts. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Options of a listing. */
export interface ListOptions {
  readonly signal?: AbortSignal;
  /** Called after each page. */
  readonly onProgress?: (progress: ListProgress) => void;
  /** Called before a retry. */
  readonly onRetry?: (notice: RetryNotice) => void;
}

/** Progress of a listing. */
export interface ListProgress {
  readonly pages: number;
  readonly activities: number;
  /** Time of the last activity that was read. Listings run from the newest activity to the oldest. */
  readonly reached?: Date;
}

/** Maximum number of attempts for a page if the answer is malformed. */
const malformedAttempts = 3;

/** Lists activities of the Reports API, or of a service with the same interface. */
export class ActivitiesClient implements ActivitySource {
  readonly name: string;
  readonly #options: ActivitiesClientOptions;
  readonly #http: HttpClient;
  readonly #now: () => Date;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #take: (query: ActivityQuery, signal: AbortSignal | undefined) => Promise<void>;

  /** @throws InputError `base-url-malformed`, or `token-in-clear` if a token would be sent without encryption */
  constructor(options: ActivitiesClientOptions = {}) {
    this.#options = options;
    this.name = checkBaseUrl(options);
    const { time = {}, limits = {} } = options;
    this.#now = time.now ?? (() => new Date());
    this.#sleep = time.sleep ?? (async (ms, signal) => void (await wait(ms, undefined, { signal })));
    this.#http =
      options.http ??
      createHttpClient({
        retry: { maxAttempts: 6, initialDelayMs: 5_000, maxDelayMs: 160_000 },
        limits: { deadlineMs: 600_000 },
        now: this.#now,
        sleep: this.#sleep,
      });
    const limit = { now: this.#now, sleep: this.#sleep };
    const all = createRateLimiter({ perMinute: limits.queriesPerMinute ?? 2_400, ...limit });
    const filtered = createRateLimiter({ perMinute: limits.filterQueriesPerMinute ?? 250, ...limit });
    this.#take = async (query, signal) => {
      await all.take(signal);
      if (isFilterQuery(query)) await filtered.take(signal);
    };
  }

  /**
   * Lists activities, newest first, page by page.
   *
   * @throws InputError for an invalid query, before any request; ServiceError if a page cannot be read
   * (`record-malformed` for a malformed record). The activities before a ServiceError are only a part of the listing
   */
  async *list(query: ActivityQuery = {}, options: ListOptions = {}): AsyncGenerator<Activity, void, undefined> {
    for await (const { activities, unreadable } of this.pages(query, options)) {
      const [first] = unreadable;
      if (first !== undefined) {
        const message = `listing activities: ${first.problem.message} (${unreadable.length} on this page)`;
        throw new ServiceError(message, { code: "record-malformed", retryable: false });
      }
      yield* activities;
    }
  }

  /**
   * Lists pages up to the last page. A listing that ends without an error is complete.
   *
   * @throws as {@link list}, except that malformed records are returned with their page
   */
  async *pages(query: ActivityQuery, options: ListOptions = {}): AsyncGenerator<ActivityPage, void, undefined> {
    checkQuery(query, await (this.#options.time?.serviceTime ?? this.#now)(), this.#options);
    const tokens = new Set<string>();
    let [pages, count] = [0, 0];
    let pageToken: string | undefined;
    do {
      const { nextPageToken, ...page }: ListedPage = await this.#page(query, pageToken, options).catch(
        (error: unknown) => {
          throw pageToken === undefined ? error : refusedToken(error);
        },
      );
      pages += 1;
      count += page.activities.length;
      const reached = page.activities.at(-1)?.time;
      options.onProgress?.({ pages, activities: count, ...defined({ reached }) });
      if (nextPageToken !== undefined && tokens.has(nextPageToken)) {
        throw incomplete("page-token-repeated", "the service gave a page token twice, so the listing would never end");
      }
      if (nextPageToken !== undefined && pages >= (this.#options.limits?.maxPages ?? 10_000)) {
        throw incomplete("too-many-pages", `the listing has more than ${pages} pages; narrow the time, or allow more`);
      }
      yield page;
      pageToken = nextPageToken;
      if (pageToken !== undefined) tokens.add(pageToken);
    } while (pageToken !== undefined);
  }

  async #page(query: ActivityQuery, pageToken: string | undefined, options: ListOptions): Promise<ListedPage> {
    const { signal, onRetry } = options;
    const purpose = "listing activities";
    for (let attempt = 1; ; attempt++) {
      await this.#take(query, signal);
      const { status, text } = await this.#http.send({
        ...(await this.#request(query, pageToken)),
        purpose,
        retries: defined({ onRetry }),
        ...defined({ signal }),
      });
      try {
        return readPage(status, text, purpose, this.#options);
      } catch (error) {
        if (!(error instanceof ServiceError) || attempt >= malformedAttempts) throw error;
        const delayMs = 1_000 * 2 ** (attempt - 1);
        onRetry?.({ purpose, attempt, delayMs, why: error.message, code: error.code });
        await this.#sleep(delayMs, signal ?? new AbortController().signal);
      }
    }
  }

  async #request(
    query: ActivityQuery,
    pageToken: string | undefined,
  ): Promise<Pick<HttpRequest, "method" | "url" | "headers">> {
    const { token, tokenIn = "header", quotaProject = undefined } = this.#options.authorization ?? {};
    const secret = token === undefined ? undefined : checkToken(await token());
    const { method, url, headers } = ownDescription("admin:reports_v1").request("reports.activities.list", {
      endpoint: this.name,
      parameters: {
        userKey: query.userKey ?? "all",
        applicationName: query.applicationName ?? "admin",
        eventName: this.#eventName(query.eventName),
        filters: query.filters === undefined || query.filters.length === 0 ? undefined : formatFilters(query.filters),
        maxResults: query.maxResults,
        startTime: query.startTime?.toISOString(),
        endTime: query.endTime?.toISOString(),
        actorIpAddress: query.actorIpAddress,
        customerId: query.customerId,
        orgUnitID: query.orgUnitID,
        groupIdFilter: query.groupIdFilter,
        ...query.furtherFilters,
        pageToken,
        access_token: tokenIn === "query" ? secret : undefined,
      },
    });
    const isInHeader = secret !== undefined && tokenIn === "header";
    return {
      method,
      url,
      headers: {
        ...headers,
        ...(isInHeader ? { authorization: `Bearer ${secret}` } : {}),
        ...defined({ "x-goog-user-project": quotaProject }),
      },
    };
  }

  #eventName(given: string | undefined): string | undefined {
    const { serviceNames = new URL(this.name).hostname.endsWith(".googleapis.com") } = this.#options;
    if (given === undefined) return undefined;
    const event = findEvent(given, this.#options);
    return event?.name === given && serviceNames ? serviceName(event.name, this.#options) : given;
  }
}

/** Statuses for a page token that the service does not accept any more. The first page had the same parameters. */
const tokenRefusals: ReadonlySet<number | undefined> = new Set([400, 410]);

/** Returns the error for a refused page token; any other error unchanged. */
function refusedToken(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !tokenRefusals.has(error.status)) return error;
  const { status, message } = error;
  const code = "page-token-refused";
  const what = `the service refused the token of a page; what was read is a part only, so list again: ${message}`;
  return new ServiceError(what, { code, retryable: true, cause: error, ...defined({ status }) });
}

function incomplete(code: Code, message: string): ServiceError {
  const retryable = code === "page-token-repeated";
  return new ServiceError(`listing activities: ${message}; what was read is a part only`, { code, retryable });
}

function checkBaseUrl({ baseUrl = "https://admin.googleapis.com/", authorization }: ActivitiesClientOptions): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== "") {
    const message = `the base URL ${quote(baseUrl)} is not a valid base URL; use https://HOST/, without user, query and fragment`;
    throw new InputError("base-url-malformed", message);
  }
  const local = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
  if (authorization !== undefined && url.protocol === "http:" && !local) {
    const message = `an access token would go to ${url.host} without encryption; use https, or leave the token out`;
    throw new InputError("token-in-clear", message);
  }
  return url.href;
}

function checkToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  const message = "the access token has characters that no token has; give it without spaces and line breaks";
  throw new InputError("token-malformed", message);
}
