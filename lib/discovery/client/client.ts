import { InputError, type Problem, ServiceError } from "../../errors";
import { createHttpClient, type HttpClient, printableUrl, type RetryNotice } from "../../http";
import { quote } from "../../text/quote";
import { ApiDescription } from "../api-description";
import type { DirectoryItem } from "../document";
import { ownDescription } from "../own-descriptions";
import { parseDirectory } from "../parse";
import { openCacheFolder } from "./cache-folder";
import { CachedReader, type Wanted } from "./cached-reader";

export interface DescriptionClientOptions {
  /**
   * Where the description service is.
   *
   * @default "https://www.googleapis.com/"
   */
  readonly rootUrl?: string;
  /**
   * Sends the requests; time-outs, retries and the longest body are its matter.
   *
   * @default - `createHttpClient()`
   */
  readonly http?: HttpClient;
  /**
   * Folder of the copies, made when needed. Without it nothing is kept.
   *
   * A copy is used without asking as long as the service's `max-age` allows, an hour where it says nothing; then the
   * service is asked whether it still holds. Where the service can't be reached, an old copy is better than none, and a
   * warning tells how old it is.
   *
   * @default - none
   */
  readonly cacheFolder?: string;
  /**
   * Never ask the service: only copies are used, however old.
   *
   * @default false
   */
  readonly offline?: boolean;
  /**
   * How long the service is waited for, further attempts included, where there is an old copy; without one it is waited
   * for as long as `http` does.
   *
   * @default 10_000
   */
  readonly patienceMs?: number;
  /** @default the machine's clock */
  readonly now?: () => Date;
  /** Told `copy-stale` and `cache-unwritable`: nothing that keeps an answer back. @default - not told */
  readonly onWarning?: (warning: Problem) => void;
  /** Told before each wait for another attempt. @default - not told */
  readonly onRetry?: (retry: RetryNotice) => void;
  /** Ends every request of this client. @default - none */
  readonly signal?: AbortSignal;
}

/** Which APIs to list. */
export interface ListFilter {
  /** Only those of this name. @default - all */
  readonly name?: string;
  /** Only the preferred version of each. @default false */
  readonly preferred?: boolean;
}

/** An entry of the list, as far as it takes to fetch its description. */
export type DescriptionEntry = Pick<DirectoryItem, "name" | "version" | "discoveryRestUrl">;

/** Reads lists of APIs and descriptions from a description service, and keeps copies. */
export class DescriptionClient {
  readonly #service = ownDescription("discovery:v1");
  readonly #rootUrl: string;
  readonly #reader: CachedReader;
  readonly #signal: AbortSignal | undefined;

  /** @throws {@link InputError} `endpoint-invalid` */
  constructor(options: DescriptionClientOptions = {}) {
    this.#rootUrl = this.#service.rootUrl(options.rootUrl);
    this.#signal = options.signal;
    this.#reader = new CachedReader({
      http: options.http ?? createHttpClient(),
      cache: options.cacheFolder === undefined ? undefined : openCacheFolder(options.cacheFolder),
      offline: options.offline ?? false,
      patienceMs: options.patienceMs ?? 10_000,
      now: options.now ?? (() => new Date()),
      onWarning: options.onWarning ?? (() => undefined),
      onRetry: options.onRetry,
    });
  }

  /**
   * Lists APIs (`apis.list`), in the service's order; addresses in it are absolute.
   *
   * @throws {@link ServiceError} as {@link HttpClient.send} does, `answer-not-json` or `answer-malformed`;
   *     {@link InputError} `offline-miss`
   */
  async list(filter: ListFilter = {}): Promise<readonly DirectoryItem[]> {
    const wanted = this.#listWanted(filter);
    const items = await this.#reader.read({ ...wanted, otherwise: async () => this.#listWanted({}) }, this.#signal);
    return items.filter(
      (item) =>
        (filter.name === undefined || item.name === filter.name) &&
        (filter.preferred !== true || item.preferred === true),
    );
  }

  /**
   * Reads one description.
   *
   * A description that is named by `name:version` is fetched from the `discoveryRestUrl` that the service's list has for it. Where that is not found,
   * or the list doesn't have the API, the service is asked by `discovery/v1/apis/NAME/VERSION/rest`, and then the API itself by
   * `$discovery/rest?version=VERSION`: under `https://NAME.googleapis.com/`, or under `rootUrl` where another one is set.
   *
   * @param which an entry of {@link list}, or `name:version`
   * @throws {@link ServiceError} as {@link list} does, or `description-mismatch` where the service answered with
   *     another API or version; {@link InputError} `api-id-malformed`, `entry-url-invalid` or `offline-miss`
   */
  async get(which: DescriptionEntry | string): Promise<ApiDescription> {
    if (typeof which !== "string") return this.#reader.read(this.#wantedByEntry(which), this.#signal);
    this.#signal?.throwIfAborted();
    const { name, version } = splitId(which);
    const unlisted = [this.#restUrl(name, version), this.#ownRestUrl(name, version)].map((url) =>
      this.#wanted(name, version, url),
    );
    const fresh = await this.#reader.freshCopyOf(unlisted);
    if (fresh !== undefined) return fresh;
    const entry = await this.#entryOf(name, version, unlisted);
    const listed = entry === undefined ? [] : [this.#wanted(name, version, entry.discoveryRestUrl)];
    return this.#readFirst([...listed, ...unlisted.filter(({ url }) => url !== entry?.discoveryRestUrl)]);
  }

  /** The list's entry; undefined where there is none, or the list can't be read and another address is worth a try. */
  async #entryOf(
    name: string,
    version: string,
    unlisted: readonly Wanted<unknown>[],
  ): Promise<DirectoryItem | undefined> {
    try {
      const items = await this.list({ name });
      return items.find((item) => item.version === version && /^https?:/i.test(item.discoveryRestUrl));
    } catch (error) {
      if (error instanceof InputError && error.code === "offline-miss") return undefined;
      if (!(error instanceof ServiceError)) throw error;
      const copies = await Promise.all(unlisted.map((wanted) => this.#reader.copyOf(wanted)));
      // The same service would be waited for again, for as long; only a copy is worth that.
      if (error.code !== "answer-not-json" && error.retryable && copies.every((copy) => copy === undefined))
        throw error;
      return undefined;
    }
  }

  /** What the first of several addresses has; of those that don't have it, the first one's error. */
  async #readFirst<T>(wanted: readonly Wanted<T>[]): Promise<T> {
    let failure: unknown;
    for (const one of wanted) {
      try {
        return await this.#reader.read(one, this.#signal);
      } catch (error) {
        failure ??= error;
        if (!isElsewhere(error)) throw failure;
      }
    }
    throw failure;
  }

  #listWanted({ name, preferred }: ListFilter): Wanted<readonly DirectoryItem[]> {
    const parameters = { name, preferred: preferred === true ? true : undefined };
    const { url } = this.#service.request("discovery.apis.list", { parameters, endpoint: this.#rootUrl });
    return {
      url,
      purpose: "listing APIs",
      parse: (text) =>
        parseDirectory(text).items.map((item) => ({
          ...item,
          discoveryRestUrl: absoluteUrl(item.discoveryRestUrl, url) ?? item.discoveryRestUrl,
        })),
    };
  }

  #wantedByEntry({ name, version, discoveryRestUrl }: DescriptionEntry): Wanted<ApiDescription> {
    const url = absoluteUrl(discoveryRestUrl, this.#listWanted({}).url);
    if (url === undefined) {
      const what = `the entry of ${quote(`${name}:${version}`)} leads to ${quote(discoveryRestUrl)}`;
      throw new InputError("entry-url-invalid", `${what}: only https:// and http:// can be fetched`);
    }
    return {
      ...this.#wanted(name, version, url),
      otherwise: async () => this.#wanted(name, version, this.#restUrl(name, version)),
    };
  }

  #wanted(name: string, version: string, url: string): Wanted<ApiDescription> {
    const id = `${name}:${version}`;
    const purpose = `reading the description of ${quote(id)}`;
    return {
      url,
      purpose,
      parse: (text) => {
        const description = ApiDescription.parse(text);
        if (description.name === name && description.version === version) return description;
        const other = quote(`${description.name}:${description.version}`);
        const message = `${purpose}: ${printableUrl(url)} answered with the description of ${other}`;
        throw new ServiceError(message, { code: "description-mismatch", retryable: false });
      },
    };
  }

  /** Where an API describes itself. */
  #ownRestUrl(name: string, version: string): string {
    const host =
      this.#rootUrl === this.#service.rootUrl() ? `https://${encodeURIComponent(name)}.googleapis.com/` : this.#rootUrl;
    return `${host}$discovery/rest?version=${encodeURIComponent(version)}`;
  }

  #restUrl(name: string, version: string): string {
    const parameters = { api: name, version };
    return this.#service.request("discovery.apis.getRest", { parameters, endpoint: this.#rootUrl }).url;
  }
}

/** @throws {@link InputError} `api-id-malformed` */
function splitId(id: string): { readonly name: string; readonly version: string } {
  const colon = id.indexOf(":");
  if (colon > 0 && colon < id.length - 1) return { name: id.slice(0, colon), version: id.slice(colon + 1) };
  throw new InputError("api-id-malformed", `${quote(id)} names no API: use NAME:VERSION, as in dns:v1`);
}

/** Whether an error says that something is not at this address, so that another one may have it. */
function isElsewhere(error: unknown): boolean {
  if (error instanceof InputError) return error.code === "offline-miss";
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error;
  return status === 404 || status === 410 || code === "description-mismatch" || code === "answer-malformed";
}

/** Undefined where it is neither https nor http. */
function absoluteUrl(url: string, base: string): string | undefined {
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  return parsed.href;
}
