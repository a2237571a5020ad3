import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { assignRole, event, record } from "../audit/activities";
import { faults, startFaultyServer } from "../audit/faulty-server";
import { auditWorld, building } from "./audit-world";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

/** Records four events of two days before each test of a block. */
function recordTwoDays(): void {
  beforeEach(() => {
    happen("20T09:00", building("a"), assignRole("helpdesk"));
    happen("21T09:00", assignRole());
    happen("21T10:00", building("b"));
  });
}

describe("list in each format", () => {
  recordTwoDays();

  test("prints events with the console's text, newest first", async () => {
    const { exitCode, out } = await run(["list"]);
    expect([exitCode, out]).toEqual([
      0,
      `2026-11-21T10:00:00.000Z  admin@example.com  Building b created
2026-11-21T09:00:00.000Z  admin@example.com  Role _SEED_ADMIN_ROLE assigned to user new@example.com
2026-11-20T09:00:00.000Z  admin@example.com  Building a created
2026-11-20T09:00:00.000Z  admin@example.com  Role helpdesk assigned to user new@example.com
`,
    ]);
  });

  test("prints one JSON object per line", async () => {
    const { out } = await run(["list", "--format", "jsonl", "--limit", "1"]);
    expect(JSON.parse(out)).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      time: "2026-11-21T10:00:00.000Z",
      actor: "admin@example.com",
      ipAddress: "198.51.100.7",
      type: "CALENDAR_SETTINGS",
      event: "CREATE_BUILDING",
      canonicalName: "CREATE_BUILDING",
      message: "Building b created",
      parameters: { NEW_VALUE: "b" },
    });
  });

  test("escapes JSON lines for the terminal and keeps the exact values", async () => {
    const name = "\u001b[2J\u009b\u202e\u{e0041}\u00a0é";
    happen("21T11:00", building(name));
    const { out } = await run(["list", "--format", "jsonl", "--limit", "1"]);
    expect(out.trimEnd()).toMatch(/^[ -~é]+$/);
    expect(JSON.parse(out).parameters).toEqual({ NEW_VALUE: name });
  });

  test("prints a table", async () => {
    const { out } = await run(["list", "--format", "table", "--event", "CREATE_BUILDING"]);
    expect(out).toBe(
      `time                      actor              event            message
2026-11-21T10:00:00.000Z  admin@example.com  CREATE_BUILDING  Building b created
2026-11-20T09:00:00.000Z  admin@example.com  CREATE_BUILDING  Building a created
`,
    );
  });
});

describe("list with filters", () => {
  recordTwoDays();

  test.each<[readonly string[], readonly string[]]>([
    [
      ["--event", "ASSIGN_ROLE"],
      ["_SEED_ADMIN_ROLE", "helpdesk"],
    ],
    [["--event", "ASSIGN_ROLE", "--filter", "ROLE_NAME==helpdesk"], ["helpdesk"]],
    [
      ["--event", "ASSIGN_ROLE", "--event", "CREATE_BUILDING", "--since", "24h"],
      ["b", "_SEED_ADMIN_ROLE"],
    ],
    [
      ["--type", "CALENDAR_SETTINGS"],
      ["b", "a"],
    ],
    [
      ["--until", "2026-11-21T00:00:00Z"],
      ["a", "helpdesk"],
    ],
    [
      ["--limit", "2"],
      ["b", "_SEED_ADMIN_ROLE"],
    ],
    [
      ["--user", "admin@example.com", "--ip", "198.51.100.7", "--since", "3h"],
      ["b", "_SEED_ADMIN_ROLE"],
    ],
  ])("prints the events that match %j", async (words, expected) => {
    const { out } = await run(["list", ...words]);
    const values = out
      .trimEnd()
      .split("\n")
      .map((line) => /(?:Building|Role) (\S+)/.exec(line)?.[1]);
    expect(values).toEqual(expected);
  });

  test("sends unit, groups and customer to the service unchanged", async () => {
    await world.server.close();
    const faulty = await startFaultyServer({ store: world.store, now: world.now }, () =>
      faults.answer('{"kind":"admin#reports#activities"}'),
    );
    world.server = faulty;
    const words = ["--org-unit", "03ph8a2z1xdnme9", "--group", "id:a1", "--group", "b2,c3", "--customer", "C03az79cb"];
    expect((await run(["list", ...words])).exitCode).toBe(4);
    expect((await run(["tail", "--once", "--since", "1h", ...words])).exitCode).toBe(0);
    const sent = { orgUnitID: "id:03ph8a2z1xdnme9", groupIdFilter: "id:a1,id:b2,id:c3", customerId: "C03az79cb" };
    expect(faulty.requests).toHaveLength(2);
    for (const { query } of faulty.requests) expect(query).toMatchObject(sent);
  });
});

describe("list", () => {
  recordTwoDays();

  test("counts by day and event", async () => {
    expect((await run(["list", "--count"])).out).toBe(
      `day         event            count
2026-11-20  ASSIGN_ROLE      1
2026-11-20  CREATE_BUILDING  1
2026-11-21  ASSIGN_ROLE      1
2026-11-21  CREATE_BUILDING  1
`,
    );
    expect((await run(["list", "--count", "--format", "csv", "--event", "ASSIGN_ROLE"])).out).toBe(
      "day,event,count\r\n2026-11-20,ASSIGN_ROLE,1\r\n2026-11-21,ASSIGN_ROLE,1\r\n",
    );
  });

  test("accepts the short form of the delegated administration type", async () => {
    const { exitCode, out } = await run(["list", "--type", "DELEGATED_ADMIN"]);
    expect([exitCode, out.match(/Role \S+/g)]).toEqual([0, ["Role _SEED_ADMIN_ROLE", "Role helpdesk"]]);
  });

  test("truncates a start before the retention period, and reports it", async () => {
    const { exitCode, err } = await run(["list", "--since", "200d"]);
    expect([exitCode, err]).toEqual([
      0,
      "the range was cut: --since 200d is before the retention period of 180 days; events before 2026-05-25T12:00:00.000Z are not kept [range-cut]\n",
    ]);
    expect((await run(["list", "--since", "180d"])).err).toBe("");
  });

  test("exits with 4 if nothing is found", async () => {
    expect(await run(["list", "--event", "DELETE_ROLE"])).toEqual({ exitCode: 4, out: "", err: "" });
  });
});

test("escapes formulas in CSV and control characters", async () => {
  happen("21T09:00", building('=HYPERLINK("http://x")\u001b[2J'));
  happen("21T09:01", assignRole("+1,2"));
  const line = JSON.stringify({
    ...record([building("@SUM(1)")], { time: "2026-11-21T09:02:00Z" }),
    actor: { email: "=1+1" },
  });
  const lines =
    (await run(["list", "--format", "csv"])).out +
    (await run(["render", "--format", "csv"], { stdin: Readable.from([line]) })).out;
  for (const cell of lines.split(/[\r\n]+/).flatMap((text) => text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))) {
    expect(cell).not.toMatch(/^"?\s*[=+\-@]/);
  }
  expect(lines).not.toContain("\u001b");
  expect(lines).toContain(",'=1+1,");
});

describe("render", () => {
  test("reads files and standard input in any form, with every digit", async () => {
    writeFileSync(file("a"), `${JSON.stringify(record([assignRole("file")]))}\n`);
    expect((await run(["render", file("a")])).out).toContain("Role file assigned");
    const { events: _, ...rest } = record([]);
    const flat = JSON.stringify({ ...rest, ...assignRole("flat") });
    const { exitCode, out } = await run(["render", "--format", "jsonl"], { stdin: Readable.from([flat]) });
    expect([exitCode, JSON.parse(out).message]).toEqual([0, "Role flat assigned to user new@example.com"]);
  });

  test("reports broken records with their place and continues: exit code 5", async () => {
    writeFileSync(
      file("a"),
      `${JSON.stringify(record([building("a")]))}\n{"id"\n${JSON.stringify(record([building("b")]))}\n`,
    );
    const { exitCode, out, err } = await run(["render", file("a")]);
    expect([exitCode, out.split("\n").length - 1, err]).toEqual([
      5,
      2,
      `${file("a")}:2: the text is not JSON; give one JSON value, or one a line [json-malformed]\n`,
    ]);
  });

  test("reports records without events: exit code 5", async () => {
    const given = [record([]), { ...record([]), events: "x" }].map((item) => JSON.stringify(item)).join("\n");
    expect(await run(["render"], { stdin: Readable.from([given]) })).toEqual({
      exitCode: 5,
      out: "",
      err: "standard input:1: the record has no event [events-missing]\nstandard input:2: the record has no event [events-missing]\n",
    });
  });

  test("reports in strict mode everything that differs from the catalogue", async () => {
    const { exitCode, err } = await run(["render", "--strict"], {
      stdin: Readable.from([JSON.stringify(record([event("X", "NEW", {})]))]),
    });
    expect([exitCode, err]).toEqual([
      5,
      "standard input:1: the event 'NEW' is not in the catalogue, at '/events/0/name' [event-unknown]\n",
    ]);
  });

  test("uses the caller's company words", async () => {
    const given = JSON.stringify(record([event("MOBILE_SETTINGS", "ENROLL_FOR_ACME_DEVICE_MANAGEMENT")]));
    expect((await run(["render", "--vendor", "Acme"], { stdin: Readable.from([given]) })).out).toContain(
      "Enrolled for Acme Device Management",
    );
    const named = ["render", "--vendor", "Acme", "--event", "ENROLL_FOR_ACME_DEVICE_MANAGEMENT"];
    expect((await run(named, { stdin: Readable.from([given]) })).exitCode).toBe(0);
  });
});

describe("events", () => {
  test("finds events by any word of name, type, parameter and message", async () => {
    const { exitCode, out } = await run(["events", "certificate"]);
    expect([exitCode, out]).toEqual([
      0,
      `event                      type             message
ADD_MOBILE_CERTIFICATE     MOBILE_SETTINGS  Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} added for mobile devices in your organization
REMOVE_MOBILE_CERTIFICATE  MOBILE_SETTINGS  Mobile certificate {MOBILE_CERTIFICATE_COMMON_NAME} removed for mobile devices in your organization
`,
    ]);
  });

  test("shows one event completely, by the public service's name too", async () => {
    expect((await run(["events", "apple_vpp_token_operation"])).out).toBe(
      `PARTNER_VPP_TOKEN_OPERATION  (MOBILE_SETTINGS)
also APPLE_VPP_TOKEN_OPERATION
  <PARTNER> VPP token {TOKEN_OPERATION_NAME} was {TOKEN_OPERATION_STATUS}

parameter               type                    meaning
TOKEN_OPERATION_NAME    string  in the message  operation on the token: DELETE, SYNC, UPLOAD
TOKEN_OPERATION_STATUS  string  in the message  result of the operation: SUCCESSFUL, UNSUCCESSFUL
`,
    );
  });

  test("prints all 69 events as JSON and as the reference page", async () => {
    expect(JSON.parse((await run(["events", "--json"])).out)).toMatchObject({
      schemaVersion: 1,
      events: { length: 69 },
    });
    expect((await run(["events", "--markdown"])).out).toMatch(/^# Administrative audit events\n\n/);
  });

  test("exits with 4 if nothing is found", async () => {
    expect(await run(["events", "unicorn"])).toEqual({
      exitCode: 4,
      out: "",
      err: "no event has 'unicorn' [events-not-found]\n",
    });
  });
});
