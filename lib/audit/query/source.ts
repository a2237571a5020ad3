import type { Problem } from "../../errors";
import { findEvent } from "../catalogue";
import { type Activity, allParameters } from "../reading";
import { meetsFilter } from "./filters";
import type { ActivityQuery } from "./query";

/** A record that is no activity at all. It is handed on, because what can't be read may be what matters. */
export interface UnreadableRecord {
  readonly problem: Problem;
  readonly raw: unknown;
}

/** A page of a listing. */
export interface ActivityPage {
  /** Newest first. */
  readonly activities: readonly Activity[];
  readonly unreadable: readonly UnreadableRecord[];
  /** What the service itself says of the page, as that data is missing; usually nothing. */
  readonly warnings: readonly string[];
}

/** Whatever lists activities: {@link ActivitiesClient}, or something in its place. */
export interface ActivitySource {
  /**
   * What is listed, in a word that stays the same for the same data: a tail notices by it that its cursor belongs
   * elsewhere.
   */
  readonly name: string;
  /** Pages of a listing, newest first, up to the last one; what fails on the way is thrown. */
  pages(query: ActivityQuery, options?: { readonly signal?: AbortSignal }): AsyncIterable<ActivityPage>;
}

/**
 * Places of the events of an activity that the query is about. The service lists whole activities: other events of the
 * same activity come along.
 */
export function matchingEvents({ events }: Activity, { eventName, filters = [] }: ActivityQuery): readonly number[] {
  const canonical = eventName === undefined ? undefined : findEvent(eventName)?.name;
  return events.flatMap((event, index) => {
    const named =
      eventName === undefined ||
      event.name === eventName ||
      (canonical !== undefined && event.canonicalName === canonical);
    if (!named) return [];
    if (filters.length === 0) return [index];
    const parameters = allParameters(event);
    return filters.every((filter) => meetsFilter(parameters.get(filter.parameter), filter)) ? [index] : [];
  });
}
