import {
  type EventName,
  loggingMethodName,
  serviceName,
  unwatchedValues,
  type WatchedEvent,
} from "../../audit/catalogue";
import { isReference } from "../../plan";

/** Most characters of a filter, as the Logging query language has it. */
export const maxFilterLength = 20_000;

const metadata = "protoPayload.metadata.event";

/**
 * Filter of every change in the Admin console: the entries of its service in the organization's log of administrative
 * activity.
 *
 * @param organizationId the digits, or a reference to them
 */
export function adminLogFilter(organizationId: string): string {
  return [
    `logName="organizations/${organizationId}/logs/cloudaudit.googleapis.com%2Factivity"`,
    'resource.type="audited_resource"',
    'protoPayload.serviceName="admin.googleapis.com"',
  ].join(" AND ");
}

/**
 * Filter of certain changes in the Admin console.
 *
 * @param events at least one
 * @param ignoredActors e-mail addresses, or references to them, whose changes don't match
 */
export function adminChangeFilter(
  organizationId: string,
  events: readonly WatchedEvent[],
  ignoredActors: readonly string[] = [],
): string {
  const whole = events.filter(({ only }) => only === undefined).map(({ event }) => event);
  const alternatives = [
    ...(whole.length === 0 ? [] : [isOneOf(whole)]),
    ...events.flatMap(({ event, only }) => (only === undefined ? [] : [`(${isOneOf([event])} AND ${meets(only)})`])),
  ];
  return [
    adminLogFilter(organizationId),
    alternatives.length === 1 ? (alternatives[0] as string) : `(${alternatives.join(" OR ")})`,
    ...(ignoredActors.length === 0
      ? []
      : [`NOT ${equalsOneOf("protoPayload.authenticationInfo.principalEmail", ignoredActors)}`]),
  ].join(" AND ");
}

/** Keeps Terraform from reading a part of a literal text as its own template language. */
export function literal(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}

/** An entry can carry several events of one activity, and its method name tells only one of them: both are asked. */
function isOneOf(events: readonly EventName[]): string {
  const names = events.flatMap(recordedNames);
  const byMethod = equalsOneOf(
    "protoPayload.methodName",
    names.map(({ method }) => method),
  );
  const byName = equalsOneOf(
    `${metadata}.eventName`,
    names.map(({ name }) => name),
  );
  return `(${byMethod} OR ${byName})`;
}

/**
 * How entries name an event. Settings of mail are announced to be written as settings of applications, under the old
 * names too until August 2026 and under the new ones alone from then on: an alert has to hear both.
 */
function recordedNames(event: EventName): readonly { readonly method: string; readonly name: string }[] {
  const current = { method: loggingMethodName(event), name: serviceName(event) };
  if (!event.includes("HOSTED_MAIL")) return [current];
  return [
    current,
    {
      method: current.method.replace("GmailSetting", "ApplicationSetting"),
      name: current.name.replace("GMAIL", "APPLICATION"),
    },
  ];
}

/**
 * As the change-freeze guard has it, a value that is not told, told as unknown, or not listed in the catalogue counts as
 * one that is watched.
 */
function meets(only: NonNullable<WatchedEvent["only"]>): string {
  const value = `${metadata}.parameter.value`;
  return [
    `(${equalsOneOf(value, [...only.values, "UNKNOWN"])}`,
    `NOT ${equalsOneOf(value, unwatchedValues(only))}`,
    `NOT ${equalsOneOf(`${metadata}.parameter.name`, [only.parameter])})`,
  ].join(" OR ");
}

function equalsOneOf(field: string, values: readonly string[]): string {
  const quotedValues = [...new Set(values)].map(quoted);
  return quotedValues.length === 1 ? `${field}=${quotedValues[0]}` : `${field}=(${quotedValues.join(" OR ")})`;
}

function quoted(text: string): string {
  return isReference(text) ? `"${text}"` : `"${literal(text.replace(/[\\"]/g, "\\$&"))}"`;
}
