import { InputError, type Problem, ServiceError } from "../../errors";
import { createHttpClient, type HttpClient, printableUrl, type RetryNotice } from "../../http";
import { quote } from "../../text/quote";
import { ApiDescription } from "../api-description";
import type { DirectoryItem } from "../document";
import { ownDescription } from "../own-descriptions";
import { parseDirectory } from "../parse";
import { openCacheFolder } from "./cache-folder";
import { CachedReader, type Wanted } from "./cached-reader";

/** Stored copies of descriptions, and when a client uses them. */
interface CopiesOptions {
  /**
   * Folder of the copies, created when needed. Without it nothing is stored.
   *
   * A copy is used without a request as long as the service's `max-age` allows; one hour if the service sends no
   * `max-age`. After that, the client asks the service whether the copy is still valid. If the service cannot be
   * reached, the client uses the old copy and reports its age in a warning.
   *
   * @default - none
   */
  readonly folder?: string;
  /** Whether to use only copies, of any age, and never send a request. @default false */
  readonly offline?: boolean;
  /**
   * How long to wait for the service if there is an old copy, in milliseconds, including retries. Without a copy,
   * `http` decides how long to wait.
   *
   * @default 10_000
   */
  readonly patienceMs?: number;
}

/** Options of a client of the description service. */
export interface DescriptionClientOptions {
  /** Root URL of the description service. @default "https://www.googleapis.com/" */
  readonly rootUrl?: string;
  /**
   * Sends the requests. Timeouts, retries and the maximum length of a body are its responsibility.
   *
   * @default - `createHttpClient()`
   */
  readonly http?: HttpClient;
  readonly copies?: CopiesOptions;
  /** Returns the current time. @default the machine's clock */
  readonly now?: () => Date;
  /**
   * Called with the warnings `copy-stale` and `cache-unwritable`. Warnings never prevent a result.
   *
   * @default - not called
   */
  readonly onWarning?: (warning: Problem) => void;
  /** Called before each wait for a retry. @default - not called */
  readonly onRetry?: (retry: RetryNotice) => void;
  /** Aborts every request of this client. @default - none */
  readonly signal?: AbortSignal;
}

/** Which APIs to list. */
export interface ListFilter {
  /** Name of the API to list. @default - all */
  readonly name?: string;
  /** Whether to list only the preferred version of each API. @default false */
  readonly preferred?: boolean;
}

/** The fields of a list entry that are needed to fetch its description. */
export type DescriptionEntry = Pick<DirectoryItem, "name" | "version" | "discoveryRestUrl">;

/** Reads lists of APIs and descriptions from a description service, and stores copies. */
export class DescriptionClient {
  readonly #service = ownDescription("discovery:v1");
  readonly #rootUrl: string;
  readonly #reader: CachedReader;
  readonly #signal: AbortSignal | undefined;

  /** @throws {@link InputError} `endpoint-invalid` */
  constructor(options: DescriptionClientOptions = {}) {
    this.#rootUrl = this.#service.rootUrl(options.rootUrl);
    this.#signal = options.signal;
    const { copies = {} } = options;
    this.#reader = new CachedReader({
      http: options.http ?? createHttpClient(),
      cache: copies.folder === undefined ? undefined : openCacheFolder(copies.folder),
      offline: copies.offline ?? false,
      patienceMs: copies.patienceMs ?? 10_000,
      now: options.now ?? (() => new Date()),
      onWarning: options.onWarning ?? (() => undefined),
      onRetry: options.onRetry,
    });
  }

  /**
   * Lists APIs (`apis.list`), in the service's order. Addresses in the list are absolute.
   *
   * @throws {@link ServiceError} as {@link HttpClient.send} does, `answer-not-json` or `answer-malformed`; {@link
   * InputError}
   * `offline-miss`
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
   * For `name:version`, the client fetches the description from the `discoveryRestUrl` in the service's list. If that
   * address does not give a description, or the list does not contain the API, the client requests
   * `discovery/v1/apis/NAME/VERSION/rest` from the service. Finally it requests `$discovery/rest?version=VERSION` from
   * the API itself: under `https://NAME.googleapis.com/`, or under `rootUrl` if another root is set.
   *
   * @param which an entry of {@link list}, or `name:version`
   * @throws {@link ServiceError} as {@link list} does, or `description-mismatch` if the service returned another API or
   * version; {@link InputError} `api-id-malformed`, `entry-url-invalid` or `offline-miss`
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
    return this.#readFirst(listed, unlisted);
  }

  /**
   * Returns the list's entry; undefined if it is missing, or if the list cannot be read and another address may work.
   */
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
      // Other addresses are on the same service, which would time out again. Only a copy makes the attempt useful.
      if (error.code !== "answer-not-json" && error.retryable && copies.every((copy) => copy === undefined))
        throw error;
      return undefined;
    }
  }

  /**
   * Reads the first available resource of several addresses. If no address has it, throws the error of the first
   * address. Any failure of a listed address leads to the other addresses, except on a service that does not answer.
   */
  async #readFirst<T>(listed: readonly Wanted<T>[], unlisted: readonly Wanted<T>[]): Promise<T> {
    let failure: unknown;
    const unreachable = new Set<string>();
    for (const candidate of [...listed, ...unlisted.filter(({ url }) => url !== listed[0]?.url)]) {
      const { origin } = new URL(candidate.url);
      if (unreachable.has(origin)) continue;
      try {
        return await this.#reader.read(candidate, this.#signal);
      } catch (error) {
        failure ??= error;
        const isListed = listed.includes(candidate) && error instanceof ServiceError;
        if (!isListed && !isMissingHere(error)) throw failure;
        if (isListed && error.status === undefined && error.retryable && !notADescription.has(error.code))
          unreachable.add(origin);
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
        const nameAndVersion = quote(`${description.name}:${description.version}`);
        const message = `${purpose}: ${printableUrl(url)} answered with the description of ${nameAndVersion}`;
        throw new ServiceError(message, { code: "description-mismatch", retryable: false });
      },
    };
  }

  /** Returns the address at which an API serves its own description. */
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

/** Returns whether an error means that this address does not have the resource, so that another address may have it. */
function isMissingHere(error: unknown): boolean {
  if (error instanceof InputError) return error.code === "offline-miss";
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error;
  return status === 404 || status === 410 || notADescription.has(code);
}

const notADescription: ReadonlySet<string> = new Set(["description-mismatch", "answer-malformed", "answer-not-json"]);

function absoluteUrl(url: string, base: string): string | undefined {
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  return parsed.href;
}
