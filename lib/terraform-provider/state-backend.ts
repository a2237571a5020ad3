import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Terraform's states over its `http` backend: one per name, with locks, in memory. */
export interface StateBackend {
  /** As in `http://127.0.0.1:40123/`. */
  readonly url: string;
  /** The `backend "http"` block of one state, as JSON of a stack has it. */
  backendOf(name: string): Readonly<Record<string, string>>;
  /** What was written last; undefined where nothing was. */
  stateOf(name: string): string | undefined;
  close(): Promise<void>;
}

interface Kept {
  text?: string;
  /** What Terraform said of the lock; undefined where nobody holds one. */
  lock?: string;
}

/** Longest state that is taken. */
const mostStateBytes = 256 * 1024 * 1024;

/** Starts a backend on a free port of 127.0.0.1. Nothing survives its end. */
export async function startStateBackend(): Promise<StateBackend> {
  const states = new Map<string, Kept>();
  const server = createServer((request, response) => {
    void answer(request, response, states).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    backendOf: (name) => {
      const address = `${url}${encodeURIComponent(name)}`;
      return { address, lock_address: address, unlock_address: address };
    },
    stateOf: (name) => states.get(`/${encodeURIComponent(name)}`)?.text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, states: Map<string, Kept>): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = await readBody(request);
  const kept = states.get(pathname) ?? {};
  states.set(pathname, kept);
  const reply = (status: number, text = "") => {
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
  if (body === undefined) return reply(413);
  switch (request.method) {
    case "GET":
      return kept.text === undefined ? reply(404) : reply(200, kept.text);
    case "POST":
      if (kept.lock !== undefined && lockId(kept.lock) !== searchParams.get("ID")) return reply(423, kept.lock);
      kept.text = body;
      return reply(200);
    case "DELETE":
      delete kept.text;
      return reply(200);
    case "LOCK":
      if (kept.lock !== undefined) return reply(423, kept.lock);
      kept.lock = body;
      return reply(200);
    case "UNLOCK":
      // Terraform's force-unlock sends no body.
      if (kept.lock !== undefined && body !== "" && lockId(body) !== lockId(kept.lock)) return reply(409, kept.lock);
      delete kept.lock;
      return reply(200);
    default:
      return reply(405);
  }
}

function lockId(lock: string): string | undefined {
  try {
    return (JSON.parse(lock) as { readonly ID?: string }).ID;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).byteLength;
    if (length > mostStateBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
