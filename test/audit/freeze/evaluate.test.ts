import { evaluateFreeze, type Freeze, parseActivity, watchClasses } from "../../../lib/audit";
import { assignRole, event, record } from "../activities";
import { building, evidence, freeze, gapCodes, violated, violationsOf } from "./evidence";

describe("a freeze is clear", () => {
  test("if no watched event occurred and the log returned other events", () => {
    expect(evaluateFreeze(freeze, evidence([[5, building]]))).toEqual({
      freeze: "2026-11-21T10:00:00.000Z/2026-11-21T12:00:00.000Z",
      verdict: "clear-as-of",
      asOf: "2026-11-21T12:00:00.000Z",
      final: true,
      checkedAt: "2026-11-21T13:00:00.000Z",
      nextCheckAt: "2026-11-21T13:10:00.000Z",
      findings: [],
      allowed: [],
      unusedRules: [],
      expiredRules: [],
      controlSeen: null,
      counts: { events: 1, watched: 0, uncatalogued: 0 },
      notWatched: expect.arrayContaining(["DNS records and delegations"]),
    });
  });

  test("only up to the time for which the log is complete: now minus the lag", () => {
    const report = evaluateFreeze(freeze, evidence([[5, building]], { listedAt: new Date("2026-11-21T11:00:00Z") }), {
      lagSeconds: 900,
    });
    expect([report.verdict, report.asOf, report.final]).toEqual(["clear-as-of", "2026-11-21T10:45:00.000Z", false]);
    expect(report.nextCheckAt).toBe("2026-11-21T12:15:00.000Z");
  });

  test("if changes were made only before its start, or at or after its end", () => {
    const report = evaluateFreeze(
      freeze,
      evidence([
        [-1, assignRole()],
        [120, assignRole()],
        [5, building],
      ]),
    );
    expect([report.verdict, report.counts.events]).toEqual(["clear-as-of", 1]);
  });
});

test("a violation is reported with actor, event, reason and severity", () => {
  const report = evaluateFreeze(freeze, evidence([[30, assignRole()]]));
  expect([report.verdict, violationsOf(report)]).toEqual([
    "violations",
    [
      {
        code: "critical-change-during-freeze",
        severity: "error",
        subject: "ASSIGN_ROLE",
        message: "Role _SEED_ADMIN_ROLE assigned to user new@example.com",
        remedy: "have the change undone or approved before the migration continues",
        meaning: watchClasses.authority.why,
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
        time: "2026-11-21T10:30:00.000Z",
        actor: "admin@example.com",
        event: "ASSIGN_ROLE",
        watchedAs: "authority",
      },
    ],
  ]);
});

test("a violation counts at the first moment of the freeze and at its last", () => {
  const report = evaluateFreeze(
    freeze,
    evidence([
      [0, assignRole("first")],
      [119.999, assignRole("last")],
    ]),
  );
  expect(violationsOf(report)).toHaveLength(2);
});

test("a violation is reported although the listing was interrupted, and although the log is not yet complete at that time", () => {
  const broken = evidence([[55, assignRole()]], {
    complete: false,
    failure: "HTTP 503",
    listedAt: new Date("2026-11-21T11:00:00Z"),
  });
  const report = evaluateFreeze(freeze, broken);
  expect([report.verdict, gapCodes(report)]).toEqual(["violations", ["listing-incomplete"]]);
});

test("a violation is reported once however often the log lists the record; sibling events are reported separately", () => {
  const twice = evidence([[30, assignRole("a"), assignRole("b")]]);
  const report = evaluateFreeze(freeze, { ...twice, activities: [...twice.activities, ...twice.activities] });
  expect(violationsOf(report)).toHaveLength(2);
});

test("a violation can't control the terminal through its actor's name", () => {
  const given = parseActivity({
    ...record([assignRole()], { time: "2026-11-21T10:30:00Z" }),
    actor: { email: "a\u001b[2J@x" },
  });
  const [violation] = violationsOf(evaluateFreeze(freeze, evidence([], { activities: [given] })));
  expect(violation?.actor).toBe("a\\u{1b}[2J@x");
});

test.each([
  ["DEVICE_WIPE", true],
  ["REMOVE_IOS_PROFILE", true],
  ["RING_DEVICE", false],
  ["UNKNOWN", true],
  ["ACCOUNT_WIPE_AND_LOCK", true],
  ["device_wipe", true],
  ["", true],
])("a violation counts an action on a device by its kind: %s %s", (action, counts) => {
  const parameters = { ACTION_TYPE: action, ACTION_ID: "1", DEVICE_ID: "d", DEVICE_TYPE: "t", USER_EMAIL: "u" };
  const report = evaluateFreeze(
    freeze,
    evidence([
      [5, event("MOBILE_SETTINGS", "ACTION_REQUESTED", parameters)],
      [6, building],
    ]),
  );
  expect(report.verdict).toBe(counts ? "violations" : "clear-as-of");
});

test("a violation counts an action of unknown kind", () => {
  const report = evaluateFreeze(
    freeze,
    evidence([[5, event("MOBILE_SETTINGS", "ACTION_REQUESTED", { DEVICE_ID: "d" })]]),
  );
  expect(violated(report)).toEqual(["ACTION_REQUESTED"]);
});

test.each([
  ["in a list", [{ name: "ACTION_TYPE", multiValue: ["RING_DEVICE", "DEVICE_WIPE"] }]],
  ["in an empty list", [{ name: "ACTION_TYPE", multiValue: [] }]],
  [
    "twice",
    [
      { name: "ACTION_TYPE", value: "RING_DEVICE" },
      { name: "ACTION_TYPE", value: "DEVICE_WIPE" },
    ],
  ],
])("a violation counts an action whose kind is given %s if any of the kinds counts", (_, parameters) => {
  const requested = { type: "MOBILE_SETTINGS", name: "ACTION_REQUESTED", parameters };
  expect(violated(evaluateFreeze(freeze, evidence([[5, requested]])))).toEqual(["ACTION_REQUESTED"]);
});

test("a violation matches the public service's event name too", () => {
  const report = evaluateFreeze(
    freeze,
    evidence([[5, event("EMAIL_SETTINGS", "CHANGE_GMAIL_SETTING", { SETTING_NAME: "s" })]]),
  );
  expect(violated(report)).toEqual(["CHANGE_HOSTED_MAIL_SETTING"]);
});

test.each([
  ["https://mail.example.com/EWS", ["mail.example.com"], "error"],
  ["https://MAIL.example.com:443/EWS", ["Mail.Example.com."], "error"],
  ["https://mail.example.com/EWS", ["*.example.com"], "error"],
  ["https://a.mail.example.com/EWS", ["*.example.com"], "warning"],
  ["https://other.example.net/EWS", ["mail.example.com"], "warning"],
  ["not a URL", ["mail.example.com"], "warning"],
])(
  "a violation reports a change of the interop endpoint %s with a severity that depends on the migrating hostnames %j: %s",
  (url, hostnames, severity) => {
    const changed = event("CALENDAR_SETTINGS", "EWS_OUT_ENDPOINT_CONFIGURATION_CHANGED", {
      EXCHANGE_WEB_SERVICES_URL: url,
    });
    const [violation] = violationsOf(evaluateFreeze({ ...freeze, hostnames }, evidence([[5, changed]])));
    expect(violation?.severity).toBe(severity);
  },
);

describe("watched events", () => {
  const all = evidence([
    [5, assignRole()],
    [6, event("MOBILE_SETTINGS", "ADD_MOBILE_CERTIFICATE", { MOBILE_CERTIFICATE_COMMON_NAME: "ca" })],
    [7, building],
  ]);

  test("include every class by default", () => {
    expect(violated(evaluateFreeze(freeze, all))).toEqual(["ASSIGN_ROLE", "ADD_MOBILE_CERTIFICATE"]);
  });

  test("are the classes and events that the file names", () => {
    expect(violated(evaluateFreeze({ ...freeze, watch: ["trust-anchors"] }, all))).toEqual(["ADD_MOBILE_CERTIFICATE"]);
    const report = evaluateFreeze({ ...freeze, watch: ["CREATE_BUILDING"] }, all);
    expect(violationsOf(report).map(({ event: name, watchedAs }) => [name, watchedAs])).toEqual([
      ["CREATE_BUILDING", "CREATE_BUILDING"],
    ]);
  });

  test("have the same severity if named directly or by class", () => {
    const report = evaluateFreeze({ ...freeze, watch: ["ADD_MOBILE_CERTIFICATE"] }, all);
    expect(violationsOf(report).map(({ severity }) => severity)).toEqual(["error"]);
  });

  test.each([
    ["a misspelled class", { watch: ["trust-anchor"] }, {}, "watch-unknown"],
    ["nothing", { watch: [] }, {}, "freeze-watches-nothing"],
    ["no time", { end: freeze.start }, {}, "freeze-empty"],
    ["a lag before zero", {}, { lagSeconds: -1 }, "seconds-invalid"],
    ["a lag that is not a number", {}, { lagSeconds: Number.NaN }, "seconds-invalid"],
  ])("can't be %s", (_, change, options, code) => {
    const evaluate = () => evaluateFreeze({ ...freeze, ...change } as Freeze, all, options);
    expect(evaluate).toThrow(expect.objectContaining({ code }));
  });
});

describe("an allowed change", () => {
  const rule = {
    event: "ASSIGN_ROLE",
    actor: "Admin@example.com",
    ticket: "CHG-1",
    expires: new Date("2026-11-21T11:00:00Z"),
  } as const;

  test("is not a violation before its rule expires, and is a violation from then on", () => {
    const report = evaluateFreeze(
      { ...freeze, allow: [rule] },
      evidence([
        [59, assignRole("in")],
        [60, assignRole("late")],
      ]),
    );
    expect(report.allowed.map(({ ticket, message }) => [ticket, message])).toEqual([
      ["CHG-1", "Role in assigned to user new@example.com"],
    ]);
    expect(violationsOf(report).map(({ message }) => message)).toEqual(["Role late assigned to user new@example.com"]);
    expect([report.unusedRules, report.expiredRules]).toEqual([[], [0]]);
  });

  test.each([
    [{ ...rule, parameters: { ROLE_NAME: "r" } }, "r", true],
    [{ ...rule, parameters: { ROLE_NAME: "r" } }, "R", false],
    [{ ...rule, parameters: { ORG_UNIT_NAME: "/" } }, "r", false],
    [{ ...rule, actor: "110506652893456789012" }, "r", true],
    [{ ...rule, actor: "id:110506652893456789012" }, "r", false],
    [{ ...rule, actor: "other@example.com" }, "r", false],
    [{ ...rule, event: "UNASSIGN_ROLE" as const }, "r", false],
  ])("matches by event, actor and parameters: %j for role %s is %s", (given, role, allowed) => {
    const report = evaluateFreeze({ ...freeze, allow: [given] }, evidence([[5, assignRole(role)]]));
    expect([report.verdict, report.unusedRules]).toEqual(allowed ? ["clear-as-of", []] : ["violations", [0]]);
  });
});

describe("a canary change", () => {
  const control = {
    event: "ADD_MOBILE_CERTIFICATE",
    parameters: { MOBILE_CERTIFICATE_COMMON_NAME: "new-ca" },
  } as const;
  const planned = event("MOBILE_SETTINGS", "ADD_MOBILE_CERTIFICATE", { MOBILE_CERTIFICATE_COMMON_NAME: "new-ca" });

  test("shows that the log delivers events", () => {
    const report = evaluateFreeze({ ...freeze, control }, evidence([[5, planned]]));
    expect([report.verdict, report.controlSeen, report.allowed.map(({ ticket }) => ticket)]).toEqual([
      "clear-as-of",
      true,
      ["control"],
    ]);
  });

  test("leaves the verdict unknown until it appears", () => {
    const report = evaluateFreeze({ ...freeze, control }, evidence([[5, building]]));
    expect([report.verdict, report.controlSeen, gapCodes(report)]).toEqual(["unknown", false, ["control-missing"]]);
  });

  test("excuses one event, but not a second equal event", () => {
    expect(
      evaluateFreeze(
        { ...freeze, control },
        evidence([
          [5, planned],
          [6, planned],
        ]),
      ).verdict,
    ).toBe("violations");
  });
});
