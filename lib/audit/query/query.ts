import { isIP } from "node:net";
import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { type CompanyWords, type EventDefinition, eventNames, findEvent, parameterDefinitions } from "../catalogue";
import { type Activity, allParameters, readTime } from "../reading";
import { type ActivityFilter, checkFilter, meetsFilter } from "./filters";
import { nearest } from "./nearest";

/**
 * The activities to list. Specification 2 shows the first five fields; the other fields come from the public service.
 */
export interface ActivityQuery {
  /**
   * Actor whose activities are listed: `all`, or the actor's profile id or e-mail address. The actor is not the user
   * whom the action affects.
   *
   * @default "all"
   */
  readonly userKey?: string;
  /** Application whose activities are listed. @default "admin" */
  readonly applicationName?: string;
  /**
   * Lists only activities that contain this event. Other events of these activities are also listed.
   *
   * @default - every event
   */
  readonly eventName?: string;
  /** Maximum number of activities on a page, 1 to 1000. @default 1000 */
  readonly maxResults?: number;
  /** Conditions on the parameters of the event `eventName`. @default none */
  readonly filters?: readonly ActivityFilter[];
  /**
   * Start time, inclusive. The service keeps 180 days; an earlier start is moved to the start of this period.
   *
   * @default - the start of the retention period
   */
  readonly startTime?: Date;
  /** End time, exclusive. @default - now */
  readonly endTime?: Date;
  /** IP address of the actor. @default - any */
  readonly actorIpAddress?: string;
  /** Customer id: `C…` or `my_customer`. @default - that of the caller */
  readonly customerId?: string;
  /** Organizational unit of the actor, for example `id:03ph8a2z1xdnme9`. @default - any */
  readonly orgUnitID?: string;
  /** Groups of the actor, for example `id:abc,id:def`. @default - any */
  readonly groupIdFilter?: string;
  /**
   * Conditions of later versions of the service, passed on unchanged, for example `{ networkInfoFilter:
   * 'regionCode="DE"' }`.
   *
   * @default none
   */
  readonly furtherFilters?: Readonly<Partial<Record<FurtherFilter, string>>>;
  /**
   * Allows events and filter parameters that are not in the catalog. By default they are refused, because the service
   * returns an empty list for a misspelled name. A caller could not distinguish that list from a period without events.
   *
   * @default false
   */
  readonly uncatalogued?: boolean;
}

/** Query parameters of later versions of the service. */
export type FurtherFilter =
  | "agentInfoFilter"
  | "applicationInfoFilter"
  | "deviceFilter"
  | "networkInfoFilter"
  | "resourceDetailsFilter"
  | "statusFilter";

/** Retention period of the service, in days. */
export const retentionDays = 180;

/** Returns the start of the retention period. The service keeps no older activities. */
export function retentionStart(now: Date): Date {
  return new Date(now.getTime() - retentionDays * 86_400_000);
}

/** Maximum number of activities on a page. */
export const maxResultsLimit = 1_000;

/**
 * Refuses a query for which the service would return an empty list or an error.
 *
 * @throws InputError with all problems of the query
 */
export function checkQuery(query: ActivityQuery, now: Date, words?: CompanyWords): void {
  const problems = [
    ...checkNames(query, words),
    ...checkOrigin(query),
    ...checkTimes(query, now),
    ...(query.filters ?? []).flatMap(checkFilter),
  ];
  const { maxResults } = query;
  if (maxResults !== undefined && (!Number.isInteger(maxResults) || maxResults < 1 || maxResults > maxResultsLimit)) {
    const message = `maxResults ${maxResults} is not allowed; use a whole number from 1 to ${maxResultsLimit}`;
    problems.push({ code: "max-results-out-of-range", message });
  }
  if (problems.length > 0) throw new InputError(problems);
}

/**
 * Returns whether the query counts against the smaller quota of 250 queries per minute. Source: the limits page of the
 * public service.
 */
export function isFilterQuery(query: ActivityQuery): boolean {
  return (
    (query.userKey ?? "all") !== "all" ||
    query.eventName !== undefined ||
    (query.filters ?? []).length > 0 ||
    query.actorIpAddress !== undefined ||
    query.orgUnitID !== undefined ||
    query.groupIdFilter !== undefined
  );
}

function checkNames(query: ActivityQuery, words: CompanyWords | undefined): readonly Problem[] {
  const { userKey = "all", applicationName = "admin", eventName, filters = [], uncatalogued = false } = query;
  const problems = [
    ...checkForm("user", userKey, /^(all|\d+|[^\s@/]+@[^\s@/]+)$/),
    ...checkForm("application", applicationName, /^[a-z][a-z_]*$/),
  ];
  if (applicationName !== "admin") return problems;
  const event = eventName === undefined ? undefined : findEvent(eventName, words);
  if (eventName !== undefined && event === undefined && !uncatalogued) problems.push(unknownEvent(eventName));
  if (eventName !== undefined && !/^[A-Za-z0-9_]+$/.test(eventName)) {
    const message = `the event ${quote(eventName)} is not a valid event name; use letters, digits and '_'`;
    problems.push({ code: "event-malformed", message });
  }
  if (!uncatalogued) problems.push(...filters.flatMap((filter) => checkParameter(filter, event)));
  return problems;
}

function checkOrigin({ actorIpAddress, customerId, orgUnitID, groupIdFilter }: ActivityQuery): readonly Problem[] {
  return [
    ...checkForm("address", actorIpAddress, { test: (address) => isIP(address) !== 0 }),
    ...checkForm("customer", customerId, /^(my_customer|C[A-Za-z0-9]+)$/),
    ...checkForm("organizational unit", orgUnitID, /^id:[A-Za-z0-9]+$/),
    ...checkForm("groups", groupIdFilter, /^id:[A-Za-z0-9]+(,id:[A-Za-z0-9]+)*$/),
  ];
}

/** Values with a fixed form: the code of a problem, and what to use. */
const forms = {
  user: ["user-malformed", "'all', an e-mail address or the digits of a profile id"],
  application: ["application-malformed", "a name such as 'admin'"],
  address: ["address-malformed", "an IPv4 or IPv6 address without prefix and port"],
  customer: ["customer-malformed", "'my_customer' or an id that begins with C"],
  "organizational unit": ["org-unit-malformed", "its id, as in id:03ph8a2z1xdnme9"],
  groups: ["groups-malformed", "their ids, as in id:abc,id:def"],
} as const;

function checkForm(
  what: keyof typeof forms,
  value: string | undefined,
  form: { readonly test: (value: string) => boolean },
): Problem[] {
  const [code, advice] = forms[what];
  if (value === undefined || form.test(value)) return [];
  return [{ code, message: `invalid ${what} ${quote(value)}; use ${advice}` }];
}

function unknownEvent(eventName: string): Problem {
  const meant = nearest(eventName, eventNames);
  const advice = meant === undefined ? "see the catalogue" : `did you mean ${meant}`;
  const message = `the event ${quote(eventName)} is not in the catalogue, and the service answers nothing to a name it does not know; ${advice}, or allow uncatalogued ones`;
  return { code: "event-uncatalogued", message };
}

function checkParameter({ parameter }: ActivityFilter, event: EventDefinition | undefined): readonly Problem[] {
  const allowed: readonly string[] = event?.parameters.map(({ name }) => name) ?? Object.keys(parameterDefinitions);
  if (allowed.includes(parameter)) return [];
  const of = event === undefined ? "any catalogued event" : event.name;
  const meant = nearest(parameter, allowed);
  const message = `${quote(parameter)} is not a parameter of ${of}; a filter with it matches no event; ${meant === undefined ? `it has ${allowed.join(", ") || "none"}` : `did you mean ${meant}`}`;
  return [{ code: "filter-parameter-unknown", message }];
}

function checkTimes({ startTime, endTime }: ActivityQuery, now: Date): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [name, time] of Object.entries({ startTime, endTime })) {
    if (time !== undefined && (Number.isNaN(time.getTime()) || readTime(time.toISOString()) === undefined)) {
      const message = `${name} is not a valid time; use a date from year 0000 to 9999`;
      problems.push({ code: "time-invalid", message });
    }
  }
  if (problems.length > 0) return problems;
  if (startTime !== undefined && startTime >= now) {
    const message = `startTime ${startTime.toISOString()} is not before now, ${now.toISOString()}; use an earlier one`;
    problems.push({ code: "time-future", message });
  }
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime) {
    const message = `startTime ${startTime.toISOString()} is not before endTime ${endTime.toISOString()}; swap them, or use an earlier start`;
    problems.push({ code: "time-range-empty", message });
    return problems;
  }
  const oldest = retentionStart(now);
  if (endTime !== undefined && endTime <= oldest) {
    const message = `endTime ${endTime.toISOString()} is before the retention period: the service keeps activities for ${retentionDays} days, today since ${oldest.toISOString()}; use a later one`;
    problems.push({ code: "time-before-retention", message });
  }
  return problems;
}

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
