import { createHash } from "node:crypto";
import { BugError } from "../../errors";
import type { Activity, ActivityEvent, ParameterValue } from "./model";
import { readTime } from "./time";
import { textOf } from "./values";

/**
 * Identity of an event, by which two readings of it are told to be the same: 32 hexadecimal digits over the time, the
 * qualifier, the application, the customer, the event's name and its parameters. Where an activity has the very same
 * event several times, they are counted, so that siblings stay apart. The order of parameters and of events, and how
 * times and numbers are written, make no difference.
 *
 * @param index place of the event in `activity.events`
 */
export function eventKey(activity: Activity, index: number): string {
  const key = eventKeys(activity)[index];
  if (key === undefined) throw new BugError(`there is no event ${index} in an activity of ${activity.events.length}`);
  return key;
}

/** The {@link eventKey} of each event of an activity. */
export function eventKeys({ id, events }: Activity): readonly string[] {
  const { time, uniqueQualifier, applicationName, customerId } = id;
  const moment = time === undefined ? null : (readTime(time)?.text ?? time);
  const identity = JSON.stringify([moment, uniqueQualifier ?? null, applicationName ?? null, customerId ?? null]);
  const twins = new Map<string, number>();
  return events.map((event) => {
    const content = contentOf(event);
    const before = twins.get(content) ?? 0;
    twins.set(content, before + 1);
    return createHash("sha256").update(`${identity}${content}${before}`).digest("hex").slice(0, 32);
  });
}

function contentOf({ name, canonicalName, parameters, otherParameters }: ActivityEvent): string {
  const entries = Object.entries<ParameterValue>(parameters).map(([parameter, value]) => [parameter, sorted(value)]);
  const others = otherParameters.map((other) => [other.name, sorted(other.value ?? textOf(other.raw))]);
  return JSON.stringify([canonicalName ?? name, sortedTexts(entries), sortedTexts(others)]);
}

function sorted(value: ParameterValue): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return typeof value === "object"
    ? sortedTexts(Object.entries(value).map(([name, item]) => [name, sorted(item)]))
    : value;
}

function sortedTexts(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
