import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { findEvent, type ParameterName } from "../../catalogue";
import { readLosslessJson } from "../json";
import { type Data, isData, own } from "../values";

/**
 * Returns whether a JSON object is a document of Elastic's integration `google_workspace`, or a search hit with such a
 * document.
 */
export function isElasticDocument(value: Data): boolean {
  const document = sourceOf(value);
  return own(document, "@timestamp") !== undefined && fieldIn(document, "event.action") !== undefined;
}

/**
 * Returns the activity of an Elastic document as the Reports API writes it. The source is `event.original` if the
 * document has it, otherwise the fields. The pipeline drops booleans and reformats dates.
 *
 * @throws InputError `elastic-document-foreign` for a document of another data stream
 */
export function recordOfElasticDocument(value: Data): Data {
  const document = sourceOf(value);
  const action = textIn(document, "event.action");
  const dataset = textIn(document, "event.dataset") ?? textIn(document, "data_stream.dataset");
  if (dataset !== undefined && !/^(?:google_workspace|gsuite)\.admin$/.test(dataset)) {
    const message = `the document is of the data set ${quote(dataset)}; give documents of 'google_workspace.admin'`;
    throw new InputError("elastic-document-foreign", message);
  }
  return originalOf(document, action) ?? recordOfFields(document, action);
}

/**
 * Returns the record that the pipeline received. A record has one event. If it has several, the document describes the
 * events that match its action.
 */
function originalOf(document: Data, action: string | undefined): Data | undefined {
  const original = read(textIn(document, "event.original"));
  if (original === undefined) return undefined;
  const events = own(original, "events");
  // The service's record always has an id, and events as a list or an object.
  if (!isData(own(original, "id")) || (!Array.isArray(events) && !isData(events))) return undefined;
  const list = Array.isArray(events) ? events : [events];
  const named = list.filter((event) => isData(event) && own(event, "name") === action);
  return { ...original, events: named.length === 0 ? list : named };
}

function read(text: string | undefined): Data | undefined {
  try {
    const value = text === undefined ? undefined : readLosslessJson(text);
    return isData(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function recordOfFields(document: Data, action: string | undefined): Data {
  const root =
    fieldIn(document, "google_workspace") === undefined && hasRoot(document, "gsuite") ? "gsuite" : undefined;
  const at = (path: string) => textIn(document, root === undefined ? path : path.replace(/^google_workspace/, root));
  return {
    ...defined({ kind: at("google_workspace.kind") }),
    id: defined({
      time: textIn(document, "@timestamp"),
      uniqueQualifier: textIn(document, "event.id"),
      applicationName: textIn(document, "event.provider"),
      customerId: textIn(document, "organization.id"),
    }),
    actor: defined({
      callerType: at("google_workspace.actor.type"),
      email: emailOf(document),
      profileId:
        textIn(document, "source.user.id") ?? textIn(document, "client.user.id") ?? textIn(document, "user.id"),
      key: at("google_workspace.actor.key"),
    }),
    ...defined({
      ownerDomain: at("google_workspace.organization.domain"),
      ipAddress: textIn(document, "source.ip") ?? textIn(document, "client.ip"),
    }),
    events: [
      defined({
        type: at("google_workspace.event.type"),
        name: action,
        parameters: parametersOf(document, action, root ?? "google_workspace"),
      }),
    ],
  };
}

function emailOf(document: Data): string | undefined {
  for (const user of ["source.user", "client.user", "user"]) {
    const email = textIn(document, `${user}.email`);
    if (email !== undefined) return email;
    const [name, domain] = [textIn(document, `${user}.name`), textIn(document, `${user}.domain`)];
    if (name !== undefined && domain !== undefined) return `${name}@${domain}`;
  }
  return undefined;
}

function parametersOf(document: Data, action: string | undefined, root: string): readonly Data[] {
  const rooted = (path: string) => path.replace(/^google_workspace/, root);
  const known = action === undefined ? undefined : findEvent(action);
  const taken = new Set<string>();
  const parameters: Data[] = [];
  for (const { name } of known?.parameters ?? []) {
    const path = rooted(elasticFieldOf(name));
    // If two parameters of an event share one field, the field has the first.
    if (taken.has(path)) continue;
    const value = fieldIn(document, path);
    if (value === undefined || isData(value)) continue;
    taken.add(path);
    parameters.push(parameter(name, value));
  }
  const rest = fieldIn(document, `${root}.admin`);
  for (const [path, value] of leavesOf(isData(rest) ? rest : dotted(document, `${root}.admin.`), "")) {
    if (!taken.has(`${root}.admin.${path}`))
      parameters.push(parameter(parameterOfElasticField(`google_workspace.admin.${path}`), value));
  }
  return parameters;
}

function parameter(name: string, value: unknown): Data {
  return Array.isArray(value) ? { name, multiValue: value } : { name, value: String(value) };
}

/** Yields the leaf values of an object with their paths. */
function* leavesOf(data: Data, above: string): Generator<readonly [path: string, value: unknown]> {
  for (const [name, value] of Object.entries(data)) {
    const path = above === "" ? name : `${above}.${name}`;
    if (isData(value)) yield* leavesOf(value, path);
    else if (value !== null) yield [path, onlyItem(value)];
  }
}

/** Returns the fields whose names begin with a prefix, without the prefix. */
function dotted(document: Data, prefix: string): Data {
  const fields = Object.entries(document).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length), value]));
}

function hasRoot(document: Data, root: string): boolean {
  return Object.keys(document).some((name) => name === root || name.startsWith(`${root}.`));
}

/** Returns the document of a search hit, or its fields. */
function sourceOf(value: Data): Data {
  for (const name of ["_source", "fields"]) {
    const source = own(value, name);
    if (isData(source)) return source;
  }
  return value;
}

/** Returns a field by its path, whether the document nests its parts or joins them by dots. */
function fieldIn(data: Data, path: string): unknown {
  const whole = own(data, path);
  if (whole !== undefined) return onlyItem(whole);
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const inner = own(data, path.slice(0, dot));
    const found = isData(inner) ? fieldIn(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Unwraps a list of one item: field searches return each field as a list. */
function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function textIn(document: Data, path: string): string | undefined {
  const value = fieldIn(document, path);
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Fields of Elastic's documents that contain the parameters of an event. The ingest pipeline of the integration
 * `google_workspace` (data stream `admin`) moves the parameters there. A parameter that is not listed stays below
 * `google_workspace.admin` under its own name. Several parameters can have the same field; the event decides which
 * parameter it is.
 */
const elasticFields: Readonly<Partial<Record<ParameterName, string>>> = {
  ACTION_ID: "google_workspace.admin.mobile.action.id",
  ACTION_TYPE: "google_workspace.admin.mobile.action.type",
  COMPANY_DEVICE_ID: "google_workspace.admin.device.id",
  DEVICE_ID: "google_workspace.admin.device.id",
  DEVICE_TYPE: "google_workspace.admin.device.type",
  DISTRIBUTION_ENTITY_NAME: "google_workspace.admin.distribution.entity.name",
  DISTRIBUTION_ENTITY_TYPE: "google_workspace.admin.distribution.entity.type",
  DOMAIN_NAME: "google_workspace.admin.domain.name",
  EMAIL_LOG_SEARCH_END_DATE: "google_workspace.admin.email.log_search_filter.end_date",
  EMAIL_LOG_SEARCH_MSG_ID: "google_workspace.admin.email.log_search_filter.message_id",
  EMAIL_LOG_SEARCH_RECIPIENT: "google_workspace.admin.email.log_search_filter.recipient.value",
  EMAIL_LOG_SEARCH_SENDER: "google_workspace.admin.email.log_search_filter.sender.value",
  EMAIL_LOG_SEARCH_SMTP_RECIPIENT_IP: "google_workspace.admin.email.log_search_filter.recipient.ip",
  EMAIL_LOG_SEARCH_SMTP_SENDER_IP: "google_workspace.admin.email.log_search_filter.sender.ip",
  EMAIL_LOG_SEARCH_START_DATE: "google_workspace.admin.email.log_search_filter.start_date",
  END_DATE: "event.end",
  FIELD_NAME: "google_workspace.admin.field",
  GROUP_EMAIL: "google_workspace.admin.group.email",
  MOBILE_APP_PACKAGE_ID: "google_workspace.admin.application.package_id",
  MOBILE_CERTIFICATE_COMMON_NAME: "google_workspace.admin.mobile.certificate.name",
  MOBILE_WIRELESS_NETWORK_NAME: "network.name",
  NEW_PERMISSION_GRANT_STATE: "google_workspace.admin.new_value",
  NEW_VALUE: "google_workspace.admin.new_value",
  NUMBER_OF_COMPANY_OWNED_DEVICES: "google_workspace.admin.mobile.company_owned_devices",
  OLD_PERMISSION_GRANT_STATE: "google_workspace.admin.old_value",
  OLD_VALUE: "google_workspace.admin.old_value",
  ORG_UNIT_NAME: "google_workspace.admin.org_unit.name",
  PERMISSION_GROUP_NAME: "google_workspace.admin.setting.name",
  PRIVILEGE_NAME: "google_workspace.admin.privilege.name",
  QUARANTINE_NAME: "google_workspace.admin.email.quarantine_name",
  RESOURCE_IDENTIFIER: "google_workspace.admin.resource.id",
  ROLE_ID: "google_workspace.admin.role.id",
  ROLE_NAME: "google_workspace.admin.role.name",
  SETTING_DESCRIPTION: "google_workspace.admin.setting.description",
  SETTING_NAME: "google_workspace.admin.setting.name",
  START_DATE: "event.start",
  USER_DEFINED_SETTING_NAME: "google_workspace.admin.user_defined_setting.name",
  USER_EMAIL: "google_workspace.admin.user.email",
};

/** Returns the path of the field that contains a parameter, joined by dots. */
export function elasticFieldOf(parameter: string): string {
  const moved = Object.hasOwn(elasticFields, parameter) ? elasticFields[parameter as ParameterName] : undefined;
  return moved ?? `google_workspace.admin.${parameter}`;
}

let byField: ReadonlyMap<string, string> | undefined;

/**
 * Returns the name of the parameter in a field; the shortest name if there are several. A field that the pipeline did
 * not move ends with the parameter's name.
 */
function parameterOfElasticField(path: string): string {
  byField ??= new Map(
    Object.entries(elasticFields)
      .sort(([a], [b]) => b.length - a.length)
      .map(([name, field]) => [field, name]),
  );
  return byField.get(path) ?? path.replace(/^google_workspace\.admin\./, "");
}
