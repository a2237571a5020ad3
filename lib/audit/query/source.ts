import type { Problem } from "../../errors";
import { findEvent } from "../catalogue";
import { type Activity, allParameters } from "../reading";
import { meetsFilter } from "./filters";
import type { ActivityQuery } from "./query";

/** A record that is not a valid activity. It is returned, because an unreadable record may be an important one. */
export interface UnreadableRecord {
  readonly problem: Problem;
  readonly raw: unknown;
}

/** A page of a listing. */
export interface ActivityPage {
  /** Newest first. */
  readonly activities: readonly Activity[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Warnings of the service about the page, for example missing data. Usually empty. */
  readonly warnings: readonly string[];
}

/** A source of activities: {@link ActivitiesClient}, or a replacement. */
export interface ActivitySource {
  /** Identifier of the listed data, the same for the same data. A tail uses it to detect a cursor of another source. */
  readonly name: string;
  /** Lists pages, newest first, up to the last page. Throws the errors that occur during the listing. */
  pages(query: ActivityQuery, options?: { readonly signal?: AbortSignal }): AsyncIterable<ActivityPage>;
}

/**
 * Returns the positions of the events that match the query. The service lists whole activities, so an activity can also
 * have other events.
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
