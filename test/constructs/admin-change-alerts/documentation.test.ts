import { eventNames, serviceName, watchClassNames } from "../../../lib/audit/catalogue";
import {
  type AlertedEvents,
  alertDocumentation,
  alertedEvents,
} from "../../../lib/constructs/admin-change-alerts/events";

const documentationOf = (...chosen: readonly string[]) =>
  alertDocumentation(alertedEvents(chosen)[0] as AlertedEvents, "123456789012");

test("describes what happened, why it matters, what the alert covers and what to do", () => {
  expect(documentationOf("trust-anchors")).toBe(
    [
      "`$${metric.label.actor}` made a change in the Admin console of organization 123456789012: `$${metric.label.event}`.",
      "",
      "Why it matters: certificates that managed devices trust: clients that trust a private CA fail if its certificate is removed too early or added too late.",
      "",
      "This alert covers:",
      "- `ADD_MOBILE_CERTIFICATE`: Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} added for mobile devices in your organization",
      "- `REMOVE_MOBILE_CERTIFICATE`: Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} removed for mobile devices in your organization",
      "",
      "What to do:",
      "1. Look at the change in the log bucket, or with `cert-migration audit list`.",
      "2. If the change was not planned, stop the migration until the reason is known.",
      "3. Run `cert-migration audit guard` before the next step: late or missing events raise no alert.",
    ].join("\n"),
  );
});

test("uses the service's names for events and companies, and lists the watched values", () => {
  const lines = documentationOf("fleet").split("\n");
  expect(lines).toContain("- `ENROLL_FOR_GOOGLE_DEVICE_MANAGEMENT`: Enrolled for Google Device Management");
  expect(lines).toContain("- `APPLE_DEP_SYNC_TRIGGERED`: Apple DEP sync triggered by {USER_EMAIL}");
  expect(lines).toContain(
    "- `ACTION_REQUESTED`: {ACTION_TYPE} with id {ACTION_ID} on device type {DEVICE_TYPE} and id {DEVICE_ID} was requested by user {USER_EMAIL} (only where ACTION_TYPE is DEVICE_WIPE, ACCOUNT_WIPE, REMOVE_IOS_PROFILE, missing, or a new value)",
  );
});

test("warns of settings of other applications only if mail is watched", () => {
  const warning = "\n\nMail settings may be logged as application settings: the log entry names the application.\n\n";
  expect(watchClassNames.filter((name) => documentationOf(name).includes(warning))).toEqual(["mail-path"]);
});

test("fits the words of all events into the limits of the service", () => {
  const text = documentationOf(...eventNames);
  expect(text.length).toBeLessThanOrEqual(8_192);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240);
  expect(eventNames.filter((event) => !text.includes(`\n- \`${serviceName(event)}\`: `))).toEqual([]);
});
