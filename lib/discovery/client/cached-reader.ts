import { InputError, type Problem, ServiceError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { type HttpClient, type HttpResponse, printableUrl, type RetryNotice } from "../../http";
import { defined } from "../../json/defined";
import type { CachedAnswer, CacheFolder } from "./cache-folder";
import { ageInWords, isEtag, isFresh, isSameContent, maxAgeOf, readKeeping } from "./freshness";

export interface Wanted<T> {
  readonly url: string;
  /** Description of the attempt for messages, for example `listing APIs`. */
  readonly purpose: string;
  /** @throws {@link InputError} if the body is malformed; {@link ServiceError} if it is another resource */
  readonly parse: (text: string) => T;
  /** Same resource at another address, whose copy is used if this address has none and the service can't be reached. */
  readonly otherwise?: () => Promise<Wanted<T> | undefined>;
}

interface Copy<T> {
  readonly answer: CachedAnswer;
  readonly value: T;
}

interface CachedReaderOptions {
  readonly http: HttpClient;
  /** Storage of copies. Undefined: nothing is stored. */
  readonly cache: CacheFolder | undefined;
  readonly offline: boolean;
  /** How long to wait for the service if there is a copy, in milliseconds. */
  readonly patienceMs: number;
  readonly now: () => Date;
  readonly onWarning: (warning: Problem) => void;
  readonly onRetry: ((retry: RetryNotice) => void) | undefined;
}

/** Reads resources from a fresh copy, then from the service, and from an old copy if the service fails. */
export class CachedReader {
  readonly #options: CachedReaderOptions;

  constructor(options: CachedReaderOptions) {
    this.#options = options;
  }

  /**
   * @throws {@link ServiceError} if the service refuses, or can't be reached and no copy exists; {@link InputError}
   * `offline-miss`; the signal's reason when it aborts
   */
  async read<T>(wanted: Wanted<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    const { offline, now } = this.#options;
    const kept = await this.copyOf(wanted);
    if (!offline && kept !== undefined && isFresh(kept.answer, now())) return kept.value;
    const failure = offline ? undefined : await this.#ask(wanted, kept, signal);
    if (failure !== undefined && "value" in failure) return failure.value;
    const copy = kept ?? (await this.#copyElsewhere(wanted));
    if (copy === undefined) throw failure?.error ?? this.#offlineMiss(wanted);
    this.#warnOfAge(wanted, copy, failure?.error);
    return copy.value;
  }

  /** Returns the stored copy of a URL, of any age; undefined for a copy that can no longer be parsed. */
  async copyOf<T>({ url, parse }: Wanted<T>): Promise<Copy<T> | undefined> {
    const answer = await this.#options.cache?.read(url);
    if (answer === undefined) return undefined;
    try {
      return { answer, value: parse(new TextDecoder().decode(answer.body)) };
    } catch (error) {
      if (error instanceof InputError || error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  async freshCopyOf<T>(wanted: readonly Wanted<T>[]): Promise<T | undefined> {
    for (const candidate of wanted) {
      const kept = await this.copyOf(candidate);
      if (kept !== undefined && !this.#options.offline && isFresh(kept.answer, this.#options.now())) return kept.value;
    }
    return undefined;
  }

  async #copyElsewhere<T>(wanted: Wanted<T>): Promise<Copy<T> | undefined> {
    const fallback = await wanted.otherwise?.();
    return fallback && this.copyOf(fallback);
  }

  /** Returns the service's response, or an error for which an old copy may be used instead. Throws all other errors. */
  async #ask<T>(
    wanted: Wanted<T>,
    kept: Copy<T> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: T } | { readonly error: ServiceError }> {
    const { patienceMs } = this.#options;
    const patience = kept === undefined ? undefined : AbortSignal.timeout(patienceMs);
    const signals = [signal, patience].filter((candidate) => candidate !== undefined);
    try {
      return { value: await this.#fetch(wanted, kept, signals.length === 0 ? undefined : AbortSignal.any(signals)) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ServiceError && error.retryable) return { error };
      if (patience?.aborted !== true) throw error;
      const message = `${wanted.purpose}: ${printableUrl(wanted.url)} did not answer within ${patienceMs / 1_000} s`;
      return { error: new ServiceError(message, { code: "service-timeout", retryable: true, cause: error }) };
    }
  }

  async #fetch<T>(wanted: Wanted<T>, kept: Copy<T> | undefined, signal: AbortSignal | undefined): Promise<T> {
    const askedAtMs = this.#options.now().getTime();
    const etag = kept?.answer.etag;
    const response = await this.#options.http.send({
      method: "GET",
      url: wanted.url,
      purpose: wanted.purpose,
      headers: { accept: "application/json", ...defined({ "if-none-match": etag }) },
      accept: etag === undefined ? [] : [304],
      retries: defined({ onRetry: this.#options.onRetry }),
      ...defined({ signal }),
    });
    if (response.status !== 304 || kept === undefined) {
      const value = parseAnswer(wanted, response.text);
      await this.#keep(wanted, response, askedAtMs, response.body, undefined);
      return value;
    }
    const confirmed = response.headers.get("etag");
    // A 304 with another entity tag does not confirm the copy.
    if (confirmed !== undefined && !isSameContent(confirmed, etag ?? "")) return this.#fetch(wanted, undefined, signal);
    await this.#keep(wanted, response, askedAtMs, kept.answer.body, kept.answer);
    return kept.value;
  }

  async #keep<T>(
    { url }: Wanted<T>,
    { headers }: HttpResponse,
    fetchedAtMs: number,
    body: Uint8Array,
    before: CachedAnswer | undefined,
  ): Promise<void> {
    const { cache, onWarning } = this.#options;
    if (cache === undefined) return;
    const keeping = readKeeping(headers.get("cache-control"), headers.get("age"));
    const etag = [headers.get("etag"), before?.etag].find((tag) => tag !== undefined && isEtag(tag));
    const maxAgeSeconds = maxAgeOf(keeping, before);
    try {
      if (!keeping.store) await cache.remove(url);
      else await cache.write({ url, fetchedAtMs, maxAgeSeconds, body, ...defined({ etag }) });
    } catch (error) {
      const message = `${printableUrl(url)} can't be kept for later (${fileReason(error)}): name a cache folder that can be written`;
      onWarning({ code: "cache-unwritable", message });
    }
  }

  #warnOfAge<T>({ purpose }: Wanted<T>, { answer }: Copy<T>, failure: ServiceError | undefined): void {
    const { now, onWarning } = this.#options;
    if (failure === undefined && isFresh(answer, now())) return;
    const age = ageInWords(now().getTime() - answer.fetchedAtMs);
    const why = failure === undefined ? `${purpose}: offline` : failure.message;
    const message = `${why}; using the copy of ${new Date(answer.fetchedAtMs).toISOString()}, which is ${age} old`;
    onWarning({ code: "copy-stale", message });
  }

  #offlineMiss<T>({ purpose, url }: Wanted<T>): InputError {
    const why = this.#options.cache === undefined ? "no cache folder is set" : "no copy of it is in the cache folder";
    const what = `${purpose}: offline, ${printableUrl(url)} can't be requested`;
    return new InputError("offline-miss", `${what}, and ${why}; read it once without offline`);
  }
}

function parseAnswer<T>({ url, purpose, parse }: Wanted<T>, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // A page of a proxy or a login is temporary; a malformed list is not.
    const isJson = error.code !== "description-not-json";
    const message = `${purpose}: the answer of ${printableUrl(url)} can't be used: ${error.problems[0]?.message}`;
    throw new ServiceError(message, {
      code: isJson ? "answer-malformed" : "answer-not-json",
      retryable: !isJson,
      cause: error,
    });
  }
}
