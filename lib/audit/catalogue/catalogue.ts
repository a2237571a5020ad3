import { BugError } from "../../errors";
import { calendarSettings } from "./calendar-settings";
import { delegatedAdminSettings } from "./delegated-admin-settings";
import { emailSettings } from "./email-settings";
import type { EventRow } from "./event-table";
import { mobileSettings } from "./mobile-settings";
import {
  type ParameterDefinition,
  type ParameterName,
  type ParameterValueOf,
  parameterDefinitions,
} from "./parameters";

const tables = {
  CALENDAR_SETTINGS: calendarSettings,
  MOBILE_SETTINGS: mobileSettings,
  EMAIL_SETTINGS: emailSettings,
  DELEGATED_ADMIN_SETTINGS: delegatedAdminSettings,
} as const;

type Tables = typeof tables;

/** The four types of events that are catalogued. */
export type EventType = keyof Tables;

/** Name of a catalogued event as specification 2 writes it. */
export type EventName = { [Type in EventType]: keyof Tables[Type] & string }[EventType];

/** The type that an event belongs to. */
export type EventTypeOf<Name extends EventName> = {
  [Type in EventType]: Name extends keyof Tables[Type] ? Type : never;
}[EventType];

type RowOf<Name extends EventName> = {
  [Type in EventType]: Name extends keyof Tables[Type] ? Tables[Type][Name] : never;
}[EventType];

type Observed<Row> = Row extends { readonly observed: infer Names extends readonly ParameterName[] }
  ? Names[number]
  : never;

/** Names of the parameters that an event can carry. */
export type ParameterNameOf<Name extends EventName> =
  | (RowOf<Name> & EventRow)["parameters"][number]
  | Observed<RowOf<Name>>;

/** Parameters of an event by name. Every one may be missing: real records leave some out. */
export type ParametersOf<Name extends EventName> = {
  readonly [Parameter in ParameterNameOf<Name>]?: ParameterValueOf<Parameter>;
};

/** A parameter as an event carries it. */
export interface EventParameter extends ParameterDefinition {
  readonly name: ParameterName;
  /** Whether the event's message names it. Ingestion asks for these; every other parameter is optional. */
  readonly inMessage: boolean;
  /** True where specification 2 does not show the parameter but published records have it. */
  readonly observed: boolean;
}

/** What is known of an event. */
export interface EventDefinition<Name extends EventName = EventName> {
  /** As specification 2 writes it. */
  readonly name: Name;
  readonly type: EventTypeOf<Name>;
  /** The shown ones first, in the order of specification 2. */
  readonly parameters: readonly EventParameter[];
  /** `{PARAMETER}` stands for a value, `<VENDOR>` and `<PARTNER>` for the name of a company. */
  readonly message: string;
}

/**
 * All 69 events by name: what parsing, types, validation, messages, log filters and the reference page are made from.
 */
export const eventCatalogue: { readonly [Name in EventName]: EventDefinition<Name> } = makeCatalogue();

/** The catalogued events in the order of specification 2. */
export const eventNames = Object.keys(eventCatalogue) as readonly EventName[];

/** The four types in the order of specification 2. */
export const eventTypes = Object.keys(tables) as readonly EventType[];

function makeCatalogue(): typeof eventCatalogue {
  const catalogue: Record<string, EventDefinition> = {};
  for (const [type, table] of Object.entries(tables)) {
    for (const [name, row] of Object.entries<EventRow>(table)) {
      catalogue[name] = Object.freeze(define(name as EventName, type as EventType, row));
    }
  }
  return Object.freeze(catalogue) as typeof eventCatalogue;
}

function define(name: EventName, type: EventType, { parameters, observed = [], message }: EventRow): EventDefinition {
  const named = placeholdersOf(message);
  const undeclared = named.find((parameter) => !(parameters as readonly string[]).includes(parameter));
  if (undeclared !== undefined)
    throw new BugError(`the message of ${name} names ${undeclared}, which is no parameter of it`);
  const describe = (parameter: ParameterName, isObserved: boolean): EventParameter =>
    Object.freeze({
      name: parameter,
      ...(parameterDefinitions[parameter] satisfies ParameterDefinition),
      inMessage: named.includes(parameter),
      observed: isObserved,
    });
  return {
    name,
    type,
    parameters: Object.freeze([
      ...parameters.map((parameter) => describe(parameter, false)),
      ...observed.map((parameter) => describe(parameter, true)),
    ]),
    message,
  };
}

/** The parameters that a message names, each once. */
export function placeholdersOf(message: string): readonly string[] {
  return [...new Set([...message.matchAll(/\{([A-Z_]+)\}/g)].map((match) => match[1] as string))];
}
