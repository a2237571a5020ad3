import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { InputError } from "../errors";
import { isSigned, readTaskRequest, type TaskRequest } from "./request";

/** Maximum size of a request in bytes; HCP Terraform sends about 2 kB. */
const mostBytes = 1024 * 1024;
/** Number of tasks that are remembered, so that a second delivery does no second work. */
const mostKnown = 10_000;

/** Number of tasks at the same time: each holds its plan in memory. */
const mostAtOnce = 3;

interface TaskServerOptions {
  /** Keys of which each is valid. */
  readonly keys: readonly string[];
  /** Hosts that may get the token of a task. */
  readonly hosts: readonly string[];
  /** Works on a task, after the request was answered. */
  readonly work: (task: TaskRequest) => Promise<unknown>;
  readonly say: (message: string) => void;
}

/**
 * Creates the server of a run task: it answers a signed request with 200 before the work begins. `GET /healthz`
 * needs no signature.
 */
export function createTaskServer(options: TaskServerOptions): Server {
  const known = new Set<string>();
  const places = createPlaces(mostAtOnce);
  const accept = (task: TaskRequest) => {
    if (known.has(task.id)) {
      options.say(`${task.id}: delivered again, and already accepted`);
      return;
    }
    known.add(task.id);
    const [oldest] = known;
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    places.run(() => options.work(task)).catch((error: unknown) => options.say(`${task.id}: ${String(error)}`));
  };
  const server = createServer((request, response) => {
    answer(request, options, accept).then(
      ([status, text]) => end(response, status, text),
      () => end(response, 400, "the request was cut"),
    );
  });
  server.requestTimeout = 30_000;
  return server;
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

async function answer(
  request: IncomingMessage,
  { keys, hosts, say }: TaskServerOptions,
  accept: (task: TaskRequest) => void,
): Promise<readonly [status: number, text: string]> {
  if (request.method === "GET" && request.url === "/healthz") return [200, "ok"];
  if (request.method !== "POST") return [405, "use POST"];
  const body = await bodyOf(request);
  if (body === undefined) return [413, "the request is too large"];
  const signature = request.headers["x-tfc-task-signature"];
  if (!isSigned(body, typeof signature === "string" ? signature : undefined, keys)) {
    say("refused a request: its signature is by none of the keys [run-task-signature]");
    return [401, "the signature is wrong"];
  }
  try {
    const task = readTaskRequest(body.toString("utf8"), hosts);
    if (task === "verification") return [200, "verified"];
    accept(task);
    return [200, "accepted"];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const { code, message } of error.problems) say(`refused a request: ${message} [${code}]`);
    return [422, error.message];
  }
}

/** @returns undefined if the body is too large */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > mostBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Runs work, up to a number of items at the same time; the others wait in their order. */
function createPlaces(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    run: async (work: () => Promise<unknown>): Promise<void> => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      try {
        await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
