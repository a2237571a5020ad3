import type { EventTable } from "./event-table";

/**
 * Events of the type `EMAIL_SETTINGS`, in the order of specification 2. The abbreviated quarantine messages of the
 * specification are written in full.
 */
export const emailSettings = {
  DROP_FROM_QUARANTINE: {
    parameters: ["EMAIL_LOG_SEARCH_MSG_ID", "QUARANTINE_NAME"],
    message:
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was dropped from the {QUARANTINE_NAME} quarantine.",
  },
  REJECT_FROM_QUARANTINE: {
    parameters: ["EMAIL_LOG_SEARCH_MSG_ID", "QUARANTINE_NAME"],
    message:
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was rejected with the default reject message from the {QUARANTINE_NAME} quarantine.",
  },
  RELEASE_FROM_QUARANTINE: {
    parameters: ["EMAIL_LOG_SEARCH_MSG_ID", "QUARANTINE_NAME"],
    message:
      "A message with email message id of {EMAIL_LOG_SEARCH_MSG_ID} was released from the {QUARANTINE_NAME} quarantine.",
  },
  EMAIL_LIFE_OF_A_MESSAGE: {
    parameters: [
      "EMAIL_LIFE_OF_A_MESSAGE_FETCH_EMAIL_DETAILS",
      "EMAIL_LOG_SEARCH_MSG_ID",
      "EMAIL_LOG_SEARCH_RECIPIENT",
    ],
    message: "Email life of a message search description",
  },
  EMAIL_LOG_SEARCH: {
    parameters: [
      "EMAIL_LOG_SEARCH_END_DATE",
      "EMAIL_LOG_SEARCH_MSG_ID",
      "EMAIL_LOG_SEARCH_RECIPIENT",
      "EMAIL_LOG_SEARCH_SENDER",
      "EMAIL_LOG_SEARCH_SMTP_RECIPIENT_IP",
      "EMAIL_LOG_SEARCH_SMTP_SENDER_IP",
      "EMAIL_LOG_SEARCH_START_DATE",
    ],
    message:
      "An email log search is performed for logs from {EMAIL_LOG_SEARCH_START_DATE} to {EMAIL_LOG_SEARCH_END_DATE} with a sender of [{EMAIL_LOG_SEARCH_SENDER}], a recipient of [{EMAIL_LOG_SEARCH_RECIPIENT}], and an email message id of [{EMAIL_LOG_SEARCH_MSG_ID}]",
  },
  EMAIL_UNDELETE: {
    parameters: ["END_DATE", "START_DATE", "USER_EMAIL"],
    message: "Email restoration from {START_DATE} to {END_DATE} initiated for {USER_EMAIL}",
  },
  CHANGE_EMAIL_SETTING: {
    parameters: ["DOMAIN_NAME", "GROUP_EMAIL", "NEW_VALUE", "OLD_VALUE", "ORG_UNIT_NAME", "SETTING_NAME"],
    message: "{SETTING_NAME} for email service in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
  },
  CHANGE_HOSTED_MAIL_SETTING: {
    parameters: [
      "ENABLED_SETTING",
      "ORG_UNIT_NAME",
      "SETTING_DESCRIPTION",
      "SETTING_ENABLED",
      "SETTING_NAME",
      "USER_DEFINED_SETTING_NAME",
    ],
    message: "Mail setting {SETTING_NAME} was modified",
  },
  CREATE_HOSTED_MAIL_SETTING: {
    parameters: ["ORG_UNIT_NAME", "SETTING_DESCRIPTION", "SETTING_NAME", "USER_DEFINED_SETTING_NAME"],
    message: "New mail setting {SETTING_NAME} was added",
  },
  DELETE_HOSTED_MAIL_SETTING: {
    parameters: ["ORG_UNIT_NAME", "SETTING_DESCRIPTION", "SETTING_NAME", "USER_DEFINED_SETTING_NAME"],
    message: "Mail setting {SETTING_NAME} was deleted",
  },
} as const satisfies EventTable;
