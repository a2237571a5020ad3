import type { Activity, ActivityFilter, ActivityQuery } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { type OptionValues, type ValueType, values } from "../../declare";
import * as load from "../../load";
import { type wordOptions, wordsOf } from "./connection";

export const selectionOptions = {
  "--event <name>": values("only this event"),
  "--type <type>": values(
    "only events of this type, for example MOBILE_SETTINGS; DELEGATED_ADMIN is DELEGATED_ADMIN_SETTINGS",
  ),
  "--filter <condition>": values(
    "a condition on a parameter, for example USER_EMAIL==a@example.com; an event must match all conditions",
  ),
  "--uncatalogued": "allow events and parameters that are not in the catalogue",
} as const;

/**
 * Lists the options that select actors. The service knows the units and groups of an actor; records do not contain
 * them.
 */
export const actorOptions = {
  "--org-unit <id>": "only events of users in this organizational unit: its id, for example id:03ph8a2z1xdnme9",
  "--group <id>": values(
    "only events of members of this group: its id, for example id:01ci93xb3tmzyin; with several groups, of members of any group",
  ),
  "--customer <id>": "log of another customer, for example C03az79cb; default: the caller's customer",
} as const;

/** Reads the options that select actors. The prefix `id:` of an id is optional. */
export function readActors({ orgUnit, customer, group }: OptionValues<typeof actorOptions>, now: Date): ActivityQuery {
  const groups = group.flatMap((ids) => ids.split(","));
  const query: ActivityQuery = {
    ...(orgUnit === undefined ? {} : { orgUnitID: withPrefix(orgUnit) }),
    ...(groups.length === 0 ? {} : { groupIdFilter: groups.map(withPrefix).join(",") }),
    ...defined({ customerId: customer }),
  };
  load.audit().checkQuery(query, now);
  return query;
}

function withPrefix(id: string): string {
  return /^[A-Za-z0-9]+$/.test(id) ? `id:${id}` : id;
}

/** Time of the command line. */
export interface Moment {
  readonly text: string;
  /** Returns the point in time; a duration is before `now`. */
  readonly at: (now: Date) => Date;
}

export const moment: ValueType<Moment> = {
  read: (text, option) => {
    const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    if (amount !== undefined) {
      return { text, at: (now) => new Date(now.getTime() - Number(amount) * (unitsMs[unit] ?? 0)) };
    }
    const time = load.audit().readTime(text);
    if (time !== undefined) return { text, at: () => new Date(time.milliseconds) };
    const message = `${option} ${quote(text)} is not a time; use RFC 3339, as in 2026-11-21T22:00:00Z, or a duration before now, as in 24h`;
    throw new InputError("time-malformed", message);
  },
  refuses: ["yesterday", "time-malformed"],
};

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export interface Selection {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly filters: readonly ActivityFilter[];
  /** Whether events and parameters that are not in the catalogue are allowed. */
  readonly uncatalogued: boolean;
}

/** Reads the selection. Refuses names and conditions that no event can meet, even if they are not part of the query. */
export function readSelection(
  options: OptionValues<typeof selectionOptions & typeof wordOptions>,
  now: Date,
): Selection {
  const { canonicalType, checkQuery, eventTypes, parseFilters } = load.audit();
  const { event: names, uncatalogued } = options;
  const types = options.type.map(canonicalType);
  const filters = options.filter.flatMap((condition) => parseFilters(condition));
  const known: readonly string[] = eventTypes;
  const unknown = types.find((type) => !known.includes(type));
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
  const { matchingEvents } = load.audit();
  const places =
    names.length === 0
      ? matchingEvents(activity, { filters })
      : [...new Set(names.flatMap((eventName) => matchingEvents(activity, { eventName, filters })))].sort(
          (a, b) => a - b,
        );
  return places.filter((index) => types.length === 0 || types.includes(activity.events[index]?.type ?? ""));
}
