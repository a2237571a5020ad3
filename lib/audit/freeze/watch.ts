import {
  type EventName,
  serviceName,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "../catalogue";
import { likeness } from "../query";
import { type ActivityEvent, allParameters, type KnownEvent } from "../reading";
import type { Freeze } from "./model";

/** What is watched, by event. */
export type Watch = ReadonlyMap<
  EventName,
  { readonly as: WatchClassName | EventName; readonly why: string; readonly only?: WatchedEvent["only"] }
>;

/**
 * Classes and single events of a freeze, spread out. An event that is named by itself is watched whatever its
 * parameters.
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
      all.set(event, { as: name, why: group.why, ...(only === undefined ? {} : { only }) });
    }
  }
  return all;
}

/**
 * Whether an event meets what its class asks of its parameters. A value that is not told counts as one that is watched.
 */
export function isMeant(event: ActivityEvent, only: WatchedEvent["only"]): boolean {
  if (only === undefined) return true;
  const value = allParameters(event).get(only.parameter);
  return value === undefined || value === "UNKNOWN" || only.values.includes(String(value));
}

/** Names that the public service announced for events that it has renamed, with the class that watched the old ones. */
const announced = new Map<string, WatchClassName>(
  ["CREATE", "CHANGE", "DELETE"].map((verb) => [`${verb}_APPLICATION_SETTING`, "mail-path"] as const),
);

/**
 * The watched event that an event may be under another name: a change of names must not silence the guard.
 *
 * @returns undefined for a catalogued event, and where there is no likeness
 */
export function looksLike(event: ActivityEvent, watch: Watch): EventName | undefined {
  if (event.known) return undefined;
  const group = announced.get(event.name);
  for (const [name, { as }] of watch) {
    if (group !== undefined && group === as) return name;
    // The catalogue has every event of this type that there is, so a new one is a new way of handing out power.
    if (event.type === "DELEGATED_ADMIN_SETTINGS" && as === "authority") return name;
    if (Math.max(likeness(event.name, name), likeness(event.name, serviceName(name))) >= 0.75) return name;
  }
  return undefined;
}

/** How much a change weighs beyond its class. */
export function severityOf(
  event: KnownEvent,
  as: WatchClassName | EventName,
  hostnames: readonly string[],
): "high" | "normal" {
  const parameters = allParameters(event as ActivityEvent);
  if (as === "trust-anchors" || parameters.get("ROLE_NAME") === "_SEED_ADMIN_ROLE") return "high";
  const url = parameters.get("EXCHANGE_WEB_SERVICES_URL");
  if (typeof url !== "string" || !URL.canParse(url)) return "normal";
  const host = new URL(url).hostname.replace(/\.$/, "");
  return hostnames.some((name) => isHost(name.toLowerCase().replace(/\.$/, ""), host)) ? "high" : "normal";
}

function isHost(name: string, host: string): boolean {
  if (!name.startsWith("*.")) return name === host;
  return host.slice(host.indexOf(".")) === name.slice(1);
}
