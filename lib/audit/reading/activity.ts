import { InputError } from "../../errors";
import { findingsOf } from "../../findings/finding";
import { quote } from "../../text/quote";
import type { CompanyWords } from "../catalogue";
import { recordFindings } from "../codes";
import { type ReportRecordProblem, readEvent } from "./events";
import { readLosslessJson } from "./json";
import type { Activity, ActivityId, Actor, RecordFinding } from "./model";
import { type RecordedTime, readTime } from "./time";
import { type Data, isData, isImprecise, own } from "./values";

const finding = findingsOf(recordFindings);

/** Options of reading an activity record. */
export interface ReadOptions extends CompanyWords {
  /**
   * Refuses everything that differs from the service's form or from the catalog, and reports all differences at once.
   * Use it for ingestion and for checks.
   *
   * @default false
   */
  readonly strict?: boolean;
}

/**
 * Reads an activity record in the service's own form, or in a form of a log collector. Collectors may write one event
 * instead of a list, event fields on the top level, or parameters as a map. They may also write ids as numbers or times
 * in another format, or omit fields. No data is dropped: unknown data is kept and marked, and every deviation is in
 * `findings`.
 *
 * @param record the record, or its JSON text; numbers beyond 2^53 keep all digits only if they are read from the text
 * @throws InputError `activity-malformed` if the record is not an object, `json-malformed` if the text is not JSON;
 * with `strict`, a problem for each finding
 */
export function parseActivity(record: unknown, options: ReadOptions = {}): Activity {
  const raw = typeof record === "string" ? readLosslessJson(record) : record;
  if (!isData(raw)) {
    throw new InputError("activity-malformed", "the activity record is not an object; expected id, actor and events");
  }
  const findings: RecordFinding[] = [];
  const report: ReportRecordProblem = (code, message, pointer) => findings.push(finding(code, pointer, message));
  const { id, time } = readId(raw, report);
  const actor = readActor(raw, report);
  const words = options.vendor === undefined && options.partner === undefined ? undefined : options;
  const events = listEvents(raw, report).map(([event, pointer]) => readEvent(event, pointer, words, report));
  if (options.strict === true && findings.length > 0) {
    throw new InputError(
      findings.map(({ code, message, subject }) => ({
        code,
        message: subject === "" ? message : `${message}, at ${quote(subject)}`,
      })),
    );
  }
  const ipAddress = own(raw, "ipAddress");
  return {
    id,
    time: time === undefined ? undefined : new Date(time.milliseconds),
    actor,
    ...(typeof ipAddress === "string" ? { ipAddress } : {}),
    events,
    findings,
    raw,
  };
}

function readId(
  record: Data,
  report: ReportRecordProblem,
): { readonly id: ActivityId; readonly time: RecordedTime | undefined } {
  const given = own(record, "id");
  const data: Data = isData(given) ? given : {};
  // An old example in the service's documentation omits the second u.
  const qualifier = digitsOf(data, "uniqueQualifier", "/id", report) ?? digitsOf(data, "uniqQualifier", "/id", report);
  if (qualifier === undefined) {
    const message = "the record has no uniqueQualifier: activities with the same time can't be distinguished";
    report("qualifier-missing", message, "/id");
  }
  // The fields are assigned one by one for speed: callers read hundreds of thousands of records, and spreading is the
  // most expensive step.
  const id: Writable<ActivityId> = {};
  for (const name of ["time", "applicationName", "customerId"] as const) {
    const value = own(data, name);
    if (typeof value === "string") id[name] = value;
  }
  if (qualifier !== undefined) id.uniqueQualifier = qualifier;
  return { id, time: readRecordTime(own(data, "time"), report) };
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

function readRecordTime(given: unknown, report: ReportRecordProblem): RecordedTime | undefined {
  if (given === undefined) {
    report("time-missing", "the record has no time", "/id/time");
    return undefined;
  }
  const time = typeof given === "string" ? readTime(given) : undefined;
  if (time === undefined) {
    const what = typeof given === "string" ? quote(given) : "the time";
    report("time-malformed", `${what} is not a time; use RFC 3339, as in 2026-11-21T10:00:00.000Z`, "/id/time");
  } else if (!time.standard) {
    const message = `${quote(String(given))} is not written as RFC 3339; it was read as ${time.text}`;
    report("time-nonstandard", message, "/id/time");
  }
  return time;
}

function readActor(record: Data, report: ReportRecordProblem): Actor {
  const given = own(record, "actor");
  const data: Data = isData(given) ? given : {};
  const profileId = digitsOf(data, "profileId", "/actor", report);
  const actor: Writable<Actor> = { label: "unknown" };
  for (const name of ["email", "callerType", "key"] as const) {
    const value = own(data, name);
    if (typeof value === "string" && value !== "") actor[name] = value;
  }
  if (profileId !== undefined) actor.profileId = profileId;
  if (actor.email !== undefined) actor.label = actor.email;
  else if (profileId !== undefined) actor.label = `id:${profileId}`;
  else if (actor.key !== undefined) actor.label = `key:${actor.key}`;
  return actor;
}

/** Returns an identifier number, written as a string of digits or as a number. */
function digitsOf(data: Data, name: string, parent: string, report: ReportRecordProblem): string | undefined {
  const value = own(data, name);
  if (isImprecise(value)) {
    const message = `the number ${name} lost digits before it came here; read the text with readJson`;
    report("number-imprecise", message, `${parent}/${name}`);
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function listEvents(
  record: Data,
  report: ReportRecordProblem,
): readonly (readonly [event: unknown, pointer: string])[] {
  const events = own(record, "events");
  if (Array.isArray(events)) {
    if (events.length === 0) report("events-missing", "the record has no event", "/events");
    return events.map((event: unknown, index) => [event, `/events/${index}`] as const);
  }
  if (isData(events)) {
    report("events-single", "the record has one event in place of a list", "/events");
    return [[events, "/events"]];
  }
  if (own(record, "name") !== undefined) {
    report("events-flattened", "the fields of the event are on the top level of the record", "");
    return [[record, ""]];
  }
  report("events-missing", events === undefined ? "the record has no event" : "the events are not a list", "/events");
  return [];
}
