import { createHash } from "node:crypto";
import { BugError } from "../../errors";
import type { Activity, ActivityEvent, AuditParameterValue } from "./model";
import { readTime } from "./time";
import { valueText } from "./values";

/**
 * Returns the identity of an event as 32 hexadecimal digits. Two readings of the same event have the same key. The key
 * covers the time, the qualifier, the application, the customer, the event's name and its parameters. Identical events
 * of one activity are counted, so that their keys differ. The order of parameters and events, and the notation of times
 * and numbers, do not matter.
 *
 * @param index position of the event in `activity.events`
 */
export function eventKey(activity: Activity, index: number): string {
  const key = eventKeys(activity)[index];
  if (key === undefined) throw new BugError(`an activity of ${activity.events.length} events has no event ${index}`);
  return key;
}

/** Returns the {@link eventKey} of each event of an activity. */
export function eventKeys({ id, events }: Activity): readonly string[] {
  const { time, uniqueQualifier, applicationName, customerId } = id;
  const moment = time === undefined ? null : (readTime(time)?.text ?? time);
  const identity = JSON.stringify([moment, uniqueQualifier ?? null, applicationName ?? null, customerId ?? null]);
  const counts = new Map<string, number>();
  return events.map((event) => {
    const content = contentOf(event);
    const before = counts.get(content) ?? 0;
    counts.set(content, before + 1);
    return createHash("sha256").update(`${identity}${content}${before}`).digest("hex").slice(0, 32);
  });
}

function contentOf({ name, canonicalName, parameters, otherParameters }: ActivityEvent): string {
  const entries = Object.entries<AuditParameterValue>(parameters).map(([parameter, value]) => [
    parameter,
    sorted(value),
  ]);
  const others = otherParameters.map((parameter) => [
    parameter.name,
    sorted(parameter.value ?? valueText(parameter.raw)),
  ]);
  return JSON.stringify([canonicalName ?? name, sortedTexts(entries), sortedTexts(others)]);
}

function sorted(value: AuditParameterValue): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return typeof value === "object"
    ? sortedTexts(Object.entries(value).map(([name, item]) => [name, sorted(item)]))
    : value;
}

function sortedTexts(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
