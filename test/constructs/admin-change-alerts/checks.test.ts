import type { AdminChangeAlertsProps } from "../../../lib";
import { alert, channel, refusal } from "../../support/admin-change-alerts";
import { newStack, synthesize } from "../../support/synth";

const bucket = "projects/my-project/locations/global/buckets/audit";

test.each<[string, string, Partial<AdminChangeAlertsProps>]>([
  ["no event", "events-empty", { events: [] }],
  ["an event that is not in the catalogue", "event-unknown", { events: ["ASIGN_ROLE" as never] }],
  ["a name that every object has", "event-unknown", { events: ["constructor" as never] }],
  ["a type of events", "event-unknown", { events: ["MOBILE_SETTINGS" as never] }],
  ["a reference for an event", "reference-not-allowed", { events: ["${var.event}" as never] }],
  ["an organization by its resource name", "organization-id-invalid", { organizationId: "organizations/123" }],
  ["an organization by its customer id", "organization-id-invalid", { organizationId: "C03az79cb" }],
  ["an organization id that is missing", "organization-id-invalid", { organizationId: undefined as never }],
  ["a filter smuggled in as organization", "organization-id-invalid", { organizationId: '1" OR "' }],
  ["a project by its resource name", "project-invalid", { project: "projects/my-project" }],
  ["a project that is missing", "project-invalid", { project: undefined as never }],
  [
    "a project that is missing beside a log bucket",
    "project-invalid",
    { project: undefined as never, logBucket: bucket },
  ],
  ["a log bucket by its name alone", "log-bucket-invalid", { logBucket: "audit" }],
  [
    "a log bucket of an organization",
    "log-bucket-invalid",
    { logBucket: "organizations/1/locations/global/buckets/a" },
  ],
  ["a log bucket of another project", "log-bucket-in-other-project", { logBucket: bucket, project: "elsewhere" }],
  ["a location of an existing bucket", "log-bucket-option-unused", { logBucket: bucket, logBucketLocation: "global" }],
  ["a retention of an existing bucket", "log-bucket-option-unused", { logBucket: bucket, logRetentionDays: 30 }],
  ["a generation of an existing bucket", "log-bucket-option-unused", { logBucket: bucket, logBucketGeneration: 2 }],
  ["a generation before the first", "value-out-of-range", { logBucketGeneration: 0 }],
  ["a location that can't be", "log-bucket-location-invalid", { logBucketLocation: "Europe" }],
  ["a retention of no day", "value-out-of-range", { logRetentionDays: 0 }],
  ["a retention of more than ten years", "value-out-of-range", { logRetentionDays: 3651 }],
  ["a threshold below zero", "value-out-of-range", { thresholdCount: -1 }],
  ["a threshold of half a change", "value-wrong-type", { thresholdCount: 0.5 }],
  ["a time of less than a minute", "value-out-of-range", { alignmentSeconds: 30 }],
  ["a time that is not of whole minutes", "value-out-of-range", { alignmentSeconds: 90 }],
  ["a time of more than 25 hours", "value-out-of-range", { alignmentSeconds: 90_060 }],
  ["closing too soon", "value-out-of-range", { autoCloseSeconds: 1_799 }],
  ["closing after more than a week", "value-out-of-range", { autoCloseSeconds: 604_801 }],
  ["a wait of more than ten minutes", "value-out-of-range", { settleSeconds: 601 }],
  ["a severity that there is not", "value-not-allowed", { severity: "HIGH" as never }],
  ["a prefix that can't begin a name", "name-prefix-invalid", { namePrefix: "Prod" }],
  ["an ignored actor that Terraform would evaluate", "expression-not-allowed", { ignoredActors: ['${file("x")}'] }],
  ["a label that Terraform would evaluate", "expression-not-allowed", { labels: { team: '${file("x")}' } }],
  ["a project that Terraform would evaluate", "expression-not-allowed", { project: '${file("x")}' }],
  ["channels that are no list", "value-wrong-type", { notificationChannels: "all" as never }],
  ["an unknown property", "property-unknown", { channels: [] } as never],
  ["a switch as text", "value-wrong-type", { enabled: "false" as never }],
  ["null as a log bucket", "value-wrong-type", { logBucket: null as never }],
  ["an ignored actor without a domain", "actor-invalid", { ignoredActors: ["terraform"] }],
  ["an ignored actor on two lines", "actor-invalid", { ignoredActors: ["a@example.com\n"] }],
  [
    "more ignored actors than a filter holds",
    "filter-too-long",
    { ignoredActors: Array.from({ length: 1000 }, (_, index) => `terraform-${index}@example.com`) },
  ],
  ["a channel by its number", "notification-channel-invalid", { notificationChannels: ["1234"] }],
  [
    "more than 16 channels",
    "notification-channels-too-many",
    { notificationChannels: Array.from({ length: 17 }, (_, index) => `${channel}${index}`) },
  ],
  ["a label with a key that can't be", "label-key-invalid", { labels: { Team: "web" } }],
  ["a label with a value that can't be", "label-value-invalid", { labels: { team: "The web" } }],
  [
    "more than 64 labels",
    "labels-too-many",
    { labels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`label-${index}`, ""])) },
  ],
])("refuses %s", (_, code, change) => {
  expect(refusal(change)).toEqual([code]);
});

test("refuses a path that results in names that are too long", () => {
  const stack = newStack();
  expect(() => alert(stack, {}, "x".repeat(500))).toThrow(
    "with the construct's path, names of alert policies have 544 characters, and at most 512 are allowed; give the construct a shorter id",
  );
});

test("refuses all mistakes at once, each with the construct's path, before it creates anything", () => {
  const stack = newStack();
  expect(() => alert(stack, { events: ["TRUST-ANCHOR" as never], thresholdCount: -1 })).toThrow(
    [
      "prod/alerts: 'TRUST-ANCHOR' in 'events' is neither an event nor a class; is 'trust-anchors' meant?",
      "prod/alerts: 'thresholdCount' is -1; use a whole number from 0 to 1000000",
    ].join("\n"),
  );
  expect(synthesize(stack).resource).toBeUndefined();
});

test.each([
  ["ASIGN_ROLE", "ASSIGN_ROLE"],
  ["assign-role", "ASSIGN_ROLE"],
  ["CHANGE_GMAIL_SETTINGS", "CHANGE_GMAIL_SETTING"],
  ["mail_path", "mail-path"],
])("refuses %s, with the suggestion %s", (name, meant) => {
  expect(() => alert(newStack(), { events: [name as never] })).toThrow(`is '${meant}' meant?`);
});

test("refuses an unknown name, with the list of classes and without control characters", () => {
  expect(() => alert(newStack(), { events: ["\u001b[2Jpassword changes of the last 90 days" as never] })).toThrow(
    "'\\u{1b}[2Jpassword changes of the last 90 days' in 'events' is neither an event nor a class; use a catalogued event or one of trust-anchors, authority, interop-endpoint, network-trust, mail-path, fleet",
  );
});

test("does not compare a bucket by project number with a project by ID", () => {
  expect(refusal({ logBucket: "projects/123/locations/global/buckets/audit" })).toEqual([]);
});
