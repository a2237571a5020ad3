import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** A request as a cloud's log has it, or a server of a test notes it down. */
export interface SeenRequest {
  readonly httpMethod: string;
  /** Path, with or without its query. */
  readonly target: string;
  /** Id of the method, where a cloud's log has it, for example `dns.managedZones.list`. */
  readonly method?: string;
}

/** Ends of paths of methods that are called by POST and change nothing, as Google documents them. */
const readingPosts = [
  /[:/](?:testIamPermissions|getIamPolicy|fetchCaCerts)$/,
  /:(?:signJwt|generateAccessToken)$/,
  /\/token$/,
];

/** Whether a request can't have changed anything. */
export function isReading({ httpMethod, target }: SeenRequest): boolean {
  if (httpMethod === "GET" || httpMethod === "HEAD") return true;
  const [path = ""] = target.split("?");
  return httpMethod === "POST" && readingPosts.some((pattern) => pattern.test(path));
}

/** Commands that change something: the cloud that they have started themselves. */
export const changingCommands: readonly string[] = ["cloud", "rehearse"];

const underWay = new AsyncLocalStorage<SeenRequest[]>();

/** Where Node tells of the requests that `fetch` and `node:http` make. */
const channels = ["undici:request:create", "http.client.request.start"];

/**
 * Runs a command line in this process, and fails if it sends any request that could change something, whatever it sends
 * it to and whatever comes of it. What the test itself asks meanwhile does not count.
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
