import { ServiceError } from "../errors";

/** One page of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Token of the next page; empty if there is none. */
  readonly nextPageToken: string;
}

const mostPages = 1_000;

/**
 * Returns the items of all pages.
 *
 * @param prefix beginning of messages, for example `listing zones of p: `
 * @param ask requests the page of a token; the first token is empty
 * @throws ServiceError `answer-endless` if a page token repeats or the limit of pages is exceeded
 */
export async function allPages<Item>(
  prefix: string,
  ask: (pageToken: string) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  const seen = new Set<string>();
  let pageToken = "";
  do {
    seen.add(pageToken);
    const { items, nextPageToken } = await ask(pageToken);
    for (const item of items) found.push(item);
    pageToken = nextPageToken;
    if (seen.has(pageToken) && pageToken !== "") throw endless(prefix, "a page leads back to itself");
    if (seen.size > mostPages) throw endless(prefix, `there are more than ${mostPages} pages`);
  } while (pageToken !== "");
  return found;
}

function endless(prefix: string, why: string): ServiceError {
  return new ServiceError(`${prefix}${why}`, { code: "answer-endless", retryable: false });
}
