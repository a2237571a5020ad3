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

async function activityOf(document: object): Promise<Activity> {
  const [reading] = await readings(JSON.stringify(document));
  if (reading === undefined || !("activity" in reading)) throw new Error(JSON.stringify(reading));
  return reading.activity;
}

/** Returns a document in the format of the integration's pipeline. */
function document(action: string, type: string, admin: object, change: object = {}): Record<string, unknown> {
  return {
    "@timestamp": "2026-11-21T10:00:00.000Z",
    ecs: { version: "8.11.0" },
    event: {
      action,
      category: ["iam"],
      type: ["change"],
      dataset: "google_workspace.admin",
      provider: "admin",
      id: "-73",
    },
    google_workspace: { kind: "admin#reports#activity", actor: { type: "USER" }, event: { type }, admin },
    organization: { id: "C03az79cb" },
    source: {
      ip: "198.51.100.7",
      user: { email: "admin@example.com", id: "1105", name: "admin", domain: "example.com" },
    },
    ...change,
  };
}

test("converts a document to the activity that produced it", async () => {
  const activity = await activityOf(
    document("ASSIGN_ROLE", "DELEGATED_ADMIN_SETTINGS", {
      role: { name: "helpdesk" },
      user: { email: "new@example.com" },
    }),
  );
  expect(activity).toMatchObject({
    id: { time: "2026-11-21T10:00:00.000Z", uniqueQualifier: "-73", applicationName: "admin", customerId: "C03az79cb" },
    actor: { email: "admin@example.com", profileId: "1105", callerType: "USER" },
    ipAddress: "198.51.100.7",
    findings: [],
  });
  expect(activity.events.map((event) => renderMessage(event))).toEqual([
    "Role helpdesk assigned to user new@example.com",
  ]);
});

test.each<[string, string, object, string]>([
  [
    "CHANGE_MOBILE_APPLICATION_PERMISSION_GRANT",
    "MOBILE_SETTINGS",
    {
      device: { type: "ANDROID" },
      distribution: { entity: { name: "/Sales", type: "ORG_UNIT" } },
      application: { package_id: "com.example" },
      old_value: "DENIED",
      new_value: "GRANTED",
      setting: { name: "CAMERA" },
    },
    "Changed grant state of CAMERA from DENIED to GRANTED for ANDROID application com.example for /Sales ORG_UNIT",
  ],
  [
    "CHANGE_CALENDAR_SETTING",
    "CALENDAR_SETTINGS",
    { setting: { name: "SHARING" }, old_value: "A", new_value: "B" },
    "SHARING for calendar service in your organization changed from A to B",
  ],
  ["COMPANY_OWNED_DEVICE_WIPED", "MOBILE_SETTINGS", { device: { id: "d1" } }, "Company owned device d1 was wiped"],
  [
    "MOBILE_DEVICE_WIPE",
    "MOBILE_SETTINGS",
    { device: { id: "d1" }, user: { email: "u@example.com" } },
    "Mobile device for u@example.com wiped",
  ],
  [
    "EWS_IN_NEW_CREDENTIALS_GENERATED",
    "CALENDAR_SETTINGS",
    { EXCHANGE_ROLE_ACCOUNT: "svc" },
    "New calendar-interop authentication credentials were generated for the role account svc",
  ],
  [
    "COMPANY_DEVICES_BULK_CREATION",
    "MOBILE_SETTINGS",
    { mobile: { company_owned_devices: 12 } },
    "Details of 12 company owned device(s) were imported",
  ],
])("reads the one field of a document that keeps a parameter of %s", async (action, type, admin, message) => {
  const { events } = await activityOf(document(action, type, admin));
  expect(renderMessage(events[0] as never)).toBe(message);
});

test("finds a parameter in another field of the document", async () => {
  const { events } = await activityOf(
    document("ADD_MOBILE_WIRELESS_NETWORK", "MOBILE_SETTINGS", {}, { network: { name: "Office" } }),
  );
  expect(renderMessage(events[0] as never)).toContain("wireless network Office created");
});

test("restores the parameter names of an event that is missing from the catalogue", async () => {
  const { events } = await activityOf(
    document("CHANGE_PASSWORD", "USER_SETTINGS", {
      user: { email: "u@example.com" },
      new_value: "x",
      odd: { thing: "y" },
    }),
  );
  expect(events[0]?.otherParameters.map(({ name, value }) => [name, value])).toEqual([
    ["USER_EMAIL", "u@example.com"],
    ["NEW_VALUE", "x"],
    ["odd.thing", "y"],
  ]);
});

test("prefers the record that the pipeline kept to its fields", async () => {
  const original = {
    id: { time: "2026-11-21T10:00:00.000Z", uniqueQualifier: "-9", applicationName: "admin", customerId: "C1" },
    actor: { email: "b@example.com" },
    events: { type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING", parameters: [{ name: "NEW_VALUE", value: "whole" }] },
  };
  const base = document("CREATE_BUILDING", "CALENDAR_SETTINGS", { new_value: "cut" });
  const activity = await activityOf({
    ...base,
    event: { ...(base.event as object), original: JSON.stringify(original) },
  });
  expect([activity.actor.label, renderMessage(activity.events[0] as never)]).toEqual([
    "b@example.com",
    "Building whole created",
  ]);
});

test("selects from a kept record with several events the event that the document names", async () => {
  const original = {
    id: { time: "2026-11-21T10:00:00.000Z" },
    events: [
      { type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING" },
      { type: "CALENDAR_SETTINGS", name: "DELETE_BUILDING" },
    ],
  };
  const base = document("DELETE_BUILDING", "CALENDAR_SETTINGS", {});
  const { events } = await activityOf({
    ...base,
    event: { ...(base.event as object), original: JSON.stringify(original) },
  });
  expect(events.map(({ name }) => name)).toEqual(["DELETE_BUILDING"]);
});

test.each<[string, (whole: Record<string, unknown>) => object]>([
  ["a hit", (whole) => ({ _index: "logs", _id: "1", _source: whole })],
  ["the answer to a search", (whole) => ({ took: 1, hits: { total: { value: 1 }, hits: [{ _source: whole }] } })],
  ["fields with dots", (whole) => dotted(whole)],
  [
    "fields of a hit, each a list",
    (whole) => ({
      _id: "1",
      fields: Object.fromEntries(Object.entries(dotted(whole)).map(([name, value]) => [name, [value].flat()])),
    }),
  ],
])("reads %s", async (_, form) => {
  const whole = document("ASSIGN_ROLE", "DELEGATED_ADMIN_SETTINGS", {
    role: { name: "helpdesk" },
    user: { email: "new@example.com" },
  });
  const { actor, events } = await activityOf(form(whole));
  expect([actor.label, renderMessage(events[0] as never)]).toEqual([
    "admin@example.com",
    "Role helpdesk assigned to user new@example.com",
  ]);
});

function dotted(data: object, above = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      typeof value === "object" && !Array.isArray(value)
        ? Object.entries(dotted(value, `${above}${name}.`))
        : [[`${above}${name}`, value] as const],
    ),
  );
}

test("reads a document of Filebeat's first module", async () => {
  const { events, actor } = await activityOf({
    "@timestamp": "2026-11-21T10:00:00.000Z",
    event: { action: "CREATE_BUILDING", dataset: "gsuite.admin", provider: "admin", id: "1" },
    gsuite: { event: { type: "CALENDAR_SETTINGS" }, admin: { new_value: "b" } },
    client: { user: { email: "a@example.com" } },
  });
  expect([actor.label, renderMessage(events[0] as never)]).toEqual(["a@example.com", "Building b created"]);
});

test("reports a document of another data set and does not read it as an activity", async () => {
  const foreign = { "@timestamp": "2026-11-21T10:00:00.000Z", event: { action: "login", dataset: "okta.system" } };
  expect(await readings(JSON.stringify(foreign))).toEqual([
    { line: 1, problem: { code: "elastic-document-foreign", message: expect.stringContaining("'okta.system'") } },
  ]);
});
