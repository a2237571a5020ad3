import type { EventName } from "./catalogue";
import { type ListedParameterName, parameterDefinitions } from "./parameters";

/**
 * An event that a class watches. With `only`, the class watches the event if a parameter has one of these values or is
 * missing.
 */
export interface WatchedEvent {
  readonly event: EventName;
  readonly only?: { readonly parameter: ListedParameterName; readonly values: readonly string[] };
}

/** Events that affect a certificate cut-over in the same way. */
export interface WatchClass {
  /** Why a change of this class matters during a certificate migration: one line, lower case, no final period. */
  readonly why: string;
  readonly events: readonly WatchedEvent[];
}

const all = (...names: readonly EventName[]): readonly WatchedEvent[] => names.map((event) => ({ event }));

/**
 * The classes of events to watch during a change freeze. Buildings, calendar resources, quarantine, log searches and
 * undeletes are in no class, because they cannot affect a TLS handshake.
 */
export const watchClasses = {
  "trust-anchors": {
    why: "certificates that managed devices trust: clients that trust a private CA fail if its certificate is removed too early or added too late",
    events: all("ADD_MOBILE_CERTIFICATE", "REMOVE_MOBILE_CERTIFICATE"),
  },
  authority: {
    why: "someone gained or lost the power to change things; the operator's own role may be what a rollback needs",
    events: all(
      "ASSIGN_ROLE",
      "UNASSIGN_ROLE",
      "CREATE_ROLE",
      "UPDATE_ROLE",
      "DELETE_ROLE",
      "RENAME_ROLE",
      "ADD_PRIVILEGE",
      "REMOVE_PRIVILEGE",
    ),
  },
  "interop-endpoint": {
    why: "calendar interop speaks TLS to this endpoint, whose host may be one that migrates",
    events: all(
      "EWS_OUT_ENDPOINT_CONFIGURATION_CHANGED",
      "EWS_OUT_ENDPOINT_CONFIGURATION_RESET",
      "EWS_IN_NEW_CREDENTIALS_GENERATED",
    ),
  },
  "network-trust": {
    why: "wireless networks of devices may name certificates; a device that lost its network looks like a TLS fault",
    events: all(
      "ADD_MOBILE_WIRELESS_NETWORK",
      "CHANGE_MOBILE_WIRELESS_NETWORK",
      "REMOVE_MOBILE_WIRELESS_NETWORK",
      "CHANGE_MOBILE_WIRELESS_NETWORK_PASSWORD",
    ),
  },
  "mail-path": {
    why: "mail routes and TLS rules may name a host that migrates; only the setting's name is reported",
    events: all(
      "CHANGE_HOSTED_MAIL_SETTING",
      "CREATE_HOSTED_MAIL_SETTING",
      "DELETE_HOSTED_MAIL_SETTING",
      "CHANGE_EMAIL_SETTING",
    ),
  },
  fleet: {
    why: "wipes and changes of device management confuse every check of the cut-over on devices",
    events: [
      ...all(
        "MOBILE_DEVICE_WIPE",
        "MOBILE_ACCOUNT_WIPE",
        "COMPANY_OWNED_DEVICE_WIPED",
        "ENROLL_FOR_VENDOR_DEVICE_MANAGEMENT",
        "USE_VENDOR_MOBILE_MANAGEMENT",
        "USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS",
        "USE_VENDOR_MOBILE_MANAGEMENT_FOR_IOS",
        "PARTNER_DEP_SYNC_TRIGGERED",
        "PARTNER_DEP_TOKEN_SETUP_COMPLETE",
        "PARTNER_VPP_TOKEN_OPERATION",
        "CHANGE_MOBILE_SETTING",
      ),
      {
        event: "ACTION_REQUESTED",
        only: { parameter: "ACTION_TYPE", values: ["DEVICE_WIPE", "ACCOUNT_WIPE", "REMOVE_IOS_PROFILE"] },
      },
    ],
  },
} as const satisfies Readonly<Record<string, WatchClass>>;

/**
 * Returns the listed values of the parameter that exclude an event from the watch. Every other value is watched,
 * including `UNKNOWN` and values that the catalog does not list.
 */
export function unwatchedValues({ parameter, values }: NonNullable<WatchedEvent["only"]>): readonly string[] {
  const listed: readonly string[] = parameterDefinitions[parameter].values;
  return listed.filter((value) => value !== "UNKNOWN" && !values.includes(value));
}

/** Name of a class of watched events. */
export type WatchClassName = keyof typeof watchClasses;

/** The classes, ordered by how directly they affect certificates. */
export const watchClassNames = Object.keys(watchClasses) as readonly WatchClassName[];
