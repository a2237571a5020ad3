import rows from "./specified-events.json";

/** A row for each event of specification 2: the values of a record, their types, and the exact text. */
export interface SpecifiedEvent {
  readonly type: string;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly [key: string]: unknown }[];
  readonly typed: Readonly<Record<string, string | boolean>>;
  readonly message: string;
}

export const specifiedEvents = rows as unknown as readonly SpecifiedEvent[];

/** A record as the service writes it, with these events. */
export function record(
  events: readonly unknown[],
  { time = "2026-11-21T10:00:00.000Z", qualifier = "-7312345678901234567", email = "admin@example.com" } = {},
): Readonly<Record<string, unknown>> {
  return {
    kind: "admin#reports#activity",
    id: { time, uniqueQualifier: qualifier, applicationName: "admin", customerId: "C03az79cb" },
    actor: { callerType: "USER", email, profileId: "110506652893456789012" },
    ipAddress: "198.51.100.7",
    events,
  };
}

/** An event of a record, its parameters texts. */
export function event(type: string, name: string, parameters: Readonly<Record<string, string>> = {}): object {
  return {
    type,
    name,
    parameters: Object.entries(parameters).map(([parameter, value]) => ({ name: parameter, value })),
  };
}

/** A role event, which most tests use: two parameters, both in the message. */
export function assignRole(role = "_SEED_ADMIN_ROLE", user = "new@example.com"): object {
  return event("DELEGATED_ADMIN_SETTINGS", "ASSIGN_ROLE", { ROLE_NAME: role, USER_EMAIL: user });
}
