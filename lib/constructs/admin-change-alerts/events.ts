import {
  defaultWords,
  type EventName,
  eventCatalogue,
  eventNames,
  findEvent,
  type RecordedName,
  serviceName,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "../../audit/catalogue";

/** A class of events of the change-freeze guard, or an event by its name in the catalogue or in the log. */
export type AdminChange = WatchClassName | RecordedName<EventName>;

/** Events that raise one alert. */
export interface AlertedEvents {
  /** The class; `events` for single events. Part of construct ids and resource names. */
  readonly key: WatchClassName | "events";
  /** Why the change matters; one line, lower case, no final period. */
  readonly why: string;
  /** In the order of the class, or of the catalogue. */
  readonly events: readonly WatchedEvent[];
}

/**
 * Returns an alert for each class, and an alert for all single events outside of these classes. A single event inside a
 * class is part of the alert of the class, with all its parameters.
 *
 * @param chosen known names of classes and events; order and repetition have no effect. Every class by default
 */
export function alertedEvents(chosen: readonly string[] = watchClassNames): readonly AlertedEvents[] {
  const named = new Set(chosen.map((name) => findEvent(name)?.name));
  const alerts = watchClassNames
    .filter((key) => chosen.includes(key))
    .map((key): AlertedEvents => {
      const { why, events }: WatchClass = watchClasses[key];
      return { key, why, events: events.map((watched) => (named.has(watched.event) ? alone(watched.event) : watched)) };
    });
  const inClasses = new Set(alerts.flatMap(({ events }) => events.map(({ event }) => event)));
  const rest = eventNames.filter((name) => named.has(name) && !inClasses.has(name));
  if (rest.length === 0) return alerts;
  return [...alerts, { key: "events", why: "these events were chosen by name", events: rest.map(alone) }];
}

function alone(event: EventName): WatchedEvent {
  return { event };
}

// Monitoring replaces these placeholders in notifications; `$$` escapes `$` in Terraform.
const eventLabel = "`$${metric.label.event}`";
const actorLabel = "`$${metric.label.actor}`";

/** Subject of the notifications. */
export const alertSubject = "Admin console: $${metric.label.event} by $${metric.label.actor}";

/**
 * Returns the text of an alert in Markdown: the change, its effect, the covered events in the words of the console, and
 * what to do. All events of the catalogue together have less than the 8,192 characters that the service accepts.
 */
export function alertDocumentation({ why, events }: AlertedEvents, organizationId: string): string {
  return [
    `${actorLabel} made a change in the Admin console of organization ${organizationId}: ${eventLabel}.`,
    `Why it matters: ${why}.`,
    ["This alert covers:", ...events.map(describe)].join("\n"),
    ...(events.some((watched) => watched.event.includes("HOSTED_MAIL"))
      ? ["Mail settings may be logged as application settings: the log entry names the application."]
      : []),
    [
      "What to do:",
      "1. Look at the change in the log bucket, or with `cert-migration audit list`.",
      "2. If the change was not planned, stop the migration until the reason is known.",
      "3. Run `cert-migration audit guard` before the next step: late or missing events raise no alert.",
    ].join("\n"),
  ].join("\n\n");
}

function describe({ event, only }: WatchedEvent): string {
  const message = eventCatalogue[event].message
    .replace("<VENDOR>", defaultWords.vendor)
    .replace("<PARTNER>", defaultWords.partner);
  const where =
    only === undefined ? "" : ` (only where ${only.parameter} is ${only.values.join(", ")}, missing, or a new value)`;
  return `- \`${serviceName(event)}\`: ${message}${where}`;
}
