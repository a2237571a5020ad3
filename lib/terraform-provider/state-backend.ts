import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Server for Terraform's `http` backend: one state per name, with locks, in memory. */
export interface StateBackend {
  /** URL, for example `http://127.0.0.1:40123/`. */
  readonly url: string;
  /** Returns the `backend "http"` block of one state, in the JSON format of a stack. */
  backendOf(name: string): Readonly<Record<string, string>>;
  /** Returns the state that was written last; undefined before the first write. */
  stateOf(name: string): string | undefined;
  close(): Promise<void>;
}

interface Kept {
  text?: string;
  /** Lock information from Terraform; undefined if the state is not locked. */
  lock?: string;
}

const mebibyte = 1024 * 1024;

/** Limits in bytes. */
interface StateLimits {
  /** Maximum size of a state. @default 256 MiB */
  readonly mostStateBytes?: number;
  /**
   * Number of further bytes that are read from a state that is too long, so that a client that has sent nearly
   * everything gets the answer.
   *
   * @default 64 MiB
   */
  readonly mostDrainedBytes?: number;
}

/** Starts a backend on a free port of 127.0.0.1. The states are lost when it ends. */
export async function startStateBackend({
  mostStateBytes = 256 * mebibyte,
  mostDrainedBytes = 64 * mebibyte,
}: StateLimits = {}): Promise<StateBackend> {
  const states = new Map<string, Kept>();
  const server = createServer((request, response) => {
    void readBody(request, mostStateBytes, mostDrainedBytes)
      .then((body) => {
        const { status, text = "" } = answer(request, body, states);
        // The rest of a body that is too long is not read.
        const further = body === undefined ? { connection: "close" } : {};
        response.writeHead(status, { "content-type": "application/json", ...further }).end(text);
      })
      .catch(() => request.socket.destroy());
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

interface Reply {
  readonly status: number;
  readonly text?: string;
}

/** @param body undefined for a body that is too long */
function answer({ method, url = "/" }: IncomingMessage, body: string | undefined, states: Map<string, Kept>): Reply {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const kept = states.get(pathname) ?? {};
  states.set(pathname, kept);
  if (body === undefined) return { status: 413 };
  switch (method) {
    case "GET":
      return kept.text === undefined ? { status: 404 } : { status: 200, text: kept.text };
    case "POST":
      if (kept.lock !== undefined && lockId(kept.lock) !== searchParams.get("ID")) {
        return { status: 423, text: kept.lock };
      }
      kept.text = body;
      return { status: 200 };
    case "DELETE":
      delete kept.text;
      return { status: 200 };
    case "LOCK":
      if (kept.lock !== undefined) return { status: 423, text: kept.lock };
      kept.lock = body;
      return { status: 200 };
    case "UNLOCK":
      // Terraform's force-unlock sends no body.
      if (kept.lock !== undefined && body !== "" && lockId(body) !== lockId(kept.lock)) {
        return { status: 409, text: kept.lock };
      }
      delete kept.lock;
      return { status: 200 };
    default:
      return { status: 405 };
  }
}

function lockId(lock: string): string | undefined {
  try {
    return (JSON.parse(lock) as { readonly ID?: string }).ID;
  } catch {
    return undefined;
  }
}

/**
 * Reads a body. Resolves with undefined for a body that is too long, when it has ended or when its rest is not read.
 */
function readBody(request: IncomingMessage, mostBytes: number, mostDrainedBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= mostBytes) chunks.push(chunk);
      else chunks = [];
      if (length <= mostBytes + mostDrainedBytes) return;
      request.pause();
      resolve(undefined);
    });
    request.once("end", () => resolve(length > mostBytes ? undefined : Buffer.concat(chunks).toString("utf8")));
    request.once("error", reject);
  });
}
