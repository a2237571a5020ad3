import type { CodedFinding } from "../../findings/finding";
import type { EventName, EventTypeOf, ParameterName, ParametersOf, RecordedName } from "../catalogue";
import type { recordFindings } from "../codes";

/**
 * Value of a parameter in a record: a string, the digits of a 64-bit number (as a string), a boolean, a list of values,
 * or nested parameters.
 */
export type AuditParameterValue =
  | string
  | boolean
  | readonly AuditParameterValue[]
  | { readonly [name: string]: AuditParameterValue };

/** Identifier of an activity. The fields are unchanged from the record. */
export interface ActivityId {
  readonly time?: string;
  /** A 64-bit number, with all digits and its sign. */
  readonly uniqueQualifier?: string;
  /** Name of the application, for example `admin`. */
  readonly applicationName?: string;
  readonly customerId?: string;
}

/**
 * Actor of an activity according to the record. A hint, not evidence: services and delegated programs act under
 * people's names.
 */
export interface Actor {
  readonly email?: string;
  /** Digits, unchanged from the record. */
  readonly profileId?: string;
  /** Type of the caller, for example `USER` or `KEY`. */
  readonly callerType?: string;
  /** Key that the caller used, if the caller type is `KEY`. */
  readonly key?: string;
  /**
   * Best available name: the e-mail address, else `id:` and the profile id, else `key:` and the key, else `unknown`.
   * Not escaped.
   */
  readonly label: string;
}

/**
 * A parameter that is not in the catalog for its event, that appears twice, or whose value has the wrong type. All
 * parameters of an unknown event are in this group.
 */
export interface OtherParameter {
  readonly name: string;
  /** The value as far as it can be read; undefined if the record has no readable value. */
  readonly value: AuditParameterValue | undefined;
  readonly raw: unknown;
}

/**
 * An event of the catalog. `event.name === "ASSIGN_ROLE"` narrows the parameters of an {@link ActivityEvent};
 * `event.canonicalName === "ASSIGN_ROLE"` narrows the whole event. The two differ, because an event may have a known
 * name but another type.
 */
export interface KnownEvent<Name extends EventName = EventName> {
  /** Name in the record: the name in specification 2, the public service's name, or a name with other company names. */
  readonly name: RecordedName<Name>;
  /** Name of the event, as specification 2 writes it. */
  readonly canonicalName: Name;
  readonly type: EventTypeOf<Name>;
  readonly known: true;
  /** The catalogued parameters whose values have the right type. */
  readonly parameters: ParametersOf<Name>;
  readonly otherParameters: readonly OtherParameter[];
  /** The event, unchanged from the record. */
  readonly raw: unknown;
}

/** An event that is not catalogued, or whose type does not belong to its name. It is kept and marked. */
export interface UnknownEvent {
  /** Name in the record; empty if the record has none. */
  readonly name: string;
  readonly canonicalName: undefined;
  /** Type in the record; empty if the record has none. */
  readonly type: string;
  readonly known: false;
  /**
   * Always empty, because the catalog's names have no meaning for this event. All parameters are in `otherParameters`.
   */
  readonly parameters: { readonly [Name in ParameterName]?: never };
  readonly otherParameters: readonly OtherParameter[];
  readonly raw: unknown;
}

/** One event of an activity. */
export type ActivityEvent = { [Name in EventName]: KnownEvent<Name> }[EventName] | UnknownEvent;

/**
 * A deviation of a record from the service's form or from the catalog. Strict reading refuses every finding. The
 * subject is a JSON pointer into the record.
 */
export type RecordFinding = CodedFinding<RecordCode>;

export type RecordCode = keyof typeof recordFindings;

/** An activity of an administrator: one or more events that happened at once. */
export interface Activity {
  readonly id: ActivityId;
  /** Time in milliseconds. Undefined if the record has no readable time. `id.time` has all digits. */
  readonly time: Date | undefined;
  readonly actor: Actor;
  /** IP address of the actor, unchanged from the record. */
  readonly ipAddress?: string;
  readonly events: readonly ActivityEvent[];
  /** All deviations of the record, in the order of the record. No data was dropped because of them. */
  readonly findings: readonly RecordFinding[];
  /** The record that was read. */
  readonly raw: unknown;
}
