import {
  type EventName,
  eventNames,
  findEvent,
  type RecordedName,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "../../audit/catalogue";

/**
 * What can be alerted about: a class of events as the change-freeze guard has them, or an event by the name of the
 * catalogue or the one that the service writes.
 */
export type AdminChange = WatchClassName | RecordedName<EventName>;

/** Events that raise one alert. */
export interface AlertedEvents {
  /** The class; `events` for the events that are named by themselves. Part of construct ids and resource names. */
  readonly key: WatchClassName | "events";
  /** Why the change matters; one line, lower case, no final period. */
  readonly why: string;
  /** In the order of the class, or of the catalogue. */
  readonly events: readonly WatchedEvent[];
}

/**
 * Sorts what was chosen into alerts: one for each class, one for all events that are named by themselves and in none of
 * these classes. An event that is named beside its class is alerted about with the class, whatever its parameters.
 * Neither order nor repetition has a say.
 *
 * @param chosen names of classes and events, all of them known
 */
export function alertedEvents(chosen: readonly string[]): readonly AlertedEvents[] {
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
