import { ServiceError } from "../../errors";
import {
  type ActivityPage,
  type ActivityQuery,
  type ActivitySource,
  retentionStart,
  type UnreadableRecord,
} from "../query";
import type { Activity } from "../reading";
import type { Freeze } from "./model";

/** What a listing of the freeze brought. */
export interface FreezeEvidence {
  /** When the listing began. */
  readonly listedAt: Date;
  /** Whether it reached its last page. */
  readonly complete: boolean;
  /** Why it did not; one line. */
  readonly failure?: string;
  readonly activities: readonly Activity[];
  readonly unreadable: readonly UnreadableRecord[];
  /** What the service itself says is missing. */
  readonly warnings: readonly string[];
}

export interface GatherOptions {
  readonly now: () => Date;
  /**
   * Whose log. Never a single event: one listing of everything is cheaper, and shows what has a new name.
   *
   * @default - the administrators' log of the caller's organization
   */
  readonly query?: Pick<ActivityQuery, "customerId" | "applicationName" | "maxResults">;
  readonly signal?: AbortSignal;
  /** Ends the listing and keeps what was listed until then; its reason says why, as an error. @default - nothing does */
  readonly limit?: AbortSignal;
  /** Told after each page. */
  readonly onPage?: (page: ActivityPage) => void;
}

/**
 * Lists everything that happened during a freeze. A service that fails on the way leaves evidence that is not complete,
 * so that what was seen until then still counts.
 *
 * @throws InputError where the query is wrong; ServiceError `credentials-refused` if the service accepts no request with
 *     these credentials; whatever aborted the signal
 */
export async function gatherEvidence(
  source: ActivitySource,
  freeze: Freeze,
  options: GatherOptions,
): Promise<FreezeEvidence> {
  const listedAt = options.now();
  const activities: Activity[] = [];
  const unreadable: UnreadableRecord[] = [];
  const warnings: string[] = [];
  const evidence = { listedAt, activities, unreadable, warnings };
  // Nothing is left to list of a freeze that ended before the retention period; its age is a doubt of the verdict.
  if (freeze.start >= listedAt || freeze.end <= retentionStart(listedAt)) return { ...evidence, complete: true };
  const query: ActivityQuery = {
    ...options.query,
    startTime: freeze.start,
    ...(freeze.end < listedAt ? { endTime: freeze.end } : {}),
  };
  const { signal, limit } = options;
  const signals = [signal, limit].filter((one) => one !== undefined);
  try {
    for await (const page of source.pages(query, signals.length === 0 ? {} : { signal: AbortSignal.any(signals) })) {
      // One by one: how long a page is is for the service to say, and a call takes so many arguments only.
      for (const activity of page.activities) activities.push(activity);
      for (const record of page.unreadable) unreadable.push(record);
      for (const warning of page.warnings) warnings.push(warning);
      options.onPage?.(page);
    }
  } catch (error) {
    if (limit?.aborted === true && signal?.aborted !== true) {
      return { ...evidence, complete: false, failure: (limit.reason as Error).message };
    }
    if (!(error instanceof ServiceError)) throw error;
    // Nothing was checked, and asking again changes nothing: the caller has to fix the credentials.
    if (error.code === "credentials-refused" && activities.length === 0) throw error;
    return { ...evidence, complete: false, failure: error.message };
  }
  return { ...evidence, complete: true };
}
