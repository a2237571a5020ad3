import { isIP } from "node:net";
import { defined } from "../../json/defined";
import { type CompanyWords, type EventDefinition, eventCatalogue, serviceName } from "../catalogue";
import { renderMessage } from "../messages";
import { type Activity, type ActivityEvent, type AuditParameterValue, allParameters, eventKeys } from "../reading";
import { elasticFieldOf } from "../reading/forms";
import { type Data, isData, own } from "../reading/values";

/** Version of the Elastic Common Schema that the documents follow. */
const ecsVersion = "8.11.0";

/** A document of the Elastic Common Schema. */
export type EcsDocument = Readonly<Record<string, unknown>>;

/**
 * Writes an event as a document of the Elastic Common Schema. The fields are those of Elastic's integration
 * `google_workspace` (data set `google_workspace.admin`), so that its dashboards and rules find the event. `message` is
 * the console's text. `event.hash` is the key of the event. `event.original` is the record with this event only; {@link
 * readRecords} can read it back completely.
 *
 * A record without a time has no `@timestamp`. An address with a port is written without the port. An invalid IP
 * address appears only in `event.original`.
 *
 * @param index position of the event in `activity.events`
 */
export function ecsDocument(activity: Activity, index: number, words: CompanyWords = {}): EcsDocument {
  const event = activity.events[index] as ActivityEvent;
  const { actor, id, ipAddress, raw } = activity;
  const document: Record<string, unknown> = {};
  const parameters = allParameters(event);
  const target = userOf(textOf(parameters.get("USER_EMAIL")));
  const group = userOf(textOf(parameters.get("GROUP_EMAIL")));
  const user = { ...userOf(actor.email), ...defined({ id: actor.profileId }) };
  const ip = addressIn(ipAddress);
  const fields: readonly (readonly [string, unknown])[] = [
    ["@timestamp", activity.time?.toISOString()],
    ["message", renderMessage(event, words)],
    ["ecs.version", ecsVersion],
    ["event.kind", "event"],
    ["event.module", "google_workspace"],
    ["event.dataset", "google_workspace.admin"],
    ["event.provider", id.applicationName ?? "admin"],
    ["event.action", actionOf(event, words)],
    ["event.category", categoriesOf(event)],
    ["event.type", typesOf(event)],
    ["event.id", id.uniqueQualifier],
    ["event.hash", eventKeys(activity)[index]],
    ["event.original", JSON.stringify({ ...(isData(raw) ? raw : {}), events: [event.raw] })],
    ["organization.id", id.customerId],
    ["source.ip", ip],
    ["source.user", unlessEmpty(user)],
    ["user", unlessEmpty({ ...user, ...defined({ target: unlessEmpty(target) }) })],
    ["group.name", group.name],
    ["group.domain", group.domain],
    ["related.ip", ip === undefined ? undefined : [ip]],
    ["related.user", unlessEmpty(namesOf(user, target))],
    ["google_workspace.kind", isData(raw) ? own(raw, "kind") : undefined],
    ["google_workspace.actor.type", actor.callerType],
    ["google_workspace.actor.key", actor.key],
    ["google_workspace.event.type", event.type === "" ? undefined : event.type],
    ["google_workspace.organization.domain", isData(raw) ? own(raw, "ownerDomain") : undefined],
  ];
  for (const [path, value] of fields) if (value !== undefined) put(document, path, value);
  for (const [name, value] of parameters) {
    const path = placeOf(name);
    // An index rejects documents with an invalid value in an address field.
    const written = path?.endsWith(".ip") === true ? addressIn(textOf(value)) : value;
    if (path !== undefined && written !== undefined && written !== "") put(document, path, written);
  }
  return document;
}

/** Returns the public service's name of the event, because rules search for that name. */
function actionOf({ canonicalName, name }: ActivityEvent, words: CompanyWords): string {
  return canonicalName === undefined ? name : serviceName(canonicalName, words);
}

/**
 * Returns the field of a parameter; undefined for a date. Dates of records do not always have the schema's form, so
 * they appear only in `event.original`.
 */
function placeOf(name: string): string | undefined {
  const path = elasticFieldOf(name);
  return /(?:^event\.|_date$)/.test(path) ? undefined : path;
}

/** Returns the IP address of a text, without its port and brackets; undefined if the text is not an address. */
function addressIn(text = ""): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : bare;
}

function userOf(email: string | undefined): { readonly [name: string]: string } {
  const [, name, domain] = /^([^@]+)@([^@]+)$/.exec(email ?? "") ?? [];
  return {
    ...(email === undefined || email === "" ? {} : { email }),
    ...(name === undefined || domain === undefined ? {} : { name, domain }),
  };
}

function namesOf(...users: readonly Data[]): readonly unknown[] {
  return [...new Set(users.map((user) => own(user, "name")).filter((name) => name !== undefined))];
}

function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

function textOf(value: AuditParameterValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Sets a field by its path. If another value blocks the path, that value stays: a parameter of an unknown event can
 * have any name.
 */
function put(document: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split(".");
  const last = parts.pop() as string;
  let inner = document;
  for (const part of parts) {
    const next = Object.hasOwn(inner, part) ? inner[part] : undefined;
    if (next !== undefined && !isData(next)) return;
    const made = next ?? {};
    define(inner, part, made);
    inner = made as Record<string, unknown>;
  }
  if (!Object.hasOwn(inner, last)) define(inner, last, value);
}

/** Defines a property safely: a parameter may have the name `__proto__`. */
function define(data: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Values of `event.category` that the schema allows and that administrators' events use. */
type EcsCategory = "iam" | "configuration";

/** Values of `event.type` that the schema allows for these categories. */
type EcsType = "creation" | "deletion" | "change" | "user" | "info";

/** Events that read data or start a task, but change nothing by themselves. */
const informing = /^(?:EMAIL_LOG_SEARCH|EMAIL_LIFE_OF_A_MESSAGE|.*_DEP_SYNC_TRIGGERED)$/;

/**
 * Returns the categories of an event. Every event has the category `iam`, as in Elastic's integration. An event that
 * changes a setting also has `configuration`.
 */
function categoriesOf(event: ActivityEvent): readonly EcsCategory[] {
  return definitionOf(event)?.parameters.some(({ name }) => name === "SETTING_NAME") === true
    ? ["iam", "configuration"]
    : ["iam"];
}

/**
 * Returns the types of an event, by the verb in its name. An event about a user's device also has the type `user`. An
 * event outside the catalog has only the type `info`.
 */
function typesOf(event: ActivityEvent): readonly EcsType[] {
  const definition = definitionOf(event);
  if (definition === undefined) return ["info"];
  const { name } = definition;
  const isOfUser = /^(?:MOBILE_(?:DEVICE|ACCOUNT)_|ACTION_)/.test(name);
  return [verbOf(name), ...(isOfUser ? (["user"] as const) : [])];
}

function verbOf(name: string): EcsType {
  if (informing.test(name)) return "info";
  if (/^CREATE_|_CREATION$|^EMAIL_UNDELETE$/.test(name)) return "creation";
  if (/^DELETE_|_DELET(?:E|ION)(?:_EVENT)?$/.test(name)) return "deletion";
  return "change";
}

function definitionOf({ canonicalName }: ActivityEvent): EventDefinition | undefined {
  return canonicalName === undefined ? undefined : eventCatalogue[canonicalName];
}
