import {
  allParameters,
  ecsDocument,
  eventKeys,
  eventNames,
  parseActivity,
  readRecords,
  renderMessage,
} from "../../../lib/audit";
import { assignRole, event, record, specifiedEvents } from "../activities";

test("has the fields of Elastic's integration", () => {
  const activity = parseActivity(record([assignRole("helpdesk")]));
  const { event: eventFields, ...document } = ecsDocument(activity, 0) as {
    readonly event: Readonly<Record<string, unknown>>;
  };
  expect(document).toEqual({
    "@timestamp": "2026-11-21T10:00:00.000Z",
    message: "Role helpdesk assigned to user new@example.com",
    ecs: { version: "8.11.0" },
    organization: { id: "C03az79cb" },
    source: {
      ip: "198.51.100.7",
      user: { id: "110506652893456789012", email: "admin@example.com", name: "admin", domain: "example.com" },
    },
    user: {
      id: "110506652893456789012",
      email: "admin@example.com",
      name: "admin",
      domain: "example.com",
      target: { email: "new@example.com", name: "new", domain: "example.com" },
    },
    related: { ip: ["198.51.100.7"], user: ["admin", "new"] },
    google_workspace: {
      kind: "admin#reports#activity",
      actor: { type: "USER" },
      event: { type: "DELEGATED_ADMIN_SETTINGS" },
      admin: { role: { name: "helpdesk" }, user: { email: "new@example.com" } },
    },
  });
  expect(eventFields).toEqual({
    kind: "event",
    module: "google_workspace",
    dataset: "google_workspace.admin",
    provider: "admin",
    action: "ASSIGN_ROLE",
    category: ["iam"],
    type: ["change"],
    id: "-7312345678901234567",
    hash: eventKeys(activity)[0],
    original: JSON.stringify(record([assignRole("helpdesk")])),
  });
});

test.each([
  ["CREATE_BUILDING", ["creation"], ["iam"]],
  ["COMPANY_DEVICES_BULK_CREATION", ["creation"], ["iam"]],
  ["CUSTOMER_USER_DEVICE_DELETION_EVENT", ["deletion"], ["iam"]],
  ["MOBILE_DEVICE_DELETE", ["deletion", "user"], ["iam"]],
  ["MOBILE_ACCOUNT_WIPE", ["change", "user"], ["iam"]],
  ["EMAIL_LOG_SEARCH", ["info"], ["iam"]],
  ["CHANGE_MOBILE_SETTING", ["change"], ["iam", "configuration"]],
  ["REMOVE_MOBILE_CERTIFICATE", ["change"], ["iam"]],
  ["CHANGE_PASSWORD", ["info"], ["iam"]],
])("assigns to %s the types %j and the categories %j", (name, types, categories) => {
  const type = specifiedEvents.find((one) => one.name === name)?.type ?? "USER_SETTINGS";
  const document = ecsDocument(parseActivity(record([event(type, name)])), 0);
  expect(document.event).toMatchObject({ type: types, category: categories });
});

test("converts every event of the catalogue to a document and back with the same key", async () => {
  for (const { type, name, parameters, message } of specifiedEvents) {
    const activity = parseActivity(record([event("X", "OTHER"), { type, name, parameters }]));
    const document = ecsDocument(activity, 1);
    for await (const reading of readRecords(
      (async function* () {
        yield JSON.stringify(document);
      })(),
    )) {
      const [read] = "activity" in reading ? reading.activity.events : [];
      expect([read?.canonicalName, renderMessage(read as never)]).toEqual([name, message]);
      expect("activity" in reading && eventKeys(reading.activity)[0]).toBe((document.event as { hash: string }).hash);
    }
  }
  expect(specifiedEvents).toHaveLength(eventNames.length);
});

test("restores every event that the pipeline keeps whole from the fields alone", async () => {
  // The pipeline reformats dates; only the original record keeps their format.
  const dated = /DATE/;
  for (const { type, name, parameters, message } of specifiedEvents) {
    if (parameters.some((parameter) => dated.test(parameter.name))) continue;
    const activity = parseActivity(record([{ type, name, parameters }]));
    const { event: eventFields, ...rest } = ecsDocument(activity, 0) as { readonly event: object };
    const { original: _, ...fields } = eventFields as Record<string, unknown>;
    const found: string[] = [];
    for await (const reading of readRecords(
      (async function* () {
        yield JSON.stringify({ ...rest, event: fields });
      })(),
    ))
      if ("activity" in reading) found.push(renderMessage(reading.activity.events[0] as never));
    expect(found).toEqual([message]);
  }
});

test("leaves values that no index accepts to the original record", () => {
  const odd = {
    ...record([event("EMAIL_SETTINGS", "EMAIL_LOG_SEARCH", { EMAIL_LOG_SEARCH_SMTP_SENDER_IP: "any" })]),
    ipAddress: "unknown",
    id: {},
  };
  const document = ecsDocument(parseActivity(odd), 0);
  expect(document).not.toHaveProperty("@timestamp");
  expect(document).not.toHaveProperty("source.ip");
  expect(document).not.toHaveProperty("google_workspace.admin");
});

test("accepts parameters with any name", () => {
  const names = { __proto__: "a", "a.b": "c", a: "d", constructor: "e" };
  const activity = parseActivity(
    record([
      {
        type: "X",
        name: "NEW",
        parameters: [...Object.entries(names), ["__proto__", "a"]].map(([name, value]) => ({ name, value })),
      },
    ]),
  );
  expect(JSON.stringify(ecsDocument(activity, 0).google_workspace)).toContain('"constructor":"e"');
  expect([...allParameters(activity.events[0] as never).keys()]).toContain("__proto__");
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
