import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ownDescription, readFieldSelector } from "../../discovery";
import { InputError } from "../../errors";
import { foreignRequestReason } from "../../http";
import { errorReply, listActivities, type ServiceReply } from "./list";
import type { ActivityStore } from "./store";

/** Options of the activities service. */
export interface ActivityServiceOptions {
  readonly store: ActivityStore;
  /** Returns the current time. @default the machine's clock */
  readonly now?: () => Date;
  /**
   * Returns whether this access token may read; `undefined` if the request has no token.
   *
   * @default - every token may; a request without a token is refused, because specification 2 requires one
   */
  readonly authorize?: (token: string | undefined) => boolean;
}

/** The parts of a request that the service reads. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The `authorization` header, if the request has one. */
  readonly authorization?: string | undefined;
}

const apiId = "admin:reports_v1";
const listId = "reports.activities.list";
const path = /^\/admin\/reports\/v1\/activity\/users\/([^/]+)\/applications\/([^/]+)$/;

/** Answers one request, without a socket. The token comes from the header, or from the query as in specification 2. */
export function answerActivityRequest(request: ServiceRequest, options: ActivityServiceOptions): ServiceReply {
  const url = URL.canParse(request.url, "http://localhost") ? new URL(request.url, "http://localhost") : undefined;
  const match = path.exec(url?.pathname ?? "");
  const [userKey, applicationName] = [decode(match?.[1]), decode(match?.[2])];
  if (url === undefined || userKey === undefined || applicationName === undefined) {
    const method = ownDescription(apiId).match(request.method, request.url)?.method.id;
    return method === undefined || method === listId
      ? errorReply(404, "notFound", "there is nothing at this path")
      : errorReply(501, "notImplemented", `${method} is not emulated here`);
  }
  if (request.method !== "GET") return errorReply(405, "httpMethodNotAllowed", `${request.method} is not allowed here`);
  const query = new Map(url.searchParams);
  const bearer = /^bearer +(\S+) *$/i.exec(request.authorization ?? "")?.[1];
  const { authorize = (token: string | undefined) => token !== undefined } = options;
  if (!authorize(bearer ?? (query.get("access_token") || undefined))) {
    return errorReply(401, "authError", "the access token is missing or not accepted");
  }
  const select = selectorOf(query.get("fields"));
  if ("status" in select) return select;
  const reply = listActivities(options.store, { userKey, applicationName, query }, options.now?.() ?? new Date());
  return reply.status === 200 ? { ...reply, body: select.pick(reply.body) } : reply;
}

/** Reads the `fields` parameter. @returns a function that selects the fields of a list, or the refusal */
function selectorOf(
  fields: string | undefined,
): { readonly pick: (body: ServiceReply["body"]) => ServiceReply["body"] } | ServiceReply {
  if (fields === undefined || fields.trim() === "") return { pick: (body) => body };
  const api = ownDescription(apiId);
  try {
    return { pick: readFieldSelector(fields, api, api.method(listId).response) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return errorReply(400, "invalidParameter", `fields: ${error.message}`);
  }
}

function decode(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** A running service. */
export interface ActivityServer {
  /** Base URL, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Closes all connections and stops the service. */
  close(): Promise<void>;
}

/**
 * Serves the activities of a store over HTTP on this machine. All data is in memory, except the store's log. The server
 * does not replace the public service.
 */
export async function startActivityServer(
  options: ActivityServiceOptions & {
    /** A loopback address. @default "127.0.0.1" */
    readonly host?: string;
    /** TCP port. @default - a free one */
    readonly port?: number;
  },
): Promise<ActivityServer> {
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const foreign = foreignRequestReason(headers);
    const { status, body } =
      foreign === undefined
        ? answerActivityRequest({ method, url, authorization: headers.authorization }, options)
        : errorReply(403, "forbidden", foreign);
    request.resume();
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
