import { escapeUnsafe } from "../../text/quote";
import type { CompanyWords, EventName } from "../catalogue";
import { formatValue, renderMessage } from "../messages";
import { type Activity, type ActivityEvent, allParameters, eventKeys } from "../reading";
import type { AllowedChange, ExpectedChange, Freeze, Violation } from "./model";
import { isMeant, looksLike, severityOf, type Watch, watchOf } from "./watch";

/** The events of a freeze, sorted by their meaning for the freeze. */
export interface SortedEvents {
  /** Watched events that were not allowed. */
  readonly violations: readonly Violation[];
  readonly allowed: readonly AllowedChange[];
  /** Positions of the allow rules that an event matched before their expiry. */
  readonly usedRules: ReadonlySet<number>;
  /** Positions of the allow rules that had expired when an event matched. */
  readonly expiredRules: ReadonlySet<number>;
  /** Names of uncatalogued events that resemble a watched event, each with that event. */
  readonly alike: ReadonlyMap<string, EventName>;
  readonly controlSeen: boolean;
  /** Number of events, each counted once. */
  readonly events: number;
  readonly watched: number;
  readonly uncatalogued: number;
}

interface Sorting extends SortedEvents {
  readonly violations: Violation[];
  readonly allowed: AllowedChange[];
  readonly usedRules: Set<number>;
  readonly expiredRules: Set<number>;
  readonly alike: Map<string, EventName>;
  /** Results by type and name, because logs repeat the same few uncatalogued events many times. */
  readonly likenesses: Map<string, EventName | undefined>;
  controlSeen: boolean;
  events: number;
  watched: number;
  uncatalogued: number;
}

/** Compares every event of a freeze, once each and oldest first, with the watched and the allowed changes. */
export function sortEvents(freeze: Freeze, activities: readonly Activity[], words: CompanyWords): SortedEvents {
  const watch = watchOf(freeze);
  const sorted: Sorting = {
    violations: [],
    allowed: [],
    usedRules: new Set(),
    expiredRules: new Set(),
    alike: new Map(),
    likenesses: new Map(),
    controlSeen: false,
    events: 0,
    watched: 0,
    uncatalogued: 0,
  };
  const keys = new Set<string>();
  const ordered = activities
    .flatMap((activity) => (activity.time === undefined ? [] : [{ activity, time: activity.time }]))
    .filter(({ time }) => time >= freeze.start && time < freeze.end)
    .sort((a, b) => a.time.getTime() - b.time.getTime());
  for (const { activity, time } of ordered) {
    for (const [index, key] of eventKeys(activity).entries()) {
      const event = activity.events[index];
      if (event === undefined || keys.has(key)) continue;
      keys.add(key);
      sorted.events += 1;
      place({ activity, event, key, time }, freeze, watch, words, sorted);
    }
  }
  return sorted;
}

interface Seen {
  readonly activity: Activity;
  readonly event: ActivityEvent;
  readonly key: string;
  readonly time: Date;
}

function place(seen: Seen, freeze: Freeze, watch: Watch, words: CompanyWords, sorted: Sorting): void {
  const { activity, event, key, time } = seen;
  if (!event.known) {
    sorted.uncatalogued += 1;
    const like = remembered(sorted.likenesses, `${event.type} ${event.name}`, () => looksLike(event, watch));
    if (like !== undefined) sorted.alike.set(event.name, like);
    return;
  }
  const tell = () => ({
    key,
    time: time.toISOString(),
    actor: escapeUnsafe(activity.actor.label),
    event: event.canonicalName,
    message: renderMessage(event, words),
  });
  if (freeze.control !== undefined && !sorted.controlSeen && isDescribed(seen, freeze.control)) {
    sorted.controlSeen = true;
    sorted.allowed.push({ ...tell(), ticket: "control" });
    return;
  }
  const watched = watch.get(event.canonicalName);
  if (watched === undefined || !isMeant(event, watched.only)) return;
  sorted.watched += 1;
  const ticket = ticketFor(seen, freeze, sorted);
  if (ticket !== undefined) {
    sorted.allowed.push({ ...tell(), ticket });
    return;
  }
  const severity = severityOf(event, freeze.hostnames ?? []);
  sorted.violations.push({ ...tell(), watchedAs: watched.as, why: watched.why, severity });
}

function remembered<Value>(memory: Map<string, Value>, name: string, make: () => Value): Value {
  if (!memory.has(name)) memory.set(name, make());
  return memory.get(name) as Value;
}

function ticketFor(seen: Seen, { allow = [] }: Freeze, sorted: Sorting): string | undefined {
  let ticket: string | undefined;
  for (const [index, rule] of allow.entries()) {
    if (!isDescribed(seen, rule)) continue;
    if (seen.time < rule.expires) {
      sorted.usedRules.add(index);
      ticket ??= escapeUnsafe(rule.ticket);
    } else {
      sorted.expiredRules.add(index);
    }
  }
  return ticket;
}

function isDescribed({ activity, event }: Seen, change: ExpectedChange): boolean {
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
