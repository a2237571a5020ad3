import type { RequestListener } from "node:http";
import { TLSSocket } from "node:tls";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import type { ApiDescription, Match } from "../api-description";
import type { DescriptionDocument, DirectoryList } from "../document";
import { readFieldSelector } from "../field-selector";
import type { Method } from "../method";
import { ownDescription } from "../own-descriptions";
import type { ReceivedValue } from "../requests";
import {
  type Content,
  contentAnswer,
  type DescriptionAnswer,
  type DescriptionRequest,
  descriptionContent,
  directoryItem,
  errorAnswer,
  etagOf,
  type JsonLayout,
  type Refusal,
  withRootUrl,
  writeJson,
} from "./answer";
import { type Catalogue, type CatalogueEntry, createCatalogue } from "./catalogue";

/** Options of the description service. */
export interface DescriptionServiceOptions {
  /**
   * Descriptions to list and to serve, one for each name and version. The service adds its description of itself if it
   * is missing.
   */
  readonly descriptions: Iterable<ApiDescription | DescriptionDocument>;
  /**
   * URL of the service, for example `https://apis.example.com/`. The addresses in the list begin with it.
   *
   * @default - the Host header of the request
   */
  readonly baseUrl?: string;
  /**
   * Replaces every address in the descriptions (rootUrl, baseUrl, mtlsRootUrl, endpoints), so that generated clients
   * call an emulator. The service's description of itself always contains the address of the service.
   *
   * @default - descriptions are served with the addresses they have
   */
  readonly rootUrl?: string;
  /**
   * Ids of the recommended versions, for example `compute:beta`.
   *
   * @default - of each name the newest stable version, or the newest where none is stable
   */
  readonly preferred?: Iterable<string>;
  /** How long clients may use a response without a request, in seconds. @default 300 */
  readonly maxAgeSeconds?: number;
}

/** A service that lists APIs and serves their descriptions from memory. */
export interface DescriptionService {
  /** Answers one request, without a socket. Returns a response for every request and never throws. */
  answer(request: DescriptionRequest): DescriptionAnswer;
  /** Request listener for a server of `node:http` or `node:https`. */
  readonly handler: RequestListener;
}

/**
 * Creates a service with the interface of the public service (`discovery/v1/apis`). Its description of itself defines
 * its routes and checks.
 *
 * @throws InputError with every description that cannot be served: the problems of `ApiDescription.parse`,
 * `description-duplicate`, `preferred-unknown`, or a name from which no address can be made; or `endpoint-invalid` for
 * `baseUrl` and `rootUrl`
 */
export function createDescriptionService(options: DescriptionServiceOptions): DescriptionService {
  const api = ownDescription("discovery:v1");
  const catalogue = createCatalogue(options.descriptions, options.preferred ?? []);
  const baseUrl = options.baseUrl === undefined ? undefined : api.rootUrl(options.baseUrl);
  const rootUrl = options.rootUrl === undefined ? undefined : api.rootUrl(options.rootUrl);
  const maxAgeSeconds = options.maxAgeSeconds ?? 300;
  const written = new Map<string, Content>();

  function answer(request: DescriptionRequest): DescriptionAnswer {
    const match = api.match("GET", request.url);
    if (match === undefined) {
      return errorAnswer(request, 404, [{ reason: "notFound", message: "there is nothing at this address" }]);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const message = `${quote(request.method)} is not allowed here: use GET or HEAD`;
      return errorAnswer(request, 405, [{ reason: "httpMethodNotAllowed", message }], { allow: "GET, HEAD" });
    }
    const [refusal, ...more] = refusalsOf(api, match);
    if (refusal !== undefined) return errorAnswer(request, 400, [refusal, ...more]);
    const base = baseUrl ?? baseOf(request);
    if (base === undefined) {
      const message = "the Host header names no host: write it as HOST or HOST:PORT";
      return errorAnswer(request, 400, [{ reason: "badRequest", message }]);
    }
    const content =
      match.method.id === "discovery.apis.list" ? listContent(catalogue, match, base) : describe(match, base);
    if (content !== undefined) return contentAnswer(request, picked(api, content, match), maxAgeSeconds);
    const { api: name, version } = match.parameters;
    const message = `${quote(`${name}:${version}`)} has no description here`;
    return errorAnswer(request, 404, [{ reason: "notFound", message }]);
  }

  function describe(match: Match, base: string): Content | undefined {
    const { api: name, version } = match.parameters;
    const entry = catalogue.get(`${name}:${version}`);
    // Both names and versions may contain a colon.
    if (entry === undefined || entry.description.name !== name) return undefined;
    const layout = layoutOf(match);
    // The content can depend on the request's Host header. A cache by host would let clients fill the memory.
    if (entry.id === api.id) return descriptionContent(withRootUrl(entry.description.document, base), layout);
    const key = `${layout} ${entry.id}`;
    const known = written.get(key);
    if (known !== undefined) return known;
    const { document } = entry.description;
    const content = descriptionContent(rootUrl === undefined ? document : withRootUrl(document, rootUrl), layout);
    written.set(key, content);
    return content;
  }

  return {
    answer,
    handler: (incoming, response) => {
      const { method = "GET", url = "/", headers, socket } = incoming;
      const scheme = socket instanceof TLSSocket ? "https" : "http";
      const { status, headers: answered, body } = answer({ method, url, headers, scheme });
      response.writeHead(status, answered).end(body);
    },
  };
}

/** Returns the refusals of unknown parameters, invalid values and unsupported parameters. */
function refusalsOf(api: ApiDescription, { method, parameters, unknownParameters }: Match): readonly Refusal[] {
  const unknown = unknownParameters.map(([name]) => `unknown query parameter ${quote(name)}`);
  const invalid = api.checkParameters(method.id, parameters).map(({ message }) => message);
  return [...unknown, ...invalid, ...fieldProblems(api, method, parameters.fields)].map((message) => ({
    reason: "invalidParameter",
    message,
  }));
}

function fieldProblems(
  api: ApiDescription,
  { response }: Method,
  fields: ReceivedValue | undefined,
): readonly string[] {
  try {
    if (fields !== undefined) readFieldSelector(String(fields), api, response);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [`'fields': ${error.message}`];
  }
}

/** Returns the requested fields of the content, with their own entity tag. */
function picked(api: ApiDescription, content: Content, match: Match): Content {
  const { fields } = match.parameters;
  if (fields === undefined) return content;
  const pick = readFieldSelector(String(fields), api, match.method.response);
  const body = writeJson(pick(JSON.parse(content.body)), layoutOf(match));
  return { body, etag: etagOf(body) };
}

function listContent(catalogue: Catalogue, match: Match, base: string): Content {
  const { name, preferred } = match.parameters;
  const isListed = (entry: CatalogueEntry) =>
    (name === undefined || entry.description.name === name) && (preferred !== true || entry.preferred);
  const list: DirectoryList = {
    kind: "discovery#directoryList",
    discoveryVersion: "v1",
    items: [...catalogue.values()].filter(isListed).map((entry) => directoryItem(entry, `${base}${entry.path}`)),
  };
  const body = writeJson(list, layoutOf(match));
  return { body, etag: etagOf(body) };
}

/** Returns the layout of a response. The public service indents by default. */
function layoutOf({ parameters }: Match): JsonLayout {
  return parameters.prettyPrint === false ? "compact" : "indented";
}

function baseOf({ headers, scheme = "http" }: DescriptionRequest): string | undefined {
  const host = headers?.host;
  return typeof host === "string" && /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host)
    ? `${scheme}://${host}/`
    : undefined;
}
