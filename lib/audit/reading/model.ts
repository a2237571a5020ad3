import type { EventName, EventTypeOf, ParameterName, ParametersOf, RecordedName } from "../catalogue";

/**
 * What a value of a record can be: a text, digits of a 64-bit number (as text), a truth value, lists of these, or
 * parameters within.
 */
export type ParameterValue = string | boolean | readonly ParameterValue[] | { readonly [name: string]: ParameterValue };

/** What names an activity. The fields are as the record has them. */
export interface ActivityId {
  readonly time?: string;
  /** A 64-bit number, digit for digit, with its sign. */
  readonly uniqueQualifier?: string;
  /** As in `admin`. */
  readonly applicationName?: string;
  readonly customerId?: string;
}

/**
 * Who did it, as far as the record says. A hint, not proof: services and delegated programs act under people's names.
 */
export interface Actor {
  readonly email?: string;
  /** Digits, as the record has them. */
  readonly profileId?: string;
  /** As in `USER` or `KEY`. */
  readonly callerType?: string;
  /** What the caller used, where the caller type is `KEY`. */
  readonly key?: string;
  /**
   * The best name there is: the e-mail address, else `id:` and the profile id, else `key:` and the key, else `unknown`.
   * Not escaped.
   */
  readonly label: string;
}

/**
 * A parameter of an unknown event, one that the catalogue does not know for this event, that is told twice, or whose
 * value is not of its type.
 */
export interface OtherParameter {
  readonly name: string;
  /** Best reading of the value; undefined where the record gives none that can be read. */
  readonly value: ParameterValue | undefined;
  readonly raw: unknown;
}

/**
 * An event of the catalogue. `event.name === "ASSIGN_ROLE"` narrows the parameters of an {@link ActivityEvent},
 * `event.canonicalName === "ASSIGN_ROLE"` all of it: an event may carry a known name and yet be of another type.
 */
export interface KnownEvent<Name extends EventName = EventName> {
  /** As the record writes it, which may be the public service's name or one with other company words. */
  readonly name: RecordedName<Name>;
  /** As specification 2 writes it. */
  readonly canonicalName: Name;
  readonly type: EventTypeOf<Name>;
  readonly known: true;
  /** The catalogued parameters whose values are of their type. */
  readonly parameters: ParametersOf<Name>;
  readonly otherParameters: readonly OtherParameter[];
  /** The event as it stood in the record. */
  readonly raw: unknown;
}

/** An event that is not catalogued, or that claims another type than its name has; it is kept and marked. */
export interface UnknownEvent {
  /** As the record writes it; empty where it has none. */
  readonly name: string;
  readonly canonicalName: undefined;
  /** As the record writes it; empty where it has none. */
  readonly type: string;
  readonly known: false;
  /** None: a name that the catalogue gives a meaning means nothing here. All are in `otherParameters`. */
  readonly parameters: { readonly [Name in ParameterName]?: never };
  readonly otherParameters: readonly OtherParameter[];
  readonly raw: unknown;
}

/** One event of an activity. */
export type ActivityEvent = { [Name in EventName]: KnownEvent<Name> }[EventName] | UnknownEvent;

/**
 * Something about a record that is not as the service or the catalogue has it. Strict reading refuses every one of
 * them.
 */
export interface RecordFinding {
  /** Stable, kebab-case. */
  readonly code: string;
  /** One line, lower case, no final period; safe for a terminal. */
  readonly message: string;
  /** JSON pointer into the record. */
  readonly pointer: string;
}

/** An activity of an administrator: one or several events that happened at once. */
export interface Activity {
  readonly id: ActivityId;
  /** To the millisecond; undefined where the record has no time that can be read. `id.time` has all digits. */
  readonly time: Date | undefined;
  readonly actor: Actor;
  /** Address that the actor came from, as the record has it. */
  readonly ipAddress?: string;
  readonly events: readonly ActivityEvent[];
  /** Everything that is odd about the record, in the order of the record; nothing was dropped for it. */
  readonly findings: readonly RecordFinding[];
  /** The record that was read. */
  readonly raw: unknown;
}
