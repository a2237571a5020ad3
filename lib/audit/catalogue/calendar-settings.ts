import type { EventTable } from "./event-table";

/** Events of the type `CALENDAR_SETTINGS`, in the order of specification 2. */
export const calendarSettings = {
  CREATE_BUILDING: {
    parameters: ["DOMAIN_NAME", "NEW_VALUE"],
    message: "Building {NEW_VALUE} created",
  },
  DELETE_BUILDING: {
    parameters: ["DOMAIN_NAME", "OLD_VALUE"],
    message: "Building {OLD_VALUE} deleted",
  },
  UPDATE_BUILDING: {
    parameters: ["DOMAIN_NAME", "FIELD_NAME", "NEW_VALUE", "OLD_VALUE", "RESOURCE_IDENTIFIER"],
    message: "Building {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
  },
  EWS_IN_NEW_CREDENTIALS_GENERATED: {
    parameters: ["EXCHANGE_ROLE_ACCOUNT"],
    message:
      "New calendar-interop authentication credentials were generated for the role account {EXCHANGE_ROLE_ACCOUNT}",
  },
  EWS_OUT_ENDPOINT_CONFIGURATION_RESET: {
    parameters: [],
    message: "Calendar interop endpoint configuration was cleared",
  },
  EWS_OUT_ENDPOINT_CONFIGURATION_CHANGED: {
    parameters: ["EXCHANGE_ROLE_ACCOUNT", "EXCHANGE_WEB_SERVICES_URL", "NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS"],
    message:
      "Endpoint configuration set/updated with default endpoint URL {EXCHANGE_WEB_SERVICES_URL}, role account {EXCHANGE_ROLE_ACCOUNT} and {NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS} additional endpoints",
  },
  CREATE_CALENDAR_RESOURCE: {
    parameters: ["DOMAIN_NAME", "NEW_VALUE"],
    message: "Calendar resource {NEW_VALUE} created",
  },
  DELETE_CALENDAR_RESOURCE: {
    parameters: ["DOMAIN_NAME", "OLD_VALUE"],
    message: "Calendar resource {OLD_VALUE} deleted",
  },
  CREATE_CALENDAR_RESOURCE_FEATURE: {
    parameters: ["DOMAIN_NAME", "NEW_VALUE"],
    message: "Calendar resource feature {NEW_VALUE} created",
  },
  DELETE_CALENDAR_RESOURCE_FEATURE: {
    parameters: ["DOMAIN_NAME", "OLD_VALUE"],
    message: "Calendar resource feature {OLD_VALUE} deleted",
  },
  UPDATE_CALENDAR_RESOURCE_FEATURE: {
    parameters: ["DOMAIN_NAME", "FIELD_NAME", "NEW_VALUE", "OLD_VALUE", "RESOURCE_IDENTIFIER"],
    message:
      "Calendar resource feature {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
  },
  RENAME_CALENDAR_RESOURCE: {
    parameters: ["DOMAIN_NAME", "NEW_VALUE", "OLD_VALUE"],
    message: "Calendar resource {OLD_VALUE} renamed to {NEW_VALUE}",
  },
  UPDATE_CALENDAR_RESOURCE: {
    parameters: ["DOMAIN_NAME", "FIELD_NAME", "NEW_VALUE", "OLD_VALUE", "RESOURCE_IDENTIFIER"],
    message: "Calendar resource {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
  },
  CHANGE_CALENDAR_SETTING: {
    parameters: ["DOMAIN_NAME", "GROUP_EMAIL", "NEW_VALUE", "OLD_VALUE", "ORG_UNIT_NAME", "SETTING_NAME"],
    message: "{SETTING_NAME} for calendar service in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
  },
  CANCEL_CALENDAR_EVENTS: {
    parameters: ["USER_EMAIL"],
    message: "Event cancellation request created for {USER_EMAIL}",
  },
  RELEASE_CALENDAR_RESOURCES: {
    parameters: ["USER_EMAIL"],
    message: "Release resources request created for {USER_EMAIL}",
  },
} as const satisfies EventTable;
