import type { ParameterName } from "../../catalogue";

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
export function parameterOfElasticField(path: string): string {
  byField ??= new Map(
    Object.entries(elasticFields)
      .sort(([a], [b]) => b.length - a.length)
      .map(([name, field]) => [field, name]),
  );
  return byField.get(path) ?? path.replace(/^google_workspace\.admin\./, "");
}
