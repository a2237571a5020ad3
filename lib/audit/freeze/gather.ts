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

/** Result of listing a freeze. */
export interface FreezeEvidence {
  /** Start time of the listing. */
  readonly listedAt: Date;
  /** Whether the listing reached its last page. */
  readonly complete: boolean;
  /** Why the listing did not reach its last page; one line. */
  readonly failure?: string;
  readonly activities: readonly Activity[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Missing data that the service itself reports. */
  readonly warnings: readonly string[];
}

/** Options for listing the events of a freeze. */
export interface GatherOptions {
  readonly now: () => Date;
  /**
   * The log to list. A single event cannot be selected: one listing of all events is cheaper, and includes renamed
   * events.
   *
   * @default - the administrators' log of the caller's organization
   */
  readonly query?: Pick<ActivityQuery, "customerId" | "applicationName" | "maxResults">;
  readonly signal?: AbortSignal;
  /**
   * Ends the listing and keeps the activities listed so far. Its reason is an error that states why.
   *
   * @default - no limit
   */
  readonly limit?: AbortSignal;
  /** Called after each page. */
  readonly onPage?: (page: ActivityPage) => void;
}

/**
 * Lists all events of a freeze. If the service fails during the listing, the evidence is incomplete, and the activities
 * listed so far still count.
 *
 * @throws InputError for an invalid query; ServiceError `credentials-refused` if the service accepts no request with
 * these credentials; the reason of the caller's signal if it aborts
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
  // The log has no events left of a freeze that ended before the retention period. The verdict reports its age as a
  // doubt.
  if (freeze.start >= listedAt || freeze.end <= retentionStart(listedAt)) return { ...evidence, complete: true };
  const query: ActivityQuery = {
    ...options.query,
    startTime: freeze.start,
    ...(freeze.end < listedAt ? { endTime: freeze.end } : {}),
  };
  const { signal, limit } = options;
  const signals = [signal, limit].filter((given) => given !== undefined);
  try {
    for await (const page of source.pages(query, signals.length === 0 ? {} : { signal: AbortSignal.any(signals) })) {
      // The service decides the length of a page, and the number of arguments in a call is limited. So no spread.
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
    // Nothing was checked, and a retry cannot help: the caller must fix the credentials.
    if (error.code === "credentials-refused" && activities.length === 0) throw error;
    return { ...evidence, complete: false, failure: error.message };
  }
  return { ...evidence, complete: true };
}
