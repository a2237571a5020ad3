/**
 * Type of a parameter's value. An `integer` has 64 bits and is returned as decimal digits, as the service writes it.
 */
export type ParameterType = "string" | "integer" | "boolean";

/** Definition of a parameter. It is the same in every event that has the parameter. */
export interface ParameterDefinition {
  readonly type: ParameterType;
  /** Meaning of the parameter: one line, lower case, no final period. */
  readonly meaning: string;
  /** Values that specification 2 allows. Absent if any text is allowed. */
  readonly values?: readonly string[];
}

const grantStates = ["DENIED", "GRANTED", "PROMPT"] as const;

/**
 * Every parameter of the catalogued events. Source: specification 2. Published records are the source of `ROLE_ID` and
 * of the parameters of delegated-admin events that are not placeholders of their messages.
 */
export const parameterDefinitions = {
  ACTION_ID: { type: "string", meaning: "ID of the action on the device" },
  ACTION_TYPE: {
    type: "string",
    meaning: "requested action on the device",
    values: [
      "ACCOUNT_WIPE",
      "ALLOW_ACCESS",
      "APPROVE",
      "BLOCK",
      "COLLECT_BUGREPORT",
      "DEVICE_WIPE",
      "DISALLOW_ACCESS",
      "LOCATE_DEVICE",
      "LOCK_DEVICE",
      "REMOVE_APP_FROM_DEVICE",
      "REMOVE_IOS_PROFILE",
      "RESET_PIN",
      "REVOKE_TOKEN",
      "RING_DEVICE",
      "SYNC_DEVICE",
      "UNKNOWN",
    ],
  },
  COMPANY_DEVICE_ID: { type: "string", meaning: "ID of the mobile device that the company owns" },
  DEVICE_ID: { type: "string", meaning: "ID of the device" },
  DEVICE_TYPE: { type: "string", meaning: "kind of the device" },
  DISTRIBUTION_ENTITY_NAME: { type: "string", meaning: "name of the group or organizational unit; ANY for all" },
  DISTRIBUTION_ENTITY_TYPE: {
    type: "string",
    meaning: "kind of the distribution entity",
    values: ["GROUP", "ORG_UNIT", "USER"],
  },
  DOMAIN_NAME: { type: "string", meaning: "primary domain name of the organization" },
  EMAIL_LIFE_OF_A_MESSAGE_FETCH_EMAIL_DETAILS: {
    type: "boolean",
    meaning: "whether details of the message were requested",
  },
  EMAIL_LOG_SEARCH_END_DATE: { type: "string", meaning: "end of the searched period; the date format varies" },
  EMAIL_LOG_SEARCH_MSG_ID: { type: "string", meaning: "searched e-mail message ID" },
  EMAIL_LOG_SEARCH_RECIPIENT: { type: "string", meaning: "searched recipient" },
  EMAIL_LOG_SEARCH_SENDER: { type: "string", meaning: "searched sender" },
  EMAIL_LOG_SEARCH_SMTP_RECIPIENT_IP: { type: "string", meaning: "searched address of the receiving mail server" },
  EMAIL_LOG_SEARCH_SMTP_SENDER_IP: { type: "string", meaning: "searched address of the sending mail server" },
  EMAIL_LOG_SEARCH_START_DATE: { type: "string", meaning: "start of the searched period; the date format varies" },
  ENABLED_SETTING: { type: "string", meaning: "enabled setting" },
  END_DATE: { type: "string", meaning: "end of the period whose e-mail is restored" },
  EXCHANGE_ROLE_ACCOUNT: { type: "string", meaning: "role account of the Exchange server" },
  EXCHANGE_WEB_SERVICES_URL: { type: "string", meaning: "URL of the Exchange server" },
  FIELD_NAME: { type: "string", meaning: "name of the field that was changed" },
  GROUP_EMAIL: { type: "string", meaning: "primary e-mail address of the group" },
  MOBILE_APP_PACKAGE_ID: { type: "string", meaning: "package ID of the mobile application" },
  MOBILE_CERTIFICATE_COMMON_NAME: {
    type: "string",
    meaning: "common name of the certificate that devices trust; not unique",
  },
  MOBILE_WIRELESS_NETWORK_NAME: { type: "string", meaning: "name of the wireless network" },
  NEW_PERMISSION_GRANT_STATE: { type: "string", meaning: "new grant state of the permission", values: grantStates },
  NEW_VALUE: { type: "string", meaning: "new value, or name of the created object" },
  NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS: {
    type: "integer",
    meaning: "number of Exchange endpoints besides the default",
  },
  NUMBER_OF_COMPANY_OWNED_DEVICES: { type: "integer", meaning: "number of imported devices" },
  OLD_PERMISSION_GRANT_STATE: {
    type: "string",
    meaning: "previous grant state of the permission",
    values: grantStates,
  },
  OLD_VALUE: { type: "string", meaning: "previous value, or name of the removed object" },
  ORG_UNIT_NAME: { type: "string", meaning: "path of the organizational unit" },
  PERMISSION_GROUP_NAME: {
    type: "string",
    meaning: "resource of the permission",
    values: ["CALENDAR", "CAMERA", "CONTACTS", "LOCATION", "MICROPHONE", "PHONE", "SENSORS", "SMS", "STORAGE"],
  },
  PRIVILEGE_NAME: { type: "string", meaning: "name of the privilege" },
  QUARANTINE_NAME: { type: "string", meaning: "name of the quarantine" },
  RESOURCE_IDENTIFIER: { type: "string", meaning: "name of the building, resource or feature" },
  ROLE_ID: { type: "string", meaning: "ID of the administrator role" },
  ROLE_NAME: { type: "string", meaning: "name of the administrator role, predefined or custom" },
  SETTING_DESCRIPTION: { type: "string", meaning: "description of the mail setting" },
  SETTING_ENABLED: { type: "boolean", meaning: "whether the mail setting is enabled" },
  SETTING_NAME: { type: "string", meaning: "unique name of the setting" },
  START_DATE: { type: "string", meaning: "start of the period whose e-mail is restored" },
  TOKEN_OPERATION_NAME: { type: "string", meaning: "operation on the token", values: ["DELETE", "SYNC", "UPLOAD"] },
  TOKEN_OPERATION_STATUS: {
    type: "string",
    meaning: "result of the operation",
    values: ["SUCCESSFUL", "UNSUCCESSFUL"],
  },
  USER_DEFINED_SETTING_NAME: { type: "string", meaning: "name that an administrator gave the mail setting" },
  USER_EMAIL: { type: "string", meaning: "primary e-mail address of the user" },
} as const satisfies Readonly<Record<string, ParameterDefinition>>;

/** Name of a parameter of at least one catalogued event. */
export type ParameterName = keyof typeof parameterDefinitions;

type Definitions = typeof parameterDefinitions;

/** Name of a parameter whose values the catalogue lists. */
export type ListedParameterName = {
  [Name in ParameterName]: Definitions[Name] extends { readonly values: readonly string[] } ? Name : never;
}[ParameterName];

// The service may be newer than this table. Editors suggest the listed values, but any text is allowed.
type OneOf<Values extends readonly string[]> = Values[number] | (string & {});

/** TypeScript type of a parameter's value. */
export type ParameterValueOf<Name extends ParameterName> = Definitions[Name] extends { readonly type: "boolean" }
  ? boolean
  : Definitions[Name] extends { readonly values: infer Values extends readonly string[] }
    ? OneOf<Values>
    : string;
