import { type Activity, type RecordReading, readRecords, renderMessage } from "../../../../lib/audit";

async function readings(text: string): Promise<readonly RecordReading[]> {
  const found: RecordReading[] = [];
  for await (const reading of readRecords(
    (async function* () {
      yield text;
    })(),
  ))
    found.push(reading);
  return found;
}

async function activityOf(entry: object): Promise<Activity> {
  const [reading] = await readings(JSON.stringify(entry));
  if (reading === undefined || !("activity" in reading)) throw new Error(JSON.stringify(reading));
  return reading.activity;
}

/** Returns an entry in the format of the organization's log. */
function entry(events: readonly object[], change: object = {}): Record<string, unknown> {
  return {
    insertId: "1abcd2e3f4g",
    logName: "organizations/123456789012/logs/cloudaudit.googleapis.com%2Factivity",
    resource: { type: "audited_resource", labels: { service: "admin.googleapis.com" } },
    severity: "NOTICE",
    timestamp: "2026-11-21T10:00:00.123456Z",
    receiveTimestamp: "2026-11-21T10:00:02.000000001Z",
    protoPayload: {
      "@type": "type.googleapis.com/google.cloud.audit.AuditLog",
      serviceName: "admin.googleapis.com",
      methodName: "google.admin.AdminService.assignRole",
      resourceName: "organizations/123456789012/delegatedAdminSettings",
      authenticationInfo: { principalEmail: "admin@example.com" },
      requestMetadata: { callerIp: "198.51.100.7", requestAttributes: {} },
      metadata: {
        "@type": "type.googleapis.com/ccc_hosted_reporting.ActivityProto",
        activityId: { timeUsec: "1795255200123456", uniqQualifier: "-7312345678901234567" },
        event: events,
      },
      ...change,
    },
  };
}

function event(eventType: string, eventName: string, ...parameter: readonly object[]): object {
  return { eventId: "7f5bea60", eventType, eventName, parameter };
}

const text = (name: string, value: string) => ({ name, value, type: "TYPE_STRING", label: "LABEL_OPTIONAL" });
const assigned = event(
  "DELEGATED_ADMIN_SETTINGS",
  "ASSIGN_ROLE",
  text("ROLE_NAME", "helpdesk"),
  text("USER_EMAIL", "new@example.com"),
);

test("converts an entry to its activity", async () => {
  const activity = await activityOf(entry([assigned]));
  expect(activity).toMatchObject({
    id: {
      time: "2026-11-21T10:00:00.123456Z",
      uniqueQualifier: "-7312345678901234567",
      applicationName: "admin",
    },
    actor: { label: "admin@example.com" },
    ipAddress: "198.51.100.7",
    findings: [],
  });
  expect(activity.events.map((one) => renderMessage(one))).toEqual(["Role helpdesk assigned to user new@example.com"]);
});

test("keeps all events of an entry, not only the event that its method names", async () => {
  const removed = event(
    "MOBILE_SETTINGS",
    "REMOVE_MOBILE_CERTIFICATE",
    text("MOBILE_CERTIFICATE_COMMON_NAME", "Old Root"),
  );
  const { events } = await activityOf(entry([assigned, removed]));
  expect(events.map(({ name }) => name)).toEqual(["ASSIGN_ROLE", "REMOVE_MOBILE_CERTIFICATE"]);
});

test("reads values of every kind", async () => {
  const { events } = await activityOf(
    entry([
      event(
        "X",
        "NEW_EVENT",
        { name: "EMPTY", type: "TYPE_STRING", label: "LABEL_OPTIONAL" },
        { name: "LIST", multiStrValue: ["a", "b"], label: "LABEL_REPEATED", type: "TYPE_STRING" },
        { name: "COUNT", intValue: "12", type: "TYPE_INT64" },
        { name: "FLAG", boolValue: true, type: "TYPE_BOOL" },
        { name: "INNER", messageValue: { parameter: [{ name: "A", multiStrValue: ["x"], label: "LABEL_REPEATED" }] } },
      ),
    ]),
  );
  expect(events[0]?.otherParameters.map(({ name, value }) => [name, value])).toEqual([
    ["EMPTY", ""],
    ["LIST", ["a", "b"]],
    ["COUNT", "12"],
    ["FLAG", true],
    ["INNER", { A: ["x"] }],
  ]);
});

test("finds the event in the catalogue by its Cloud Logging name", async () => {
  const { events } = await activityOf(
    entry([event("EMAIL_SETTINGS", "CREATE_GMAIL_SETTING", text("SETTING_NAME", "RELAY"))]),
  );
  expect(events[0]).toMatchObject({ known: true, canonicalName: "CREATE_HOSTED_MAIL_SETTING" });
});

test.each([
  ["google.admin.AdminService.createGmailSetting", "CREATE_HOSTED_MAIL_SETTING", "EMAIL_SETTINGS"],
  ["google.admin.AdminService.removeMobileCertificate", "REMOVE_MOBILE_CERTIFICATE", "MOBILE_SETTINGS"],
  ["google.admin.AdminService.changePassword", "CHANGE_PASSWORD", ""],
])("recognizes an entry without its activity by its method %s", async (methodName, name, type) => {
  const { events } = await activityOf(entry([], { methodName, metadata: undefined }));
  expect(events[0]).toMatchObject({ name, type });
});

test("uses the activity's time if the entry has no time", async () => {
  const { timestamp: _, ...rest } = entry([assigned]);
  expect((await activityOf(rest)).time?.toISOString()).toBe("2026-11-21T10:00:00.123Z");
});

test("reads lists, pages and lines of entries", async () => {
  const one = entry([assigned]);
  for (const given of [[one, one], { entries: [one, one], nextPageToken: "x" }])
    expect(await readings(JSON.stringify(given, undefined, 2))).toHaveLength(2);
  expect(await readings(`${JSON.stringify(one)}\n${JSON.stringify(one)}\n`)).toHaveLength(2);
});

test("reports an entry of another service and does not drop it", async () => {
  const foreign = entry([], {
    serviceName: "compute.googleapis.com",
    methodName: "v1.compute.instances.insert",
    metadata: {},
  });
  expect(await readings(JSON.stringify(foreign))).toEqual([
    { line: 1, problem: { code: "log-entry-foreign", message: expect.stringContaining("'compute.googleapis.com'") } },
  ]);
});
