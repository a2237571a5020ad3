import fc from "fast-check";
import { eventNames, loggingMethodName, serviceName } from "../../../lib/audit/catalogue";
import { adminChangeFilter, adminLogFilter, maxFilterLength } from "../../../lib/constructs/admin-change-alerts/filter";
import { escapeTemplate } from "../../../lib/plan";

const organization = "123456789012";
const everyChange =
  'logName="organizations/123456789012/logs/cloudaudit.googleapis.com%2Factivity" AND resource.type="audited_resource" AND protoPayload.serviceName="admin.googleapis.com"';

/** What a filter asks beyond the log and the service. */
const asked = (...parameters: Parameters<typeof adminChangeFilter> extends [string, ...infer Rest] ? Rest : never) => {
  const filter = adminChangeFilter(organization, ...parameters);
  expect(filter.slice(0, everyChange.length)).toBe(everyChange);
  return filter.slice(everyChange.length);
};

test("matches entries of the Admin console's service in the organization's admin activity log", () => {
  expect(adminLogFilter(organization)).toBe(everyChange);
});

test("matches an event by its method and, for entries with several events, by its name", () => {
  expect(asked([{ event: "ASSIGN_ROLE" }])).toBe(
    ' AND (protoPayload.methodName="google.admin.AdminService.assignRole" OR protoPayload.metadata.event.eventName="ASSIGN_ROLE")',
  );
});

test("combines several events with OR", () => {
  expect(asked([{ event: "ADD_MOBILE_CERTIFICATE" }, { event: "REMOVE_MOBILE_CERTIFICATE" }])).toBe(
    ' AND (protoPayload.methodName=("google.admin.AdminService.addMobileCertificate" OR "google.admin.AdminService.removeMobileCertificate")' +
      ' OR protoPayload.metadata.event.eventName=("ADD_MOBILE_CERTIFICATE" OR "REMOVE_MOBILE_CERTIFICATE"))',
  );
});

test.each([
  ["USE_VENDOR_MOBILE_MANAGEMENT_FOR_NON_IOS", "useGoogleMobileManagementForNonIos"],
  ["PARTNER_DEP_TOKEN_SETUP_COMPLETE", "appleDepTokenSetupComplete"],
  ["EWS_IN_NEW_CREDENTIALS_GENERATED", "ewsInNewCredentialsGenerated"],
  ["EMAIL_LIFE_OF_A_MESSAGE", "emailLifeOfAMessage"],
] as const)("maps %s to the method %s", (event, method) => {
  expect(asked([{ event }])).toContain(`protoPayload.methodName="google.admin.AdminService.${method}" OR `);
});

test.each([
  ["CHANGE_HOSTED_MAIL_SETTING", "change", "CHANGE"],
  ["CREATE_HOSTED_MAIL_SETTING", "create", "CREATE"],
  ["DELETE_HOSTED_MAIL_SETTING", "delete", "DELETE"],
] as const)("matches %s under its current name and under the announced name", (event, method, name) => {
  expect(asked([{ event }])).toBe(
    ` AND (protoPayload.methodName=("google.admin.AdminService.${method}GmailSetting" OR "google.admin.AdminService.${method}ApplicationSetting")` +
      ` OR protoPayload.metadata.event.eventName=("${name}_GMAIL_SETTING" OR "${name}_APPLICATION_SETTING"))`,
  );
});

test("matches an event with watched values by these values, and by unknown, new and missing values", () => {
  const only = { parameter: "ACTION_TYPE", values: ["DEVICE_WIPE", "ACCOUNT_WIPE"] } as const;
  const action =
    '((protoPayload.methodName="google.admin.AdminService.actionRequested" OR protoPayload.metadata.event.eventName="ACTION_REQUESTED")' +
    ' AND (protoPayload.metadata.event.parameter.value=("DEVICE_WIPE" OR "ACCOUNT_WIPE" OR "UNKNOWN")' +
    ' OR NOT protoPayload.metadata.event.parameter.value=("ALLOW_ACCESS" OR "APPROVE" OR "BLOCK" OR "COLLECT_BUGREPORT"' +
    ' OR "DISALLOW_ACCESS" OR "LOCATE_DEVICE" OR "LOCK_DEVICE" OR "REMOVE_APP_FROM_DEVICE" OR "REMOVE_IOS_PROFILE"' +
    ' OR "RESET_PIN" OR "REVOKE_TOKEN" OR "RING_DEVICE" OR "SYNC_DEVICE")' +
    ' OR NOT protoPayload.metadata.event.parameter.name="ACTION_TYPE"))';
  expect(asked([{ event: "ACTION_REQUESTED", only }])).toBe(` AND ${action}`);
  expect(asked([{ event: "MOBILE_DEVICE_WIPE" }, { event: "ACTION_REQUESTED", only }])).toBe(
    ' AND ((protoPayload.methodName="google.admin.AdminService.mobileDeviceWipe" OR protoPayload.metadata.event.eventName="MOBILE_DEVICE_WIPE")' +
      ` OR ${action})`,
  );
});

test.each([
  ["an address", "a@example.com", '"a@example.com"'],
  ["a quotation mark and a backslash", 'a"\\@example.com', '"a\\"\\\\@example.com"'],
  ["what Terraform would read as a directive", "%{if}@example.com", '"%%{if}@example.com"'],
  ["a reference", "${google_service_account.a.email}", '"${google_service_account.a.email}"'],
])("quotes %s in the ignored actors literally", (_, actor, written) => {
  expect(asked([{ event: "ASSIGN_ROLE" }], [actor])).toMatch(
    / AND NOT protoPayload\.authenticationInfo\.principalEmail=/,
  );
  expect(asked([{ event: "ASSIGN_ROLE" }], [actor]).split("principalEmail=")[1]).toBe(written);
});

test("combines several ignored actors with OR, each once", () => {
  expect(asked([{ event: "ASSIGN_ROLE" }], ["a@x.org", "b@x.org", "a@x.org"])).toMatch(
    / AND NOT protoPayload\.authenticationInfo\.principalEmail=\("a@x\.org" OR "b@x\.org"\)$/,
  );
});

test("fits all events of the catalogue into one filter, each by method and by name", () => {
  const filter = adminChangeFilter(
    organization,
    eventNames.map((event) => ({ event })),
  );
  expect(filter.length).toBeLessThan(maxFilterLength);
  expect(eventNames.filter((event) => !filter.includes(`"${loggingMethodName(event)}"`))).toEqual([]);
  expect(eventNames.filter((event) => !filter.includes(`"${serviceName(event)}"`))).toEqual([]);
});

/** Reads a quoted text as Logging does. */
function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

test("gives Terraform and Logging any actor unchanged", () => {
  const texts = fc.string({ unit: fc.constantFrom(...'ab@.$%{}"\\ ()=') }).filter((text) => !text.includes("${"));
  fc.assert(
    fc.property(texts, (actor) => {
      const written = asked([{ event: "ASSIGN_ROLE" }], [actor]).split("principalEmail=")[1] as string;
      expect(written).toMatch(/^"(?:[^"\\]|\\.)*"$/);
      expect(unquoted(written.replace(/%%(?=\{)/g, "%"))).toBe(actor);
    }),
  );
});

test.each([
  ["${a}", "$${a}"],
  ["%{a}", "%%{a}"],
  ["$a {b}", "$a {b}"],
])("writes the literal %s as %s", (text, written) => {
  expect(escapeTemplate(text)).toBe(written);
});
