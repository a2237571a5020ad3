import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** A request in the log of a simulated cloud or of a test's server. */
export interface SeenRequest {
  readonly httpMethod: string;
  /** Path, with or without its query. */
  readonly target: string;
  /** Method id, if the log of a cloud contains it, for example `dns.managedZones.list`. */
  readonly method?: string;
}

/** Suffixes of the paths of read-only POST methods, according to Google's documentation. */
const readingPosts = [
  /[:/](?:testIamPermissions|getIamPolicy|fetchCaCerts)$/,
  /:(?:signJwt|generateAccessToken)$/,
  /\/token$/,
];

/** Returns whether a request is read-only. */
export function isReading({ httpMethod, target }: SeenRequest): boolean {
  if (httpMethod === "GET" || httpMethod === "HEAD") return true;
  const [path = ""] = target.split("?");
  return httpMethod === "POST" && readingPosts.some((pattern) => pattern.test(path));
}

/** Commands that send changes: to the simulated cloud that they start, or the result of a run task. */
export const changingCommands: readonly string[] = ["cloud", "rehearse", "run-task"];

const underWay = new AsyncLocalStorage<SeenRequest[]>();

/** Node's diagnostics channels for requests of `fetch` and `node:http`. */
const channels = ["undici:request:create", "http.client.request.start"];

/**
 * Runs a command line in this process and fails if it sends any request that could change something, to any server and
 * with any result. Requests of the test itself do not count.
 */
export async function heldToReading<Result>(words: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const seen: SeenRequest[] = [];
  const note = (message: unknown) => {
    if (underWay.getStore() !== seen) return;
    const { method, path } = (message as { readonly request: { readonly method: string; readonly path: string } })
      .request;
    seen.push({ httpMethod: method, target: path });
  };
  for (const channel of channels) subscribe(channel, note);
  try {
    return await underWay.run(seen, work);
  } finally {
    for (const channel of channels) unsubscribe(channel, note);
    if (!changingCommands.some((name) => words.includes(name))) {
      expect(seen.filter((request) => !isReading(request))).toEqual([]);
    }
  }
}
