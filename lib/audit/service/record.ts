import { defined } from "../../json/defined";
import { type EventName, eventCatalogue, type ParametersOf } from "../catalogue";

/** An event to record. */
export type NewEvent = {
  [Name in EventName]: { readonly name: Name; readonly parameters?: ParametersOf<Name> };
}[EventName];

/** An activity to record. The store fills in missing fields. */
export interface NewActivity {
  /** Time of the activity. @default - when it is recorded */
  readonly time?: Date;
  readonly actor: { readonly email?: string; readonly profileId?: string; readonly callerType?: string };
  readonly ipAddress?: string;
  /** At least one event. */
  readonly events: readonly NewEvent[];
}

/** Returns the record of an activity in the service's own form. */
export function activityRecord({ time, actor, ipAddress, events }: NewActivity): Readonly<Record<string, unknown>> {
  return {
    ...(time === undefined ? {} : { id: { time: time.toISOString() } }),
    actor: { callerType: "USER", ...actor },
    ...defined({ ipAddress }),
    events: events.map(({ name, parameters = {} }) => {
      const { type, parameters: definitions } = eventCatalogue[name];
      const listed = Object.entries<string | boolean | undefined>(parameters)
        .filter(([, value]) => value !== undefined)
        .map(([parameter, value]) => {
          const kind = definitions.find((definition) => definition.name === parameter)?.type ?? "string";
          return { name: parameter, [{ string: "value", integer: "intValue", boolean: "boolValue" }[kind]]: value };
        });
      return { type, name, ...(listed.length === 0 ? {} : { parameters: listed }) };
    }),
  };
}
