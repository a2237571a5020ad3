import {
  aliasesOf,
  eventCatalogue,
  eventNames,
  eventTypes,
  findEvent,
  loggingMethodName,
  parameterDefinitions,
  watchClasses,
} from "../../../lib/audit";
import { specifiedEvents } from "../activities";

test("contains the 69 events of specification 2 in its order: 16, 35, 10 and 8 of the four types", () => {
  expect(eventNames).toEqual(specifiedEvents.map(({ name }) => name));
  const counts = eventTypes.map((type) => [
    type,
    eventNames.filter((name) => eventCatalogue[name].type === type).length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    CALENDAR_SETTINGS: 16,
    MOBILE_SETTINGS: 35,
    EMAIL_SETTINGS: 10,
    DELEGATED_ADMIN_SETTINGS: 8,
  });
});

test.each(specifiedEvents.map((row) => [row.name, row] as const))(
  "lists for %s the parameters of specification 2",
  (name, row) => {
    const definition = findEvent(name);
    expect(definition?.parameters.map((parameter) => parameter.name)).toEqual(
      row.parameters.map((parameter) => parameter.name),
    );
    expect(definition?.type).toBe(row.type);
  },
);

test("has only four parameters of another type than string", () => {
  const typed = Object.entries(parameterDefinitions).filter(([, { type }]) => type !== "string");
  expect(typed.map(([name, { type }]) => [name, type])).toEqual([
    ["EMAIL_LIFE_OF_A_MESSAGE_FETCH_EMAIL_DETAILS", "boolean"],
    ["NUMBER_OF_ADDITIONAL_EXCHANGE_ENDPOINTS", "integer"],
    ["NUMBER_OF_COMPANY_OWNED_DEVICES", "integer"],
    ["SETTING_ENABLED", "boolean"],
  ]);
});

test("uses every parameter in at least one event", () => {
  const carried = new Set(
    eventNames.flatMap((name) => eventCatalogue[name].parameters.map((parameter) => parameter.name)),
  );
  expect([...carried].sort()).toEqual(Object.keys(parameterDefinitions).sort());
});

test.each([
  ["ACTION_TYPE", 16],
  ["DISTRIBUTION_ENTITY_TYPE", 3],
  ["NEW_PERMISSION_GRANT_STATE", 3],
  ["OLD_PERMISSION_GRANT_STATE", 3],
  ["PERMISSION_GROUP_NAME", 9],
  ["TOKEN_OPERATION_NAME", 3],
  ["TOKEN_OPERATION_STATUS", 2],
] as const)("lists for %s %d values", (name, count) => {
  expect(new Set(parameterDefinitions[name].values).size).toBe(count);
});

test.each([
  ["ASSIGN_ROLE", "ORG_UNIT_NAME"],
  ["UNASSIGN_ROLE", "ORG_UNIT_NAME"],
  ["CREATE_ROLE", "ROLE_ID"],
  ["DELETE_ROLE", "ROLE_ID"],
  ["UPDATE_ROLE", "ROLE_ID"],
  ["ADD_PRIVILEGE", "ROLE_ID"],
  ["REMOVE_PRIVILEGE", "ROLE_ID"],
] as const)("marks what records of %s contain beyond the specification: %s", (event, parameter) => {
  const observed = eventCatalogue[event].parameters.filter((candidate) => candidate.observed);
  expect(observed.map(({ name, inMessage }) => [name, inMessage])).toEqual([[parameter, false]]);
});

test("marks nothing else as observed", () => {
  const marked = eventNames.filter((name) => eventCatalogue[name].parameters.some(({ observed }) => observed));
  expect(marked).toHaveLength(7);
});

test.each([
  ["ENROLL_FOR_GOOGLE_DEVICE_MANAGEMENT", "ENROLL_FOR_VENDOR_DEVICE_MANAGEMENT"],
  ["USE_GOOGLE_MOBILE_MANAGEMENT", "USE_VENDOR_MOBILE_MANAGEMENT"],
  ["USE_GOOGLE_MOBILE_MANAGEMENT_FOR_NON_IOS", "USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS"],
  ["USE_GOOGLE_MOBILE_MANAGEMENT_FOR_IOS", "USE_VENDOR_MOBILE_MANAGEMENT_FOR_IOS"],
  ["APPLE_DEP_SYNC_TRIGGERED", "PARTNER_DEP_SYNC_TRIGGERED"],
  ["APPLE_DEP_TOKEN_SETUP_COMPLETE", "PARTNER_DEP_TOKEN_SETUP_COMPLETE"],
  ["APPLE_VPP_TOKEN_OPERATION", "PARTNER_VPP_TOKEN_OPERATION"],
  ["CHANGE_GMAIL_SETTING", "CHANGE_HOSTED_MAIL_SETTING"],
  ["CREATE_GMAIL_SETTING", "CREATE_HOSTED_MAIL_SETTING"],
  ["DELETE_GMAIL_SETTING", "DELETE_HOSTED_MAIL_SETTING"],
] as const)("maps the public service's name %s to %s", (real, name) => {
  expect(findEvent(real)?.name).toBe(name);
  expect(aliasesOf(name)).toEqual([real]);
});

test("has exactly ten events with another name at the public service", () => {
  expect(eventNames.filter((name) => aliasesOf(name).length > 0)).toHaveLength(10);
});

test("derives further names from other company words, in addition to the names of the public service", () => {
  expect(findEvent("USE_ACME_INC_MOBILE_MANAGEMENT", { vendor: "Acme, Inc." })?.name).toBe(
    "USE_VENDOR_MOBILE_MANAGEMENT",
  );
  expect(findEvent("ORCHARD_VPP_TOKEN_OPERATION", { partner: "Orchard" })?.name).toBe("PARTNER_VPP_TOKEN_OPERATION");
  expect(findEvent("APPLE_VPP_TOKEN_OPERATION", { partner: "Orchard" })?.name).toBe("PARTNER_VPP_TOKEN_OPERATION");
  expect(findEvent("ORCHARD_VPP_TOKEN_OPERATION")).toBeUndefined();
});

test.each(["", "assign_role", "CREATE_USER", "__proto__", "constructor", "toString"])(
  "does not recognize %j as an event",
  (name) => {
    expect(findEvent(name)).toBeUndefined();
  },
);

test("is immutable", () => {
  expect(Object.isFrozen(eventCatalogue)).toBe(true);
  expect(Object.isFrozen(eventCatalogue.ASSIGN_ROLE)).toBe(true);
});

test("lists 36 events in the watch classes, each once, and restricts one event to actions that wipe a device or take its profile", () => {
  const watched = Object.values(watchClasses).flatMap(({ events }) => events);
  expect(new Set(watched.map(({ event }) => event)).size).toBe(watched.length);
  expect(watched).toHaveLength(33);
  expect(watched.filter((entry) => "only" in entry)).toEqual([
    {
      event: "ACTION_REQUESTED",
      only: { parameter: "ACTION_TYPE", values: ["DEVICE_WIPE", "ACCOUNT_WIPE", "REMOVE_IOS_PROFILE"] },
    },
  ]);
});

test.each([
  ["ASSIGN_ROLE", "google.admin.AdminService.assignRole"],
  ["PARTNER_DEP_TOKEN_SETUP_COMPLETE", "google.admin.AdminService.appleDepTokenSetupComplete"],
  ["CREATE_HOSTED_MAIL_SETTING", "google.admin.AdminService.createGmailSetting"],
  ["USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS", "google.admin.AdminService.useGoogleMobileManagementForNonIos"],
] as const)("names %s in Cloud Logging %s", (name, method) => {
  expect(loggingMethodName(name)).toBe(method);
});

test("has a different method name in Cloud Logging for each event", () => {
  expect(new Set(eventNames.map((name) => loggingMethodName(name))).size).toBe(69);
});
