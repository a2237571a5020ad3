import {
  type EventName,
  loggingMethodName,
  serviceName,
  unwatchedValues,
  type WatchedEvent,
} from "../../audit/catalogue";
import { escapeTemplate, isReference } from "../../plan";

/** Maximum length of a filter in the Logging query language, in characters. */
export const maxFilterLength = 20_000;

const metadata = "protoPayload.metadata.event";

/**
 * Returns the filter of all changes in the Admin console, which are entries in the organization's log.
 *
 * @param organizationId the digits, or a reference
 */
export function adminLogFilter(organizationId: string): string {
  return [
    `logName="organizations/${organizationId}/logs/cloudaudit.googleapis.com%2Factivity"`,
    'resource.type="audited_resource"',
    'protoPayload.serviceName="admin.googleapis.com"',
  ].join(" AND ");
}

/**
 * Returns the filter of certain changes in the Admin console.
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

/**
 * Compares method names and event names: an entry can contain several events, and its method name names only one.
 *
 * Google has announced that mail settings will be logged as settings of applications: under both names until August
 * 2026, later only under the new names. The filter contains both.
 */
function isOneOf(events: readonly EventName[]): string {
  const isMail = (event: EventName) => event.includes("HOSTED_MAIL");
  const methods = events.flatMap((event) => {
    const method = loggingMethodName(event);
    return isMail(event) ? [method, method.replace("GmailSetting", "ApplicationSetting")] : [method];
  });
  const names = events.flatMap((event) => {
    const name = serviceName(event);
    return isMail(event) ? [name, name.replace("GMAIL", "APPLICATION")] : [name];
  });
  return `(${equalsOneOf("protoPayload.methodName", methods)} OR ${equalsOneOf(`${metadata}.eventName`, names)})`;
}

/** As in the change-freeze guard, a missing, unknown or uncatalogued value counts as a watched value. */
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
  return isReference(text) ? `"${text}"` : `"${escapeTemplate(text.replace(/[\\"]/g, "\\$&"))}"`;
}
