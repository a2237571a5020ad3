import { createHash } from "node:crypto";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { type ActivityFilter, matchingEvents, parseFilters, retentionDays } from "../query";
import { maxResultsLimit } from "../query/query";
import { readTime } from "../reading";
import type { ActivityStore, StoredActivity } from "./store";

/** Path and query of a request. For a repeated parameter, the last value counts. */
export interface EntryListRequest {
  readonly userKey: string;
  readonly applicationName: string;
  /** Query parameters, unchanged. Unknown parameters are ignored, as the public service does. */
  readonly query: ReadonlyMap<string, string>;
}

/** A response of the service, before it is written to HTTP. */
export interface ServiceReply {
  readonly status: number;
  /** Body, to be written as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Query parameters that need a directory of the organization, which this service does not have. */
const notEmulated = [
  "orgUnitID",
  "groupIdFilter",
  "agentInfoFilter",
  "applicationInfoFilter",
  "deviceFilter",
  "networkInfoFilter",
  "resourceDetailsFilter",
  "statusFilter",
];

class Refusal extends Error {
  readonly reply: ServiceReply;

  constructor(reply: ServiceReply) {
    super("refused");
    this.reply = reply;
  }
}

/** Returns the refusal of a parameter that the service does not accept. */
function invalid(message: string): Refusal {
  return new Refusal(errorReply(400, "invalid", message));
}

/** Returns an error response in the service's form. */
export function errorReply(status: number, reason: string, message: string): ServiceReply {
  const errors = [{ domain: "global", reason, message }];
  return { status, body: { error: { code: status, message, errors } } };
}

/** Lists activities, newest first, by pages. */
export function listActivities(store: ActivityStore, request: EntryListRequest, now: Date): ServiceReply {
  try {
    return { status: 200, body: listPage(store, request, now) };
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

function listPage(store: ActivityStore, request: EntryListRequest, now: Date): Readonly<Record<string, unknown>> {
  const { query } = request;
  for (const name of notEmulated) {
    if ((query.get(name) ?? "") !== "")
      throw new Refusal(errorReply(501, "notImplemented", `${name} is not emulated here`));
  }
  const matches = matcher(request, now);
  const size = pageSize(query.get("maxResults"));
  const fingerprint = fingerprintOf(request);
  const position = readToken(query.get("pageToken"), fingerprint) ?? {
    top: store.lastSequence(),
    visibleMs: now.getTime(),
  };
  const items: StoredActivity[] = [];
  let more = false;
  for (const stored of store.all()) {
    // A record that arrives during a listing belongs to the next listing. Otherwise, it would move a record to a page
    // that the client has already read.
    if (stored.sequence > position.top || stored.visibleFromMs > position.visibleMs) continue;
    if ((position.after !== undefined && !isAfter(stored, position.after)) || !matches(stored)) continue;
    if (items.length === size) {
      more = true;
      break;
    }
    items.push(stored);
  }
  const last = items.at(-1);
  return {
    kind: "admin#reports#activities",
    etag: `"${digestOf(items.map(({ sequence }) => sequence).join(), 27)}"`,
    // The public service omits an empty list.
    ...(items.length === 0 ? {} : { items: items.map(({ record }) => record) }),
    ...(more && last !== undefined
      ? { nextPageToken: writeToken({ ...position, after: [last.timeMs, last.sequence] }, fingerprint) }
      : {}),
  };
}

function matcher(
  { userKey, applicationName, query }: EntryListRequest,
  now: Date,
): (stored: StoredActivity) => boolean {
  const startTime = timeOf("startTime", query);
  const endTime = timeOf("endTime", query);
  if (startTime !== undefined && startTime >= now.getTime()) {
    throw invalid("startTime has to be before now");
  }
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime) {
    throw invalid("startTime has to be before endTime");
  }
  const earliest = Math.max(startTime ?? 0, now.getTime() - retentionDays * 86_400_000);
  const filters = filtersOf(query.get("filters"));
  const eventName = query.get("eventName");
  const wanted = { filters, ...(eventName ? { eventName } : {}) };
  const address = query.get("actorIpAddress") || undefined;
  const customerId = customerOf(query.get("customerId"));
  return ({ activity, timeMs }) =>
    timeMs >= earliest &&
    timeMs < (endTime ?? Number.POSITIVE_INFINITY) &&
    activity.id.applicationName === applicationName &&
    (customerId === undefined || activity.id.customerId === customerId) &&
    (address === undefined || activity.ipAddress === address) &&
    (userKey === "all" ||
      activity.actor.profileId === userKey ||
      activity.actor.email?.toLowerCase() === userKey.toLowerCase()) &&
    matchingEvents(activity, wanted).length > 0;
}

function timeOf(name: string, query: ReadonlyMap<string, string>): number | undefined {
  const text = query.get(name);
  if (text === undefined || text === "") return undefined;
  const time = readTime(text);
  if (time?.standard === true) return time.milliseconds;
  throw invalid(`${name} ${quote(text)} is not a time of RFC 3339`);
}

function filtersOf(text: string | undefined): readonly ActivityFilter[] {
  if (text === undefined || text === "") return [];
  try {
    return parseFilters(text);
  } catch (error) {
    if (error instanceof InputError) throw invalid(`filters: ${error.problems[0]?.message}`);
    throw error;
  }
}

function customerOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "" || text === "my_customer") return undefined;
  if (/^C.+$/.test(text)) return text;
  throw invalid(`customerId ${quote(text)} is neither C… nor my_customer`);
}

function pageSize(text: string | undefined): number {
  if (text === undefined || text === "") return maxResultsLimit;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (size >= 1 && size <= maxResultsLimit) return size;
  throw invalid(`maxResults ${quote(text)} is not a number from 1 to ${maxResultsLimit}`);
}

interface Position {
  /** Sequence number of the last record of the listing. */
  readonly top: number;
  /** Start time of the listing, in milliseconds since 1970. */
  readonly visibleMs: number;
  /** Time and sequence number of the last record of the previous page. */
  readonly after?: readonly [timeMs: number, sequence: number];
}

function isAfter(
  { timeMs, sequence }: StoredActivity,
  [afterTimeMs, afterSequence]: readonly [number, number],
): boolean {
  return timeMs < afterTimeMs || (timeMs === afterTimeMs && sequence < afterSequence);
}

/** Returns the values that must be the same on every page of a listing. */
function fingerprintOf({ userKey, applicationName, query }: EntryListRequest): string {
  const names = ["eventName", "filters", "startTime", "endTime", "actorIpAddress", "customerId"];
  return digestOf(JSON.stringify([userKey, applicationName, names.map((name) => query.get(name) ?? "")]), 12);
}

function digestOf(text: string, characters: number): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, characters);
}

function writeToken(position: Position, fingerprint: string): string {
  const { top, visibleMs, after = [0, 0] } = position;
  return Buffer.from(JSON.stringify([fingerprint, top, visibleMs, ...after])).toString("base64url");
}

function readToken(text: string | undefined, fingerprint: string): Position | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const [given, ...numbers] = Array.isArray(read) ? read : [];
    if (given === fingerprint && numbers.length === 4 && numbers.every(Number.isSafeInteger)) {
      const [top, visibleMs, timeMs, sequence] = numbers as [number, number, number, number];
      return { top, visibleMs, after: [timeMs, sequence] };
    }
  } catch {
    // Falls through: all invalid tokens are refused in the same way.
  }
  throw invalid("pageToken is not of this listing");
}
