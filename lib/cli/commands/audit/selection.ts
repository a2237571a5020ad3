import type { Activity, ActivityFilter, ActivityQuery } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { CommandOption, Invocation } from "../../command";
import { wordsOf } from "./connection";

export const selectionOptions: readonly CommandOption[] = [
  { flags: "--event <name>", description: "only this event", repeatable: true },
  {
    flags: "--type <type>",
    description: "only events of this type, for example MOBILE_SETTINGS; DELEGATED_ADMIN is DELEGATED_ADMIN_SETTINGS",
    repeatable: true,
  },
  {
    flags: "--filter <condition>",
    description:
      "a condition on a parameter, for example USER_EMAIL==a@example.com; an event must match all conditions",
    repeatable: true,
  },
  { flags: "--uncatalogued", description: "allow events and parameters that are not in the catalogue" },
];

/**
 * Lists the options that select actors. The service knows the units and groups of an actor; records do not contain
 * them.
 */
export const actorOptions: readonly CommandOption[] = [
  {
    flags: "--org-unit <id>",
    description: "only events of users in this organizational unit: its id, for example id:03ph8a2z1xdnme9",
  },
  {
    flags: "--group <id>",
    description:
      "only events of members of this group: its id, for example id:01ci93xb3tmzyin; with several groups, of members of any group",
    repeatable: true,
  },
  {
    flags: "--customer <id>",
    description: "log of another customer, for example C03az79cb; default: the caller's customer",
  },
];

/** Reads the options that select actors. The prefix `id:` of an id is optional. */
export function readActors(options: Invocation["options"], now: Date): ActivityQuery {
  const { orgUnit, customer } = options as Readonly<Record<string, string | undefined>>;
  const groups = (options.group as readonly string[]).flatMap((group) => group.split(","));
  const query: ActivityQuery = {
    ...(orgUnit === undefined ? {} : { orgUnitID: withPrefix(orgUnit) }),
    ...(groups.length === 0 ? {} : { groupIdFilter: groups.map(withPrefix).join(",") }),
    ...defined({ customerId: customer }),
  };
  audit().checkQuery(query, now);
  return query;
}

function withPrefix(id: string): string {
  return /^[A-Za-z0-9]+$/.test(id) ? `id:${id}` : id;
}

export const timeOptions: readonly CommandOption[] = [
  { flags: "--since <time>", description: "start time: RFC 3339, or a time ago, for example 90m, 24h or 7d" },
  { flags: "--until <time>", description: "end time (exclusive), in the same forms" },
];

export interface Selection {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly filters: readonly ActivityFilter[];
  /** Whether events and parameters that are not in the catalogue are allowed. */
  readonly uncatalogued: boolean;
}

/** Reads the selection. Refuses names and conditions that no event can meet, even if they are not part of the query. */
export function readSelection(options: Invocation["options"], now: Date): Selection {
  const { canonicalType, checkQuery, eventTypes, parseFilters } = audit();
  const names = options.event as readonly string[];
  const types = (options.type as readonly string[]).map(canonicalType);
  const filters = (options.filter as readonly string[]).flatMap((condition) => parseFilters(condition));
  const uncatalogued = options.uncatalogued === true;
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown !== undefined && !uncatalogued) {
    const message = `--type ${quote(unknown)} is not in the catalogue; use one of ${eventTypes.join(", ")}`;
    throw new InputError("type-unknown", message);
  }
  const each: readonly (string | undefined)[] = names.length === 0 ? [undefined] : names;
  for (const eventName of each) {
    checkQuery({ ...defined({ eventName }), filters, uncatalogued }, now, wordsOf(options));
  }
  return { names, types, filters, uncatalogued };
}

/**
 * Returns the query for the service. A single event name is part of the query. For several names, all events are listed
 * once and filtered here, which uses less of the service's quota.
 */
export function queryOf({ names, filters, uncatalogued }: Selection): ActivityQuery {
  const [only] = names;
  return {
    ...(names.length === 1 && only !== undefined
      ? { eventName: only, ...(filters.length === 0 ? {} : { filters }) }
      : {}),
    ...(uncatalogued ? { uncatalogued } : {}),
  };
}

/** Returns the indexes of the selected events of an activity. */
export function selected(activity: Activity, { names, types, filters }: Selection): readonly number[] {
  const { matchingEvents } = audit();
  const places =
    names.length === 0
      ? matchingEvents(activity, { filters })
      : [...new Set(names.flatMap((eventName) => matchingEvents(activity, { eventName, filters })))].sort(
          (a, b) => a - b,
        );
  return places.filter((index) => types.length === 0 || types.includes(activity.events[index]?.type ?? ""));
}

/** Reads a time of the command line: a point in time, or a duration before now. */
export function readMoment(text: string | undefined, option: string, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[ago?.[2] as "s" | "m" | "h" | "d"];
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * unitMs);
  const time = audit().readTime(text);
  if (time !== undefined) return new Date(time.milliseconds);
  const message = `${option} ${quote(text)} is not a time; use RFC 3339, as in 2026-11-21T22:00:00Z, or a duration before now, as in 24h`;
  throw new InputError("time-malformed", message);
}

/** Loads the audit library, which a command needs only for its run. */
export function audit(): typeof import("../../../audit") {
  return require("../../../audit") as typeof import("../../../audit");
}
