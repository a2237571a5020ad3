import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { type EventName, eventNames, findEvent, loggingMethodName } from "../../catalogue";
import { type Data, isData, own } from "../values";

/** Keys of parameter values that differ between Cloud Logging and the Reports API. */
const renamedValues: Readonly<Record<string, string>> = { multiStrValue: "multiValue" };

/** Fields of a parameter in Cloud Logging other than its name and value. */
const besides = new Set(["type", "label"]);

const adminService = "admin.googleapis.com";
/** Fields of every entry of Cloud Logging; an activity has none of them. */
const entryFields = ["logName", "insertId", "resource"];

/** Returns whether a JSON object is an entry of Cloud Logging (`LogEntry`). */
export function isLogEntry(value: Data): boolean {
  if (isData(own(value, "protoPayload"))) return true;
  if (own(value, "events") !== undefined) return false;
  const isText = typeof own(value, "textPayload") === "string";
  return isData(own(value, "jsonPayload")) || (isText && entryFields.some((name) => own(value, name) !== undefined));
}

/**
 * Returns the activity of an audit log entry as the Reports API writes it. The entry has no customer and no profile id,
 * so the keys of its events differ from the keys of the service's own records.
 *
 * @throws InputError `log-entry-foreign` for an entry without an activity of the Admin console
 */
export function recordOfLogEntry(entry: Data): Data {
  const payload = dataIn(entry, "protoPayload") ?? dataIn(entry, "jsonPayload") ?? {};
  // Access Transparency entries contain the activity itself; audit logs contain it as their metadata.
  const activity = dataIn(payload, "metadata") ?? payload;
  const method = textIn(payload, "methodName");
  const events = eventsOf(activity, method);
  const service = textIn(payload, "serviceName");
  const listed = own(activity, "event");
  if (listed !== undefined && !Array.isArray(listed)) {
    const message = "the events of the log entry ('metadata.event') are not a list; export the entry again, unchanged";
    throw new InputError("log-entry-foreign", message);
  }
  if (events.length === 0 || (service !== undefined && service !== adminService)) {
    const about = service ?? textIn(entry, "logName") ?? "something else";
    const message = `the log entry is about ${quote(about)} and has no activity of the Admin console; give entries of protoPayload.serviceName="admin.googleapis.com"`;
    throw new InputError("log-entry-foreign", message);
  }
  const id = dataIn(activity, "activityId") ?? {};
  const request = dataIn(payload, "requestMetadata") ?? {};
  const email = textIn(dataIn(payload, "authenticationInfo") ?? {}, "principalEmail");
  const ipAddress = textIn(request, "callerIp") ?? textIn(request, "callerIP");
  return {
    id: defined({
      time: textIn(entry, "timestamp") ?? timeOf(own(id, "timeUsec")),
      uniqueQualifier: own(id, "uniqQualifier") ?? own(entry, "insertId"),
      applicationName: service === undefined ? undefined : "admin",
    }),
    actor: defined({ email }),
    ...defined({ ipAddress }),
    events,
  };
}

function eventsOf(activity: Data, method: string | undefined): readonly Data[] {
  const listed = own(activity, "event");
  if (Array.isArray(listed)) return listed.filter(isData).map(eventOf);
  const named = method === undefined ? undefined : eventOfMethod(method);
  return named === undefined ? [] : [named];
}

function eventOf(event: Data): Data {
  const parameters = own(event, "parameter");
  return defined({
    type: own(event, "eventType"),
    name: own(event, "eventName"),
    parameters: Array.isArray(parameters) ? parameters.map(parameterOf) : undefined,
    status: own(event, "status"),
  });
}

function parameterOf(parameter: unknown): unknown {
  if (!isData(parameter)) return parameter;
  const entries = Object.entries(parameter).filter(([key]) => !besides.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [renamedValues[key] ?? key, nestedOf(key, value)]));
}

/** Converts a nested parameter, which has the same fields as a parameter. */
function nestedOf(key: string, value: unknown): unknown {
  if (key === "multiMessageValue" && Array.isArray(value)) return value.map((text) => nestedOf("messageValue", text));
  const inner = key === "messageValue" && isData(value) ? own(value, "parameter") : undefined;
  return Array.isArray(inner) ? { parameter: inner.map(parameterOf) } : value;
}

/** Returns the event of a method name, without parameters. It is used if an export omits the activity. */
function eventOfMethod(method: string): Data | undefined {
  const prefix = "google.admin.AdminService.";
  if (!method.startsWith(prefix)) return undefined;
  const name = methods().get(method);
  const type = name === undefined ? undefined : findEvent(name)?.type;
  const snake = method
    .slice(prefix.length)
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
  return defined({ type, name: name ?? snake });
}

let byMethod: ReadonlyMap<string, EventName> | undefined;

function methods(): ReadonlyMap<string, EventName> {
  byMethod ??= new Map(eventNames.map((name) => [loggingMethodName(name), name]));
  return byMethod;
}

/** @param microseconds since 1970, as digits */
function timeOf(microseconds: unknown): string | undefined {
  if (!/^\d{1,17}$/.test(String(microseconds))) return undefined;
  const digits = String(microseconds).padStart(7, "0");
  const seconds = new Date(Number(digits.slice(0, -6)) * 1_000);
  return `${seconds.toISOString().slice(0, 19)}.${digits.slice(-6)}Z`;
}

function dataIn(data: Data, name: string): Data | undefined {
  const value = own(data, name);
  return isData(value) ? value : undefined;
}

function textIn(data: Data, name: string): string | undefined {
  const value = own(data, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
