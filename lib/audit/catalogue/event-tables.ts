import type { ParameterName } from "./parameters";

/**
 * The console's message of an event, then the parameters that the message does not contain. `{PARAMETER}` is replaced
 * by a value, `<VENDOR>` and `<PARTNER>` by the name of a company.
 */
export type EventRow = readonly [message: string, ...otherParameters: ParameterName[]];

/**
 * The events of specification 2 by type, in its order. The abbreviated quarantine messages are written in full. For
 * `DELEGATED_ADMIN_SETTINGS` the specification shows only messages; published records contain the other parameters.
 */
export const eventTables = {
  CALENDAR_SETTINGS: {
    CREATE_BUILDING: ["Building {NEW_VALUE} created", "DOMAIN_NAME"],
    DELETE_BUILDING: ["Building {OLD_VALUE} deleted", "DOMAIN_NAME"],
    UPDATE_BUILDING: [
      "Building {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
    ],
    EWS_IN_NEW_CREDENTIALS_GENERATED: [
      "New calendar-interop authentication credentials were generated for the role account {EXCHANGE_ROLE_ACCOUNT}",
    ],
    EWS_OUT_ENDPOINT_CONFIGURATION_RESET: ["Calendar interop endpoint configuration was cleared"],
    EWS_OUT_ENDPOINT_CONFIGURATION_CHANGED: [
      "Endpoint configuration set/updated with default endpoint URL {EXCHANGE_WEB_SERVICES_URL}, role account {EXCHANGE_ROLE_ACCOUNT} and {NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS} additional endpoints",
    ],
    CREATE_CALENDAR_RESOURCE: ["Calendar resource {NEW_VALUE} created", "DOMAIN_NAME"],
    DELETE_CALENDAR_RESOURCE: ["Calendar resource {OLD_VALUE} deleted", "DOMAIN_NAME"],
    CREATE_CALENDAR_RESOURCE_FEATURE: ["Calendar resource feature {NEW_VALUE} created", "DOMAIN_NAME"],
    DELETE_CALENDAR_RESOURCE_FEATURE: ["Calendar resource feature {OLD_VALUE} deleted", "DOMAIN_NAME"],
    UPDATE_CALENDAR_RESOURCE_FEATURE: [
      "Calendar resource feature {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
    ],
    RENAME_CALENDAR_RESOURCE: ["Calendar resource {OLD_VALUE} renamed to {NEW_VALUE}", "DOMAIN_NAME"],
    UPDATE_CALENDAR_RESOURCE: [
      "Calendar resource {RESOURCE_IDENTIFIER} updated field {FIELD_NAME} from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
    ],
    CHANGE_CALENDAR_SETTING: [
      "{SETTING_NAME} for calendar service in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
      "GROUP_EMAIL",
      "ORG_UNIT_NAME",
    ],
    CANCEL_CALENDAR_EVENTS: ["Event cancellation request created for {USER_EMAIL}"],
    RELEASE_CALENDAR_RESOURCES: ["Release resources request created for {USER_EMAIL}"],
  },
  MOBILE_SETTINGS: {
    ACTION_CANCELLED: [
      "{ACTION_TYPE} with id {ACTION_ID} on device type {DEVICE_TYPE} and id {DEVICE_ID} was cancelled by user {USER_EMAIL}",
    ],
    ACTION_REQUESTED: [
      "{ACTION_TYPE} with id {ACTION_ID} on device type {DEVICE_TYPE} and id {DEVICE_ID} was requested by user {USER_EMAIL}",
    ],
    ADD_MOBILE_CERTIFICATE: [
      "Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} added for mobile devices in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    REMOVE_MOBILE_CERTIFICATE: [
      "Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} removed for mobile devices in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    PARTNER_DEP_SYNC_TRIGGERED: ["<PARTNER> DEP sync triggered by {USER_EMAIL}"],
    PARTNER_DEP_TOKEN_SETUP_COMPLETE: ["<PARTNER> Device Enrollment tokens updated by {USER_EMAIL}"],
    PARTNER_VPP_TOKEN_OPERATION: ["<PARTNER> VPP token {TOKEN_OPERATION_NAME} was {TOKEN_OPERATION_STATUS}"],
    COMPANY_DEVICES_BULK_CREATION: [
      "Details of {NUMBER_OF_COMPANY_OWNED_DEVICES} company owned device(s) were imported",
    ],
    COMPANY_OWNED_DEVICE_BLOCKED: ["Company owned device {COMPANY_DEVICE_ID} was blocked", "DEVICE_TYPE"],
    COMPANY_DEVICE_DELETION: ["Company owned device {COMPANY_DEVICE_ID} was deleted", "DEVICE_TYPE"],
    COMPANY_OWNED_DEVICE_UNBLOCKED: ["Company owned device {COMPANY_DEVICE_ID} was unblocked", "DEVICE_TYPE"],
    COMPANY_OWNED_DEVICE_WIPED: ["Company owned device {COMPANY_DEVICE_ID} was wiped", "DEVICE_TYPE"],
    CUSTOMER_USER_DEVICE_DELETION_EVENT: ["Customer user device {COMPANY_DEVICE_ID} was deleted", "DEVICE_TYPE"],
    CHANGE_MOBILE_APPLICATION_PERMISSION_GRANT: [
      "Changed grant state of {PERMISSION_GROUP_NAME} from {OLD_PERMISSION_GRANT_STATE} to {NEW_PERMISSION_GRANT_STATE} for {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
    ],
    CHANGE_MOBILE_APPLICATION_PRIORITY_ORDER: [
      "Priority order of {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} was changed",
    ],
    REMOVE_MOBILE_APPLICATION_FROM_WHITELIST: [
      "{DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} is no longer whitelisted for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
    ],
    ADD_MOBILE_APPLICATION_TO_WHITELIST: [
      "{DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} is whitelisted for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
    ],
    CHANGE_MOBILE_APPLICATION_SETTINGS: [
      "Changed {SETTING_NAME} app setting from {OLD_VALUE} to {NEW_VALUE} for {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
    ],
    MOBILE_DEVICE_APPROVE: ["Mobile device for {USER_EMAIL} approved", "DEVICE_ID", "DEVICE_TYPE"],
    MOBILE_DEVICE_BLOCK: ["Mobile device for {USER_EMAIL} blocked", "DEVICE_ID", "DEVICE_TYPE"],
    MOBILE_DEVICE_DELETE: ["Mobile device for {USER_EMAIL} deleted", "DEVICE_ID", "DEVICE_TYPE"],
    MOBILE_DEVICE_WIPE: ["Mobile device for {USER_EMAIL} wiped", "DEVICE_ID", "DEVICE_TYPE"],
    MOBILE_ACCOUNT_WIPE: ["Mobile account for {USER_EMAIL} has been wiped", "DEVICE_ID", "DEVICE_TYPE"],
    MOBILE_DEVICE_CANCEL_WIPE_THEN_APPROVE: [
      "Wipe on mobile device for {USER_EMAIL} was cancelled and the device was approved",
      "DEVICE_ID",
      "DEVICE_TYPE",
    ],
    MOBILE_DEVICE_CANCEL_WIPE_THEN_BLOCK: [
      "Wipe on mobile device for {USER_EMAIL} was cancelled and the device has been blocked",
      "DEVICE_ID",
      "DEVICE_TYPE",
    ],
    CHANGE_MOBILE_SETTING: [
      "{SETTING_NAME} for mobile devices in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    CHANGE_ADMIN_RESTRICTIONS_PIN: [
      "Administrator restrictions PIN for mobile devices in your organization changed",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    CHANGE_MOBILE_WIRELESS_NETWORK: [
      "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} changed for mobile devices in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    ADD_MOBILE_WIRELESS_NETWORK: [
      "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} created for mobile devices in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    REMOVE_MOBILE_WIRELESS_NETWORK: [
      "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} deleted for mobile devices in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    CHANGE_MOBILE_WIRELESS_NETWORK_PASSWORD: [
      "Password changed for mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} in your organization",
      "DOMAIN_NAME",
      "ORG_UNIT_NAME",
    ],
    ENROLL_FOR_VENDOR_DEVICE_MANAGEMENT: ["Enrolled for <VENDOR> Device Management"],
    USE_VENDOR_MOBILE_MANAGEMENT: ["<VENDOR> Mobile Management selected to manage all mobile devices"],
    USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS: [
      "<VENDOR> Mobile Management selected to manage Android and Active Sync devices",
    ],
    USE_VENDOR_MOBILE_MANAGEMENT_FOR_IOS: ["<VENDOR> Mobile Management selected to manage iOS devices"],
  },
  EMAIL_SETTINGS: {
    DROP_FROM_QUARANTINE: [
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was dropped from the {QUARANTINE_NAME} quarantine.",
    ],
    REJECT_FROM_QUARANTINE: [
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was rejected with the default reject message from the {QUARANTINE_NAME} quarantine.",
    ],
    RELEASE_FROM_QUARANTINE: [
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was released from the {QUARANTINE_NAME} quarantine.",
    ],
    EMAIL_LIFE_OF_A_MESSAGE: [
      "Email life of a message search description",
      "EMAIL_LIFE_OF_A_MESSAGE_FETCH_EMAIL_DETAILS",
      "EMAIL_LOG_SEARCH_MSG_ID",
      "EMAIL_LOG_SEARCH_RECIPIENT",
    ],
    EMAIL_LOG_SEARCH: [
      "An email log search is performed for logs from {EMAIL_LOG_SEARCH_START_DATE} to {EMAIL_LOG_SEARCH_END_DATE} with a sender of [{EMAIL_LOG_SEARCH_SENDER}], a recipient of [{EMAIL_LOG_SEARCH_RECIPIENT}], and an email message id of [{EMAIL_LOG_SEARCH_MSG_ID}]",
      "EMAIL_LOG_SEARCH_SMTP_RECIPIENT_IP",
      "EMAIL_LOG_SEARCH_SMTP_SENDER_IP",
    ],
    EMAIL_UNDELETE: ["Email restoration from {START_DATE} to {END_DATE} initiated for {USER_EMAIL}"],
    CHANGE_EMAIL_SETTING: [
      "{SETTING_NAME} for email service in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
      "DOMAIN_NAME",
      "GROUP_EMAIL",
      "ORG_UNIT_NAME",
    ],
    CHANGE_HOSTED_MAIL_SETTING: [
      "Mail setting {SETTING_NAME} was modified",
      "ENABLED_SETTING",
      "ORG_UNIT_NAME",
      "SETTING_DESCRIPTION",
      "SETTING_ENABLED",
      "USER_DEFINED_SETTING_NAME",
    ],
    CREATE_HOSTED_MAIL_SETTING: [
      "New mail setting {SETTING_NAME} was added",
      "ORG_UNIT_NAME",
      "SETTING_DESCRIPTION",
      "USER_DEFINED_SETTING_NAME",
    ],
    DELETE_HOSTED_MAIL_SETTING: [
      "Mail setting {SETTING_NAME} was deleted",
      "ORG_UNIT_NAME",
      "SETTING_DESCRIPTION",
      "USER_DEFINED_SETTING_NAME",
    ],
  },
  DELEGATED_ADMIN_SETTINGS: {
    ASSIGN_ROLE: ["Role {ROLE_NAME} assigned to user {USER_EMAIL}", "ORG_UNIT_NAME"],
    CREATE_ROLE: ["New role {ROLE_NAME} created", "ROLE_ID"],
    DELETE_ROLE: ["Role {ROLE_NAME} deleted", "ROLE_ID"],
    ADD_PRIVILEGE: ["New privilege {PRIVILEGE_NAME} created under role {ROLE_NAME}", "ROLE_ID"],
    REMOVE_PRIVILEGE: ["Privilege {PRIVILEGE_NAME} removed from role {ROLE_NAME}", "ROLE_ID"],
    RENAME_ROLE: ["Role renamed from {ROLE_NAME} to {NEW_VALUE}"],
    UPDATE_ROLE: ["Role {ROLE_NAME} updated", "ROLE_ID"],
    UNASSIGN_ROLE: ["Unassigned role {ROLE_NAME} from user {USER_EMAIL}", "ORG_UNIT_NAME"],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EventRow>>>>;
