import { InputError, ServiceError } from "../../errors";
import { createHttpClient, type HttpClient, parseRefusal } from "../../http";
import { defined } from "../../json/defined";
import { fieldsOf } from "../../json/fields";
import { quote } from "../../text/quote";
import type { ApiDescription } from "../api-description";
import type { EndpointChoice } from "../paths";
import type { RequestInput } from "../requests";
import { type BatchedResponse, decodeBatchResponse, encodeBatch } from "../requests/batch";
import { wrapsData } from "../requests/request-plan";
import {
  type CallHeaders,
  chunkBytesOf,
  jsonOf,
  receivePieces,
  type Sender,
  send,
  sendPieces,
  type UploadInput,
} from "./media";
import { followPages } from "./pages";

/** Options of an API client. */
export interface ApiClientOptions {
  /** Destination of the requests. @default - the description's rootUrl */
  readonly endpoint?: EndpointChoice;
  /** Returns the headers of a request, for example `authorization`. Called before each request. @default - none */
  readonly headers?: CallHeaders;
  /**
   * Sends the requests. Timeouts, retries and the maximum length of a body are its responsibility.
   *
   * @default - `createHttpClient()`
   */
  readonly http?: HttpClient;
  /** Aborts every request of this client. @default - none */
  readonly signal?: AbortSignal;
}

/** Parameters and body of a call. */
export type CallInput = Pick<RequestInput, "parameters" | "body">;

/** One call of a batch. */
export interface BatchCall extends CallInput {
  /** Id of the method. */
  readonly method: string;
}

/** Result of one call of a batch: its answer, or its error. */
export type BatchResult =
  | { readonly status: number; readonly answer: unknown }
  | { readonly status: number | undefined; readonly error: ServiceError };

/** Services accept up to 1,000 calls in a batch; many accept at most 100. */
const mostCallsInBatch = 100;

/** Calls the methods of an API with its description. Every request is checked before it is sent. */
export class ApiClient {
  readonly #api: ApiDescription;
  readonly #endpoint: { readonly endpoint?: EndpointChoice };
  readonly #sender: Sender;

  constructor(api: ApiDescription, { endpoint, headers, http, signal }: ApiClientOptions = {}) {
    this.#api = api;
    this.#endpoint = endpoint === undefined ? {} : { endpoint };
    this.#sender = { http: http ?? createHttpClient(), headers: headers ?? (() => ({})), signal };
  }

  /**
   * Calls a method.
   *
   * @returns the JSON of the response; undefined if the response has no content
   * @throws InputError with every problem of parameters and body, before anything is sent; ServiceError if the service
   * refuses or does not respond
   */
  async call(method: string, input: RequestInput = {}): Promise<unknown> {
    const purpose = `calling ${quote(method)}`;
    const { text } = await send(this.#sender, this.#request(method, input), { purpose });
    return this.#unwrapped(jsonOf(text, purpose));
  }

  /**
   * Calls a method with paged results and follows the page tokens to the last page: `nextPageToken` of the answers, or
   * `pageToken` if the response schema has only this field.
   *
   * @returns each page, unchanged; the next page is requested when the caller needs it
   * @throws InputError `pages-unsupported`; ServiceError `page-token-repeated`; and as {@link call} does
   */
  pages(method: string, input: CallInput = {}): AsyncGenerator<unknown, void, undefined> {
    return followPages(this.#api, method, input, (question) => this.call(method, question));
  }

  /**
   * Sends calls in batches of up to 100.
   *
   * @returns one result for each call, in the order of the calls. If the service refuses a whole batch or does not
   * answer it, each call of this batch has the error as its result, and the other batches are sent
   * @throws InputError with every problem of the calls, before anything is sent
   */
  async batch(calls: readonly BatchCall[]): Promise<readonly BatchResult[]> {
    const requests = calls.map(({ method, ...input }) => this.#request(method, input));
    const batches: (typeof requests)[] = [];
    for (let at = 0; at < requests.length; at += mostCallsInBatch)
      batches.push(requests.slice(at, at + mostCallsInBatch));
    const encoded = batches.map(encodeBatch);
    const purpose = `sending a batch to ${quote(this.#api.id)}`;
    const url = this.#api.batchUrl(this.#endpoint.endpoint);
    const results: BatchResult[] = [];
    for (const [index, { headers, body }] of encoded.entries()) {
      const sent = calls.slice(index * mostCallsInBatch, (index + 1) * mostCallsInBatch);
      try {
        const answer = await send(this.#sender, { method: "POST", url, headers, body }, { purpose });
        const parts = readParts(answer.headers.get("content-type") ?? "", answer.text, purpose);
        results.push(
          ...sent.map(({ method }, at) => this.#unwrappedResult(resultOf(parts.get(String(at + 1)), method))),
        );
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        results.push(...sent.map(() => ({ status: error.status, error })));
      }
    }
    return results;
  }

  /**
   * Uploads media in chunks (a resumable upload), with the method's parameters and metadata.
   *
   * @returns the JSON of the method's response
   * @throws InputError `chunk-size`, `upload-unsupported` and the problems of the request; ServiceError
   * `upload-session-missing`, `upload-stalled`, or as {@link call} does
   */
  async upload(method: string, input: CallInput, media: UploadInput): Promise<unknown> {
    chunkBytesOf(media);
    const { contentType, content } = media;
    const start = this.#request(method, {
      ...input,
      media: { kind: "resumable", contentType, contentLength: content.byteLength },
    });
    const purpose = `uploading by ${quote(method)}`;
    const answer = await send(this.#sender, start, { purpose });
    return this.#unwrapped(await sendPieces(this.#sender, answer, start.url, media, purpose));
  }

  /**
   * Downloads media (`alt=media`) in chunks.
   *
   * @returns the chunks, in order
   * @throws InputError `download-unsupported` and `chunk-size`; ServiceError `download-changed`, or as {@link call}
   * does
   */
  download(
    method: string,
    input: CallInput = {},
    options: Pick<UploadInput, "chunkBytes"> = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#api.method(method).document.supportsMediaDownload !== true) {
      throw new InputError("download-unsupported", `${quote(method)} has no media to download: call it`);
    }
    const request = this.#request(method, { ...input, parameters: { ...input.parameters, alt: "media" } });
    return receivePieces(this.#sender, request, chunkBytesOf(options), `downloading by ${quote(method)}`);
  }

  /** Returns the content of an answer, which some APIs send in a field `data`. */
  #unwrapped(answer: unknown): unknown {
    return wrapsData(this.#api.document) && Object.hasOwn(fieldsOf(answer), "data") ? fieldsOf(answer).data : answer;
  }

  #unwrappedResult(result: BatchResult): BatchResult {
    return "answer" in result ? { ...result, answer: this.#unwrapped(result.answer) } : result;
  }

  #request(method: string, input: RequestInput) {
    return this.#api.request(method, { ...this.#endpoint, ...input });
  }
}

function readParts(contentType: string, text: string, purpose: string): ReadonlyMap<string, BatchedResponse> {
  try {
    return new Map(decodeBatchResponse(contentType, text).map((part) => [part.contentId, part]));
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new ServiceError(`${purpose}: ${cause.message}`, { code: "answer-malformed", retryable: false, cause });
  }
}

function resultOf(part: BatchedResponse | undefined, method: string): BatchResult {
  const purpose = `calling ${quote(method)} in a batch`;
  if (part === undefined) {
    const message = `${purpose}: the answer to the batch has no part for it`;
    return { status: undefined, error: new ServiceError(message, { code: "batch-answer-missing", retryable: true }) };
  }
  const { status, body } = part;
  try {
    if (status < 300) return { status, answer: jsonOf(body, purpose) };
  } catch (error) {
    if (error instanceof ServiceError) return { status, error };
    throw error;
  }
  const { message, reason } = parseRefusal(body);
  const outcome = [`HTTP ${status}`, reason, message].filter((word) => word !== undefined && word !== "").join(" ");
  const details = { code: "service-refused" as const, status, retryable: status === 429 || status >= 500 };
  return {
    status,
    error: new ServiceError(`${purpose}: answered ${outcome}`, { ...details, ...defined({ reason }) }),
  };
}
