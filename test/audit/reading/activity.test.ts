import { type Activity, parseActivity, readLosslessJson } from "../../../lib/audit";
import { InputError } from "../../../lib/errors";
import { assignRole, event, record, specifiedEvents } from "../activities";

const codes = ({ findings }: Activity) => findings.map(({ code }) => code);

test.each(specifiedEvents.map((row) => [row.name, row] as const))(
  "reads %s, in strict mode too, with typed parameters",
  (name, row) => {
    const { events, findings } = parseActivity(record([{ type: row.type, name, parameters: row.parameters }]), {
      strict: true,
    });
    expect(findings).toEqual([]);
    expect(events).toEqual([
      {
        name,
        canonicalName: name,
        type: row.type,
        known: true,
        parameters: row.typed,
        otherParameters: [],
        raw: { type: row.type, name, parameters: row.parameters },
      },
    ]);
  },
);

test("reads a record of the service completely", () => {
  const given = record([
    assignRole(),
    event("DELEGATED_ADMIN_SETTINGS", "CREATE_ROLE", { ROLE_NAME: "r", ROLE_ID: "7" }),
  ]);
  const activity = parseActivity(given);
  expect(activity).toEqual({
    id: {
      time: "2026-11-21T10:00:00.000Z",
      uniqueQualifier: "-7312345678901234567",
      applicationName: "admin",
      customerId: "C03az79cb",
    },
    time: new Date("2026-11-21T10:00:00Z"),
    actor: {
      email: "admin@example.com",
      profileId: "110506652893456789012",
      callerType: "USER",
      label: "admin@example.com",
    },
    ipAddress: "198.51.100.7",
    events: [
      expect.objectContaining({
        name: "ASSIGN_ROLE",
        parameters: { ROLE_NAME: "_SEED_ADMIN_ROLE", USER_EMAIL: "new@example.com" },
      }),
      expect.objectContaining({ name: "CREATE_ROLE", parameters: { ROLE_NAME: "r", ROLE_ID: "7" } }),
    ],
    findings: [],
    raw: given,
  });
});

test("narrows the type of the parameters after a comparison of the name", () => {
  const [first] = parseActivity(record([assignRole()])).events;
  if (first?.name !== "ASSIGN_ROLE") throw new Error("not narrowed");
  const role: string | undefined = first.parameters.ROLE_NAME;
  expect(role).toBe("_SEED_ADMIN_ROLE");
  // @ts-expect-error a role has no building
  expect(first.parameters.RESOURCE_IDENTIFIER).toBeUndefined();
});

test("narrows the type for the public service's names too, with the canonical name of specification 2", () => {
  const [first] = parseActivity(
    record([event("EMAIL_SETTINGS", "CREATE_GMAIL_SETTING", { SETTING_NAME: "s" })]),
  ).events;
  if (first?.name !== "CREATE_GMAIL_SETTING") throw new Error("not narrowed");
  const setting: string | undefined = first.parameters.SETTING_NAME;
  expect([first.canonicalName, first.known, setting]).toEqual(["CREATE_HOSTED_MAIL_SETTING", true, "s"]);
});

test("narrows the whole type after a comparison of the canonical name", () => {
  const [first] = parseActivity(
    record([event("EMAIL_SETTINGS", "CREATE_GMAIL_SETTING", { SETTING_NAME: "s" })]),
  ).events;
  if (first?.canonicalName !== "CREATE_HOSTED_MAIL_SETTING") throw new Error("not narrowed");
  const narrowed: readonly [true, "EMAIL_SETTINGS"] = [first.known, first.type];
  expect(narrowed).toEqual([true, "EMAIL_SETTINGS"]);
});

test("recognizes names with other company words if the caller passes the words", () => {
  const given = record([event("MOBILE_SETTINGS", "USE_ACME_MOBILE_MANAGEMENT")]);
  expect(parseActivity(given, { vendor: "Acme" }).events[0]?.canonicalName).toBe("USE_VENDOR_MOBILE_MANAGEMENT");
  expect(parseActivity(given).events[0]?.known).toBe(false);
});

describe("changes that log collectors make to records", () => {
  test("a single event instead of a list", () => {
    const activity = parseActivity({ ...record([]), events: assignRole() });
    expect(activity.events.map(({ name }) => name)).toEqual(["ASSIGN_ROLE"]);
    expect(codes(activity)).toEqual(["events-single"]);
  });

  test("the event's fields at the top level", () => {
    const { events: _, ...rest } = record([]);
    const activity = parseActivity({ ...rest, ...assignRole() });
    expect(activity.events[0]?.parameters).toEqual({ ROLE_NAME: "_SEED_ADMIN_ROLE", USER_EMAIL: "new@example.com" });
    expect(codes(activity)).toEqual(["events-flattened"]);
  });

  test("parameters as a map", () => {
    const parameters = { ROLE_NAME: "r", USER_EMAIL: "u@example.com" };
    const activity = parseActivity(record([{ type: "DELEGATED_ADMIN_SETTINGS", name: "ASSIGN_ROLE", parameters }]));
    expect(activity.events[0]?.parameters).toEqual(parameters);
    expect(codes(activity)).toEqual(["parameters-map"]);
  });

  test("keeps every digit of numeric ids when it reads text", () => {
    const text =
      '{"id":{"time":"2026-11-21T10:00:00Z","uniqueQualifier":-7312345678901234567},"actor":{"profileId":110506652893456789012},"events":[]}';
    const { id, actor } = parseActivity(text);
    expect([id.uniqueQualifier, actor.profileId]).toEqual(["-7312345678901234567", "110506652893456789012"]);
    expect(codes(parseActivity(readLosslessJson(text)))).toEqual(["events-missing"]);
  });

  test("reports ids that have already lost digits", () => {
    const activity = parseActivity({
      ...record([assignRole()]),
      actor: { profileId: Number("110506652893456789012") },
    });
    expect(activity.findings).toEqual([
      {
        code: "number-imprecise",
        severity: "warning",
        remedy: "export numbers as text",
        meaning: "a number lost digits in an exporter",
        message: "the number profileId lost digits before it came here; read the text with readJson",
        subject: "/actor/profileId",
      },
    ]);
  });

  test("missing fields", () => {
    const activity = parseActivity({ events: [{ name: "EWS_OUT_ENDPOINT_CONFIGURATION_RESET" }] });
    expect(activity).toMatchObject({ id: {}, time: undefined, actor: { label: "unknown" } });
    expect(activity.events[0]).toMatchObject({ known: true, type: "CALENDAR_SETTINGS", parameters: {} });
    expect(codes(activity)).toEqual(["qualifier-missing", "time-missing", "event-type-missing"]);
  });

  test("the short name of the delegated administrators' type", () => {
    const activity = parseActivity(record([{ ...assignRole(), type: "DELEGATED_ADMIN" }]));
    expect(activity.events[0]).toMatchObject({ known: true, type: "DELEGATED_ADMIN_SETTINGS" });
    expect(activity.findings).toEqual([]);
  });
});

describe("the actor", () => {
  test.each([
    [{ email: "a@example.com", profileId: "1" }, "a@example.com"],
    [{ profileId: "105250506097979753968" }, "id:105250506097979753968"],
    [{ callerType: "KEY", key: "SYSTEM" }, "key:SYSTEM"],
    [{ email: "" }, "unknown"],
    [undefined, "unknown"],
  ])("labels %j as %s", (actor, label) => {
    expect(parseActivity({ ...record([assignRole()]), actor }).actor.label).toBe(label);
  });
});

const company = (parameter: object) =>
  parseActivity(
    record([
      {
        type: "MOBILE_SETTINGS",
        name: "COMPANY_DEVICES_BULK_CREATION",
        parameters: [{ name: "NUMBER_OF_COMPANY_OWNED_DEVICES", ...parameter }],
      },
    ]),
  );
const mail = (parameter: object) =>
  parseActivity(
    record([
      {
        type: "EMAIL_SETTINGS",
        name: "CHANGE_HOSTED_MAIL_SETTING",
        parameters: [
          { name: "SETTING_NAME", value: "s" },
          { name: "SETTING_ENABLED", ...parameter },
        ],
      },
    ]),
  );

test.each([
  [{ intValue: "10" }, "10"],
  [{ intValue: 10 }, "10"],
  [{ value: "10" }, "10"],
  [{ intValue: "9223372036854775807" }, "9223372036854775807"],
  [{ intValue: "-0" }, "0"],
])("accepts %j as an integer", (parameter, expected) => {
  const activity = company(parameter);
  expect(activity.events[0]?.parameters).toEqual({ NUMBER_OF_COMPANY_OWNED_DEVICES: expected });
  expect(activity.findings).toEqual([]);
});

test.each([
  [{ intValue: "9223372036854775808" }, "9223372036854775808"],
  [{ value: "ten" }, "ten"],
  [{ intValue: 1.5 }, "1.5"],
  [{}, ""],
  [{ multiIntValue: ["1", "2"] }, ["1", "2"]],
  [{ newValue: "1" }, undefined],
])("keeps a value that is not an integer beside the typed values and reports it: %j", (parameter, value) => {
  const activity = company(parameter);
  const raw = { name: "NUMBER_OF_COMPANY_OWNED_DEVICES", ...parameter };
  expect(activity.events[0]).toMatchObject({ parameters: {}, otherParameters: [{ name: raw.name, value, raw }] });
  expect(codes(activity)).toEqual(["parameter-malformed"]);
});

test.each([
  [{ boolValue: true }, true],
  [{ boolValue: false }, false],
  [{ value: "true" }, true],
  [{ value: "FALSE" }, false],
])("accepts %j as a boolean", (parameter, expected) => {
  expect(mail(parameter).events[0]?.parameters).toEqual({ SETTING_NAME: "s", SETTING_ENABLED: expected });
});

test("reads a parameter that has only a name as an empty text", () => {
  const activity = parseActivity(
    record([{ type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING", parameters: [{ name: "NEW_VALUE" }] }]),
  );
  expect(activity.events[0]?.parameters).toEqual({ NEW_VALUE: "" });
});

test("reports and keeps a parameter value that is not listed", () => {
  const activity = parseActivity(
    record([
      event("MOBILE_SETTINGS", "APPLE_VPP_TOKEN_OPERATION", {
        TOKEN_OPERATION_NAME: "BLESS",
        TOKEN_OPERATION_STATUS: "SUCCESSFUL",
      }),
    ]),
  );
  expect(activity.events[0]?.parameters).toEqual({
    TOKEN_OPERATION_NAME: "BLESS",
    TOKEN_OPERATION_STATUS: "SUCCESSFUL",
  });
  expect(activity.findings).toEqual([
    {
      code: "parameter-value-unlisted",
      severity: "warning",
      remedy: "update cert-migration",
      meaning: "a value is not in the catalogue",
      message:
        "the parameter 'TOKEN_OPERATION_NAME' of PARTNER_VPP_TOKEN_OPERATION is 'BLESS'; listed are DELETE, SYNC, UPLOAD",
      subject: "/events/0/parameters/0",
    },
  ]);
});

test("counts a parameter that appears twice once, and keeps the other value", () => {
  const parameters = [
    { name: "NEW_VALUE", value: "a" },
    { name: "NEW_VALUE", value: "b" },
  ];
  const activity = parseActivity(record([{ type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING", parameters }]));
  expect(activity.events[0]).toMatchObject({
    parameters: { NEW_VALUE: "a" },
    otherParameters: [{ name: "NEW_VALUE", value: "b" }],
  });
  expect(codes(activity)).toEqual(["parameter-repeated"]);
});

test("keeps the parameters of an unknown event, nested parameters too", () => {
  const parameters = [
    {
      name: "SETTING_METADATA",
      messageValue: {
        parameter: [
          { name: "a", intValue: "1" },
          { name: "b", multiValue: ["x", "y"] },
        ],
      },
    },
    { name: "LIST", multiMessageValue: [{ parameter: [{ name: "c", boolValue: true }] }] },
    { name: "__proto__", value: "p" },
  ];
  const activity = parseActivity(
    record([{ type: "APPLICATION_SETTINGS", name: "CREATE_APPLICATION_SETTING", parameters }]),
  );
  expect(activity.events).toEqual([
    {
      name: "CREATE_APPLICATION_SETTING",
      canonicalName: undefined,
      type: "APPLICATION_SETTINGS",
      known: false,
      parameters: {},
      otherParameters: [
        { name: "SETTING_METADATA", value: { a: "1", b: ["x", "y"] }, raw: parameters[0] },
        { name: "LIST", value: [{ c: true }], raw: parameters[1] },
        { name: "__proto__", value: "p", raw: parameters[2] },
      ],
      raw: { type: "APPLICATION_SETTINGS", name: "CREATE_APPLICATION_SETTING", parameters },
    },
  ]);
  expect(codes(activity)).toEqual(["event-unknown"]);
});

test("keeps and marks an unknown parameter of a known event", () => {
  const activity = parseActivity(
    record([event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "a", COLOUR: "red" })]),
  );
  expect(activity.events[0]).toMatchObject({
    known: true,
    parameters: { NEW_VALUE: "a" },
    otherParameters: [{ name: "COLOUR", value: "red", raw: { name: "COLOUR", value: "red" } }],
  });
  expect(codes(activity)).toEqual(["parameter-unknown"]);
});

test("does not recognize a known name under another type", () => {
  const activity = parseActivity(record([{ ...assignRole(), type: "USER_SETTINGS" }]));
  expect(activity.events[0]).toMatchObject({ known: false, canonicalName: undefined, type: "USER_SETTINGS" });
  expect(codes(activity)).toEqual(["event-type-unknown"]);
});

describe("strict reading", () => {
  test("refuses every deviation at once", () => {
    const given = {
      id: { time: "2026-11-21 10:00:00" },
      events: [event("CALENDAR_SETTINGS", "CREATE_BUILDING", { COLOUR: "red" }), { name: "NEW" }],
    };
    let error: unknown;
    try {
      parseActivity(given, { strict: true });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).problems.map(({ code }) => code)).toEqual([
      "qualifier-missing",
      "time-nonstandard",
      "parameter-unknown",
      "parameter-missing",
      "event-unknown",
    ]);
  });

  test("requires only the parameters that the message names", () => {
    const given = record([
      event("CALENDAR_SETTINGS", "CHANGE_CALENDAR_SETTING", { SETTING_NAME: "s", OLD_VALUE: "a", NEW_VALUE: "b" }),
    ]);
    expect(parseActivity(given, { strict: true }).findings).toEqual([]);
    expect(() => parseActivity(record([event("CALENDAR_SETTINGS", "CREATE_BUILDING")]), { strict: true })).toThrow(
      "the event CREATE_BUILDING has no NEW_VALUE, which its message names",
    );
  });
});

test.each([null, 7, true, [], undefined])(
  "fails for %j, which is not a record, in lenient and strict mode",
  (given) => {
    expect(() => parseActivity(given)).toThrow("the activity record is not an object; expected id, actor and events");
  },
);

test("fails for a text that is not JSON, and does not repeat the text", () => {
  expect(() => parseActivity("{secret")).toThrow("the text is not JSON; give one JSON value, or one a line");
});
