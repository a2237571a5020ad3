import { findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import { escapeUnsafe } from "../../text/quote";
import {
  type CompanyWords,
  type EventName,
  serviceName,
  unwatchedValues,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "../catalogue";
import { violationCodes } from "../codes";
import { formatValue, renderMessage } from "../messages";
import { likeness } from "../query/nearest";
import {
  type Activity,
  type ActivityEvent,
  allParameters,
  eventKeys,
  type KnownEvent,
  type UnknownEvent,
} from "../reading";
import type { AllowedChange, ExpectedChange, Freeze, FreezeReport, Violation } from "./model";

/** The events of a freeze, sorted by their meaning for the freeze. */
export interface SortedEvents {
  /** Watched events that were not allowed. */
  readonly violations: Violation[];
  readonly allowed: AllowedChange[];
  /** Positions of the allow rules that an event matched before their expiry. */
  readonly usedRules: Set<number>;
  /** Positions of the allow rules that had expired when an event matched. */
  readonly expiredRules: Set<number>;
  /** Names of uncatalogued events that resemble a watched event, each with that event. */
  readonly alike: Map<string, EventName>;
  controlSeen: boolean;
  readonly counts: { -readonly [Kind in keyof FreezeReport["counts"]]: number };
}

interface RecordedEvent {
  readonly activity: Activity;
  readonly event: ActivityEvent;
  readonly key: string;
  readonly time: Date;
}

const violation = findingsOf(violationCodes);

/** Compares every event of a freeze, once each and oldest first, with the watched and the allowed changes. */
export function sortEvents(freeze: Freeze, activities: readonly Activity[], words: CompanyWords): SortedEvents {
  const watch = watchOf(freeze);
  const sorted: SortedEvents = {
    violations: [],
    allowed: [],
    usedRules: new Set(),
    expiredRules: new Set(),
    alike: new Map(),
    controlSeen: false,
    counts: { events: 0, watched: 0, uncatalogued: 0 },
  };
  // Results by type and name, because logs repeat the same few uncatalogued events many times.
  const likenesses = new Map<string, EventName | undefined>();
  for (const recorded of eventsDuring(freeze, activities)) {
    const { activity, event, key, time } = recorded;
    sorted.counts.events += 1;
    if (!event.known) {
      sorted.counts.uncatalogued += 1;
      const kind = `${event.type} ${event.name}`;
      if (!likenesses.has(kind)) likenesses.set(kind, watchedEventLike(event, watch));
      const like = likenesses.get(kind);
      if (like !== undefined) sorted.alike.set(event.name, like);
      continue;
    }
    const { canonicalName } = event;
    const isControl = freeze.control !== undefined && !sorted.controlSeen && isDescribed(recorded, freeze.control);
    const watched = watch.get(canonicalName);
    const isWatched = watched !== undefined && isMet(event, watched.only);
    if (!isControl && !isWatched) continue;
    const message = renderMessage(event, words);
    const actor = escapeUnsafe(activity.actor.label);
    const change = { key, time: time.toISOString(), actor, event: canonicalName };
    if (isControl) {
      sorted.controlSeen = true;
      sorted.allowed.push({ ...change, message, ticket: "control" });
    } else if (isWatched) {
      sorted.counts.watched += 1;
      const ticket = ticketFor(recorded, freeze, sorted);
      if (ticket === undefined) {
        const finding = violation(violationCodeOf(event, freeze.hostnames ?? []), canonicalName, message);
        sorted.violations.push({ ...finding, meaning: watched.why, ...change, watchedAs: watched.as });
      } else {
        sorted.allowed.push({ ...change, message, ticket });
      }
    }
  }
  return sorted;
}

/** Lists the events during a freeze, oldest first. An event that the log repeats appears once. */
function eventsDuring(freeze: Freeze, activities: readonly Activity[]): readonly RecordedEvent[] {
  const events = new Map<string, RecordedEvent>();
  const ordered = activities
    .flatMap((activity) => (activity.time === undefined ? [] : [{ activity, time: activity.time }]))
    .filter(({ time }) => time >= freeze.start && time < freeze.end)
    .sort((a, b) => a.time.getTime() - b.time.getTime());
  for (const { activity, time } of ordered) {
    for (const [index, key] of eventKeys(activity).entries()) {
      const event = activity.events[index];
      if (event !== undefined && !events.has(key)) events.set(key, { activity, event, key, time });
    }
  }
  return [...events.values()];
}

/** Returns the ticket of the first rule that allows an event, and marks all rules that match it. */
function ticketFor(event: RecordedEvent, { allow = [] }: Freeze, sorted: SortedEvents): string | undefined {
  let ticket: string | undefined;
  for (const [index, rule] of allow.entries()) {
    if (!isDescribed(event, rule)) continue;
    if (event.time < rule.expires) {
      sorted.usedRules.add(index);
      ticket ??= escapeUnsafe(rule.ticket);
    } else {
      sorted.expiredRules.add(index);
    }
  }
  return ticket;
}

function isDescribed({ activity, event }: RecordedEvent, change: ExpectedChange): boolean {
  if (event.canonicalName !== change.event) return false;
  const { email, profileId, label } = activity.actor;
  const names = [email, profileId, label].map((name) => name?.toLowerCase());
  if (change.actor !== undefined && !names.includes(change.actor.toLowerCase())) return false;
  const parameters = allParameters(event);
  return Object.entries(change.parameters ?? {}).every(([name, wanted]) => {
    const value = parameters.get(name);
    return value !== undefined && formatValue(value) === wanted;
  });
}

interface Watched {
  readonly as: WatchClassName | EventName;
  readonly why: string;
  readonly only?: NonNullable<WatchedEvent["only"]>;
}

type Watch = ReadonlyMap<EventName, Watched>;

/**
 * Returns the watched events of a freeze: the events of its classes and its single events. An event that the freeze
 * lists by name is watched with any parameters.
 */
function watchOf({ watch = watchClassNames }: Freeze): Watch {
  const watched = new Map<EventName, Watched>();
  for (const as of watch) {
    if (!isClassName(as)) {
      watched.set(as, { as, why: "the event is watched by name" });
      continue;
    }
    const { events, why }: WatchClass = watchClasses[as];
    for (const { event, only } of events) {
      if (!watched.has(event)) watched.set(event, { as, why, ...defined({ only }) });
    }
  }
  return watched;
}

function isClassName(name: string): name is WatchClassName {
  return Object.hasOwn(watchClasses, name);
}

/** Returns whether an event belongs to a class, even if it is watched by its own name. */
function isOfClass(event: EventName, name: WatchClassName): boolean {
  const { events }: WatchClass = watchClasses[name];
  return events.some((watched) => watched.event === event);
}

/**
 * Returns whether an event has the parameters that its class requires. A missing value, or a value outside the catalog,
 * counts as watched, because it may be a new name of a watched value. If a parameter has several values, one match is
 * enough.
 */
function isMet(event: ActivityEvent, only: WatchedEvent["only"]): boolean {
  if (only === undefined) return true;
  const unwatched = unwatchedValues(only);
  const repeated = event.otherParameters.filter(({ name }) => name === only.parameter).map(({ value }) => value);
  const values = [allParameters(event).get(only.parameter), ...repeated].flat();
  return values.length === 0 || values.some((value) => !unwatched.includes(String(value)));
}

/** New names that the public service announced for renamed events, with the class that watched the previous names. */
const announcedNames = new Map<string, WatchClassName>(
  ["CREATE", "CHANGE", "DELETE"].map((verb) => [`${verb}_APPLICATION_SETTING`, "mail-path"] as const),
);

/**
 * Returns the watched event that an uncatalogued event may be a renamed form of. A changed name must not disable the
 * guard.
 *
 * @returns undefined if no watched event is similar
 */
function watchedEventLike(event: UnknownEvent, watch: Watch): EventName | undefined {
  const announced = announcedNames.get(event.name);
  return [...watch.keys()].find(
    (name) =>
      (announced !== undefined && isOfClass(name, announced)) ||
      // The catalog has all known events of this type, so a new event is probably a new way to grant privileges.
      (event.type === "DELEGATED_ADMIN_SETTINGS" && isOfClass(name, "authority")) ||
      // The reader's company may differ from the record's company, and a long company name would lower the similarity.
      new RegExp(`^${name.replace(/VENDOR|PARTNER/, "\\w+")}$`, "i").test(event.name) ||
      Math.max(likeness(event.name, name), likeness(event.name, serviceName(name))) >= 0.75,
  );
}

/** Returns the code of a change, whether its class is watched or the event by its own name. */
function violationCodeOf(event: KnownEvent, hostnames: readonly string[]): keyof typeof violationCodes {
  const parameters = allParameters(event as ActivityEvent);
  const url = parameters.get("EXCHANGE_WEB_SERVICES_URL");
  const isCritical =
    isOfClass(event.canonicalName, "trust-anchors") ||
    parameters.get("ROLE_NAME") === "_SEED_ADMIN_ROLE" ||
    (typeof url === "string" && URL.canParse(url) && isAtHostname(new URL(url), hostnames));
  return isCritical ? "critical-change-during-freeze" : "change-during-freeze";
}

function isAtHostname(url: URL, hostnames: readonly string[]): boolean {
  const host = url.hostname.replace(/\.$/, "");
  return hostnames.some((hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    return name.startsWith("*.") ? host.slice(host.indexOf(".")) === name.slice(1) : name === host;
  });
}
