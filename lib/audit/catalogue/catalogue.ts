import { BugError } from "../../errors";
import { type EventRow, eventTables } from "./event-tables";
import {
  type ParameterDefinition,
  type ParameterName,
  type ParameterValueOf,
  parameterDefinitions,
} from "./parameters";

type Tables = typeof eventTables;

/** The four event types in the catalog. */
export type EventType = keyof Tables;

/** Name of a catalogued event, as specification 2 writes it. */
export type EventName = { [Type in EventType]: keyof Tables[Type] & string }[EventType];

/** Type of an event. */
export type EventTypeOf<Name extends EventName> = {
  [Type in EventType]: Name extends keyof Tables[Type] ? Type : never;
}[EventType];

type RowOf<Name extends EventName> = {
  [Type in EventType]: Name extends keyof Tables[Type] ? Tables[Type][Name] : never;
}[EventType];

type PlaceholderOf<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never;

type ParametersIn<Row> = Row extends readonly [infer Message, ...infer Others extends readonly ParameterName[]]
  ? PlaceholderOf<Message> | Others[number]
  : never;

/** Names of the parameters that an event can have. */
export type ParameterNameOf<Name extends EventName> = Extract<ParametersIn<RowOf<Name>>, ParameterName>;

/** Parameters of an event by name. Every parameter is optional, because real records omit some. */
export type ParametersOf<Name extends EventName> = {
  readonly [Parameter in ParameterNameOf<Name>]?: ParameterValueOf<Parameter>;
};

/** A parameter of an event. */
export interface EventParameter extends ParameterDefinition {
  readonly name: ParameterName;
  /**
   * Whether the event's message contains the parameter. Ingestion requires these parameters; all others are optional.
   */
  readonly inMessage: boolean;
  /** Whether specification 2 omits the parameter although published records have it. */
  readonly observed: boolean;
}

/** Definition of a catalogued event. */
export interface EventDefinition<Name extends EventName = EventName> {
  /** Name of the event, as specification 2 writes it. */
  readonly name: Name;
  readonly type: EventTypeOf<Name>;
  /** Parameters that specification 2 shows, in its order, then the observed parameters. */
  readonly parameters: readonly EventParameter[];
  /**
   * Message of the console. `{PARAMETER}` is replaced by a value, `<VENDOR>` and `<PARTNER>` by the name of a company.
   */
  readonly message: string;
}

/** All 69 events by name. Parsing, types, validation, messages, log filters and the reference page use this catalog. */
export const eventCatalogue: { readonly [Name in EventName]: EventDefinition<Name> } = makeCatalogue();

/** The catalogued events in the order of specification 2. */
export const eventNames = Object.keys(eventCatalogue) as readonly EventName[];

/** The four event types, in the order of specification 2. */
export const eventTypes = Object.keys(eventTables) as readonly EventType[];

function makeCatalogue(): typeof eventCatalogue {
  const catalogue: Record<string, EventDefinition> = {};
  for (const [type, table] of Object.entries<Readonly<Record<string, EventRow>>>(eventTables)) {
    for (const [name, row] of Object.entries(table)) {
      catalogue[name] = Object.freeze(define(name as EventName, type as EventType, row));
    }
  }
  return Object.freeze(catalogue) as typeof eventCatalogue;
}

function define(name: EventName, type: EventType, [message, ...others]: EventRow): EventDefinition {
  const placeholders = placeholdersOf(message);
  const undefinedName = placeholders.find((parameter) => !Object.hasOwn(parameterDefinitions, parameter));
  if (undefinedName !== undefined) throw new BugError(`the message of ${name} names ${undefinedName}, not a parameter`);
  const isObserved = type === "DELEGATED_ADMIN_SETTINGS";
  const describe = (parameter: string): EventParameter =>
    Object.freeze({
      name: parameter as ParameterName,
      ...(parameterDefinitions[parameter as ParameterName] satisfies ParameterDefinition),
      inMessage: placeholders.includes(parameter),
      observed: isObserved && !placeholders.includes(parameter),
    });
  // The specification lists parameters in alphabetical order.
  const specified = [...placeholders, ...(isObserved ? [] : others)].sort();
  const parameters = [...specified, ...(isObserved ? others : [])].map(describe);
  return { name, type, parameters: Object.freeze(parameters), message };
}

/** Returns the parameters in a message, without duplicates. */
export function placeholdersOf(message: string): readonly string[] {
  return [...new Set([...message.matchAll(/\{([A-Z_]+)\}/g)].map((match) => match[1] as string))];
}
