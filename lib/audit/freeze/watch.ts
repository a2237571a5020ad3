import { defined } from "../../json/defined";
import {
  type EventName,
  serviceName,
  unwatchedValues,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "../catalogue";
import { likeness } from "../query";
import { type ActivityEvent, allParameters, type KnownEvent } from "../reading";
import type { Freeze } from "./model";

/** Watched conditions, by event. */
export type Watch = ReadonlyMap<
  EventName,
  { readonly as: WatchClassName | EventName; readonly why: string; readonly only?: WatchedEvent["only"] }
>;

/**
 * Returns the watched events of a freeze: the events of its classes and its single events. An event that the freeze
 * lists by name is watched with any parameters.
 */
export function watchOf({ watch = watchClassNames }: Freeze): Watch {
  const all = new Map<
    EventName,
    { as: WatchClassName | EventName; why: string; only?: NonNullable<WatchedEvent["only"]> }
  >();
  for (const name of watch) {
    const group: WatchClass | undefined = Object.hasOwn(watchClasses, name)
      ? watchClasses[name as WatchClassName]
      : undefined;
    if (group === undefined) {
      all.set(name as EventName, { as: name, why: "the event is watched by name" });
      continue;
    }
    for (const { event, only } of group.events) {
      if (all.has(event)) continue;
      all.set(event, { as: name, why: group.why, ...defined({ only }) });
    }
  }
  return all;
}

/**
 * Returns whether an event has the parameters that its class requires. A missing value, or a value outside the catalog,
 * counts as watched, because it may be a new name of a watched value. If a parameter has several values, one match is
 * enough.
 */
export function isMeant(event: ActivityEvent, only: WatchedEvent["only"]): boolean {
  if (only === undefined) return true;
  const harmless = unwatchedValues(only);
  const again = event.otherParameters.filter(({ name }) => name === only.parameter).map(({ value }) => value);
  const values = [allParameters(event).get(only.parameter), ...again].flat();
  return values.length === 0 || values.some((value) => !harmless.includes(String(value)));
}

/** New names that the public service announced for renamed events, with the class that watched the previous names. */
const announced = new Map<string, WatchClassName>(
  ["CREATE", "CHANGE", "DELETE"].map((verb) => [`${verb}_APPLICATION_SETTING`, "mail-path"] as const),
);

/**
 * Returns the watched event that an uncatalogued event may be a renamed form of. A changed name must not disable the
 * guard.
 *
 * @returns undefined for a catalogued event, and if no watched event is similar
 */
export function looksLike(event: ActivityEvent, watch: Watch): EventName | undefined {
  if (event.known) return undefined;
  const group = announced.get(event.name);
  for (const name of watch.keys()) {
    if (group !== undefined && isOfClass(name, group)) return name;
    // The catalog has all known events of this type, so a new event is probably a new way to grant privileges.
    if (event.type === "DELEGATED_ADMIN_SETTINGS" && isOfClass(name, "authority")) return name;
    // The reader's company may differ from the record's company, and a long company name would lower the similarity.
    if (new RegExp(`^${name.replace(/VENDOR|PARTNER/, "\\w+")}$`, "i").test(event.name)) return name;
    if (Math.max(likeness(event.name, name), likeness(event.name, serviceName(name))) >= 0.75) return name;
  }
  return undefined;
}

/** Returns whether an event belongs to a class, even if it is watched by its own name. */
function isOfClass(event: EventName, name: WatchClassName): boolean {
  const { events }: WatchClass = watchClasses[name];
  return events.some((watched) => watched.event === event);
}

/** Returns the severity of a change, whether its class is watched or the event by its own name. */
export function severityOf(event: KnownEvent, hostnames: readonly string[]): "high" | "normal" {
  const parameters = allParameters(event as ActivityEvent);
  if (isOfClass(event.canonicalName, "trust-anchors") || parameters.get("ROLE_NAME") === "_SEED_ADMIN_ROLE")
    return "high";
  const url = parameters.get("EXCHANGE_WEB_SERVICES_URL");
  if (typeof url !== "string" || !URL.canParse(url)) return "normal";
  const host = new URL(url).hostname.replace(/\.$/, "");
  return hostnames.some((name) => isHost(name.toLowerCase().replace(/\.$/, ""), host)) ? "high" : "normal";
}

function isHost(name: string, host: string): boolean {
  if (!name.startsWith("*.")) return name === host;
  return host.slice(host.indexOf(".")) === name.slice(1);
}
