import type { EventTable } from "./event-table";

/** Events of the type `MOBILE_SETTINGS`, in the order of specification 2. */
export const mobileSettings = {
  ACTION_CANCELLED: {
    parameters: ["ACTION_ID", "ACTION_TYPE", "DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message:
      "{ACTION_TYPE} with id {ACTION_ID} on device type {DEVICE_TYPE} and id {DEVICE_ID} was cancelled by user {USER_EMAIL}",
  },
  ACTION_REQUESTED: {
    parameters: ["ACTION_ID", "ACTION_TYPE", "DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message:
      "{ACTION_TYPE} with id {ACTION_ID} on device type {DEVICE_TYPE} and id {DEVICE_ID} was requested by user {USER_EMAIL}",
  },
  ADD_MOBILE_CERTIFICATE: {
    parameters: ["DOMAIN_NAME", "MOBILE_CERTIFICATE_COMMON_NAME", "ORG_UNIT_NAME"],
    message: "Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} added for mobile devices in your organization",
  },
  REMOVE_MOBILE_CERTIFICATE: {
    parameters: ["DOMAIN_NAME", "MOBILE_CERTIFICATE_COMMON_NAME", "ORG_UNIT_NAME"],
    message: "Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} removed for mobile devices in your organization",
  },
  PARTNER_DEP_SYNC_TRIGGERED: {
    parameters: ["USER_EMAIL"],
    message: "<PARTNER> DEP sync triggered by {USER_EMAIL}",
  },
  PARTNER_DEP_TOKEN_SETUP_COMPLETE: {
    parameters: ["USER_EMAIL"],
    message: "<PARTNER> Device Enrollment tokens updated by {USER_EMAIL}",
  },
  PARTNER_VPP_TOKEN_OPERATION: {
    parameters: ["TOKEN_OPERATION_NAME", "TOKEN_OPERATION_STATUS"],
    message: "<PARTNER> VPP token {TOKEN_OPERATION_NAME} was {TOKEN_OPERATION_STATUS}",
  },
  COMPANY_DEVICES_BULK_CREATION: {
    parameters: ["NUMBER_OF_COMPANY_OWNED_DEVICES"],
    message: "Details of {NUMBER_OF_COMPANY_OWNED_DEVICES} company owned device(s) were imported",
  },
  COMPANY_OWNED_DEVICE_BLOCKED: {
    parameters: ["COMPANY_DEVICE_ID", "DEVICE_TYPE"],
    message: "Company owned device {COMPANY_DEVICE_ID} was blocked",
  },
  COMPANY_DEVICE_DELETION: {
    parameters: ["COMPANY_DEVICE_ID", "DEVICE_TYPE"],
    message: "Company owned device {COMPANY_DEVICE_ID} was deleted",
  },
  COMPANY_OWNED_DEVICE_UNBLOCKED: {
    parameters: ["COMPANY_DEVICE_ID", "DEVICE_TYPE"],
    message: "Company owned device {COMPANY_DEVICE_ID} was unblocked",
  },
  COMPANY_OWNED_DEVICE_WIPED: {
    parameters: ["COMPANY_DEVICE_ID", "DEVICE_TYPE"],
    message: "Company owned device {COMPANY_DEVICE_ID} was wiped",
  },
  CUSTOMER_USER_DEVICE_DELETION_EVENT: {
    parameters: ["COMPANY_DEVICE_ID", "DEVICE_TYPE"],
    message: "Customer user device {COMPANY_DEVICE_ID} was deleted",
  },
  CHANGE_MOBILE_APPLICATION_PERMISSION_GRANT: {
    parameters: [
      "DEVICE_TYPE",
      "DISTRIBUTION_ENTITY_NAME",
      "DISTRIBUTION_ENTITY_TYPE",
      "MOBILE_APP_PACKAGE_ID",
      "NEW_PERMISSION_GRANT_STATE",
      "OLD_PERMISSION_GRANT_STATE",
      "PERMISSION_GROUP_NAME",
    ],
    message:
      "Changed grant state of {PERMISSION_GROUP_NAME} from {OLD_PERMISSION_GRANT_STATE} to {NEW_PERMISSION_GRANT_STATE} for {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
  },
  CHANGE_MOBILE_APPLICATION_PRIORITY_ORDER: {
    parameters: ["DEVICE_TYPE", "MOBILE_APP_PACKAGE_ID"],
    message: "Priority order of {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} was changed",
  },
  REMOVE_MOBILE_APPLICATION_FROM_WHITELIST: {
    parameters: ["DEVICE_TYPE", "DISTRIBUTION_ENTITY_NAME", "DISTRIBUTION_ENTITY_TYPE", "MOBILE_APP_PACKAGE_ID"],
    message:
      "{DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} is no longer whitelisted for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
  },
  ADD_MOBILE_APPLICATION_TO_WHITELIST: {
    parameters: ["DEVICE_TYPE", "DISTRIBUTION_ENTITY_NAME", "DISTRIBUTION_ENTITY_TYPE", "MOBILE_APP_PACKAGE_ID"],
    message:
      "{DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} is whitelisted for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
  },
  CHANGE_MOBILE_APPLICATION_SETTINGS: {
    parameters: [
      "DEVICE_TYPE",
      "DISTRIBUTION_ENTITY_NAME",
      "DISTRIBUTION_ENTITY_TYPE",
      "MOBILE_APP_PACKAGE_ID",
      "NEW_VALUE",
      "OLD_VALUE",
      "SETTING_NAME",
    ],
    message:
      "Changed {SETTING_NAME} app setting from {OLD_VALUE} to {NEW_VALUE} for {DEVICE_TYPE} application {MOBILE_APP_PACKAGE_ID} for {DISTRIBUTION_ENTITY_NAME} {DISTRIBUTION_ENTITY_TYPE}",
  },
  MOBILE_DEVICE_APPROVE: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Mobile device for {USER_EMAIL} approved",
  },
  MOBILE_DEVICE_BLOCK: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Mobile device for {USER_EMAIL} blocked",
  },
  MOBILE_DEVICE_DELETE: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Mobile device for {USER_EMAIL} deleted",
  },
  MOBILE_DEVICE_WIPE: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Mobile device for {USER_EMAIL} wiped",
  },
  MOBILE_ACCOUNT_WIPE: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Mobile account for {USER_EMAIL} has been wiped",
  },
  MOBILE_DEVICE_CANCEL_WIPE_THEN_APPROVE: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Wipe on mobile device for {USER_EMAIL} was cancelled and the device was approved",
  },
  MOBILE_DEVICE_CANCEL_WIPE_THEN_BLOCK: {
    parameters: ["DEVICE_ID", "DEVICE_TYPE", "USER_EMAIL"],
    message: "Wipe on mobile device for {USER_EMAIL} was cancelled and the device has been blocked",
  },
  CHANGE_MOBILE_SETTING: {
    parameters: ["DOMAIN_NAME", "NEW_VALUE", "OLD_VALUE", "ORG_UNIT_NAME", "SETTING_NAME"],
    message: "{SETTING_NAME} for mobile devices in your organization changed from {OLD_VALUE} to {NEW_VALUE}",
  },
  CHANGE_ADMIN_RESTRICTIONS_PIN: {
    parameters: ["DOMAIN_NAME", "ORG_UNIT_NAME"],
    message: "Administrator restrictions PIN for mobile devices in your organization changed",
  },
  CHANGE_MOBILE_WIRELESS_NETWORK: {
    parameters: ["DOMAIN_NAME", "MOBILE_WIRELESS_NETWORK_NAME", "ORG_UNIT_NAME"],
    message: "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} changed for mobile devices in your organization",
  },
  ADD_MOBILE_WIRELESS_NETWORK: {
    parameters: ["DOMAIN_NAME", "MOBILE_WIRELESS_NETWORK_NAME", "ORG_UNIT_NAME"],
    message: "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} created for mobile devices in your organization",
  },
  REMOVE_MOBILE_WIRELESS_NETWORK: {
    parameters: ["DOMAIN_NAME", "MOBILE_WIRELESS_NETWORK_NAME", "ORG_UNIT_NAME"],
    message: "Mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} deleted for mobile devices in your organization",
  },
  CHANGE_MOBILE_WIRELESS_NETWORK_PASSWORD: {
    parameters: ["DOMAIN_NAME", "MOBILE_WIRELESS_NETWORK_NAME", "ORG_UNIT_NAME"],
    message: "Password changed for mobile wireless network {MOBILE_WIRELESS_NETWORK_NAME} in your organization",
  },
  ENROLL_FOR_VENDOR_DEVICE_MANAGEMENT: {
    parameters: [],
    message: "Enrolled for <VENDOR> Device Management",
  },
  USE_VENDOR_MOBILE_MANAGEMENT: {
    parameters: [],
    message: "<VENDOR> Mobile Management selected to manage all mobile devices",
  },
  USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS: {
    parameters: [],
    message: "<VENDOR> Mobile Management selected to manage Android and Active Sync devices",
  },
  USE_VENDOR_MOBILE_MANAGEMENT_FOR_IOS: {
    parameters: [],
    message: "<VENDOR> Mobile Management selected to manage iOS devices",
  },
} as const satisfies EventTable;
