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
  ACTION_ID: { type: "string", meaning: "identity of the action on the device" },
  ACTION_TYPE: {
    type: "string",
    meaning: "what was to be done to the device",
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
  COMPANY_DEVICE_ID: { type: "string", meaning: "identity of the mobile device that the company owns" },
  DEVICE_ID: { type: "string", meaning: "identity of the device" },
  DEVICE_TYPE: { type: "string", meaning: "kind of the device" },
  DISTRIBUTION_ENTITY_NAME: {
    type: "string",
    meaning: "name of the group or organizational unit that is meant; ANY is every one",
  },
  DISTRIBUTION_ENTITY_TYPE: {
    type: "string",
    meaning: "what the name of the distribution entity names",
    values: ["GROUP", "ORG_UNIT", "USER"],
  },
  DOMAIN_NAME: { type: "string", meaning: "primary domain name of the organization" },
  EMAIL_LIFE_OF_A_MESSAGE_FETCH_EMAIL_DETAILS: {
    type: "boolean",
    meaning: "whether details of the message were asked for",
  },
  EMAIL_LOG_SEARCH_END_DATE: { type: "string", meaning: "end of the searched time, in one of several date forms" },
  EMAIL_LOG_SEARCH_MSG_ID: { type: "string", meaning: "e-mail message identity that the search was for" },
  EMAIL_LOG_SEARCH_RECIPIENT: { type: "string", meaning: "recipient that the search was for" },
  EMAIL_LOG_SEARCH_SENDER: { type: "string", meaning: "sender that the search was for" },
  EMAIL_LOG_SEARCH_SMTP_RECIPIENT_IP: {
    type: "string",
    meaning: "address of the receiving mail server that the search was for",
  },
  EMAIL_LOG_SEARCH_SMTP_SENDER_IP: {
    type: "string",
    meaning: "address of the sending mail server that the search was for",
  },
  EMAIL_LOG_SEARCH_START_DATE: { type: "string", meaning: "start of the searched time, in one of several date forms" },
  ENABLED_SETTING: { type: "string", meaning: "the setting that is enabled" },
  END_DATE: { type: "string", meaning: "end of the time whose e-mail is restored" },
  EXCHANGE_ROLE_ACCOUNT: { type: "string", meaning: "role account of the Exchange server" },
  EXCHANGE_WEB_SERVICES_URL: { type: "string", meaning: "URL at which the Exchange server answers" },
  FIELD_NAME: { type: "string", meaning: "name of the field that was changed" },
  GROUP_EMAIL: { type: "string", meaning: "primary e-mail address of the group" },
  MOBILE_APP_PACKAGE_ID: { type: "string", meaning: "package identity of the mobile application" },
  MOBILE_CERTIFICATE_COMMON_NAME: {
    type: "string",
    meaning: "common name of the certificate that devices are to trust; a name, neither unique nor a fingerprint",
  },
  MOBILE_WIRELESS_NETWORK_NAME: { type: "string", meaning: "name of the wireless network" },
  NEW_PERMISSION_GRANT_STATE: {
    type: "string",
    meaning: "grant state of the permission from now on",
    values: grantStates,
  },
  NEW_VALUE: { type: "string", meaning: "the value that was set; the name of what was created" },
  NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS: {
    type: "integer",
    meaning: "how many Exchange endpoints there are besides the default one",
  },
  NUMBER_OF_COMPANY_OWNED_DEVICES: { type: "integer", meaning: "how many devices were imported" },
  OLD_PERMISSION_GRANT_STATE: {
    type: "string",
    meaning: "grant state of the permission until now",
    values: grantStates,
  },
  OLD_VALUE: { type: "string", meaning: "the value that was replaced; the name of what was removed" },
  ORG_UNIT_NAME: { type: "string", meaning: "path of the organizational unit" },
  PERMISSION_GROUP_NAME: {
    type: "string",
    meaning: "what the permission is for",
    values: ["CALENDAR", "CAMERA", "CONTACTS", "LOCATION", "MICROPHONE", "PHONE", "SENSORS", "SMS", "STORAGE"],
  },
  PRIVILEGE_NAME: { type: "string", meaning: "name of the privilege" },
  QUARANTINE_NAME: { type: "string", meaning: "name of the quarantine" },
  RESOURCE_IDENTIFIER: { type: "string", meaning: "name of the building, resource or feature" },
  ROLE_ID: { type: "string", meaning: "identity of the administrator role" },
  ROLE_NAME: {
    type: "string",
    meaning: "name of the administrator role: one of the service's own, or any that was made",
  },
  SETTING_DESCRIPTION: { type: "string", meaning: "description of the mail setting" },
  SETTING_ENABLED: { type: "boolean", meaning: "whether the mail setting is enabled" },
  SETTING_NAME: { type: "string", meaning: "unique name of the setting" },
  START_DATE: { type: "string", meaning: "start of the time whose e-mail is restored" },
  TOKEN_OPERATION_NAME: { type: "string", meaning: "what was done to the token", values: ["DELETE", "SYNC", "UPLOAD"] },
  TOKEN_OPERATION_STATUS: { type: "string", meaning: "how it ended", values: ["SUCCESSFUL", "UNSUCCESSFUL"] },
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
