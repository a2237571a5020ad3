import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { assignRole, event, record } from "../audit/activities";
import { type FaultyServer, faults, startFaultyServer } from "../audit/faulty-server";
import { runWith, testIo } from "../support/io";
import { auditWorld, building } from "./audit-world";

// Files are synced, and what that takes is up to the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

describe("list", () => {
  beforeEach(() => {
    happen("20T09:00", building("a"), assignRole("helpdesk"));
    happen("21T09:00", assignRole());
    happen("21T10:00", building("b"));
  });

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
  ])("%j", async (words, expected) => {
    const { out } = await run(["list", ...words]);
    const values = out
      .trimEnd()
      .split("\n")
      .map((line) => /(?:Building|Role) (\S+)/.exec(line)?.[1]);
    expect(values).toEqual(expected);
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

describe("failures", () => {
  test.each<[readonly string[], string]>([
    [["list", "--event", "ASIGN_ROLE"], "event-uncatalogued"],
    [["list", "--event", "ASSIGN_ROLE", "--event", "NOPE"], "event-uncatalogued"],
    [["list", "--type", "SETTINGS"], "type-unknown"],
    [["list", "--filter", "NEW_VALUE"], "filter-malformed"],
    [["list", "--event", "ASSIGN_ROLE", "--filter", "NEW_VALUE==x"], "filter-parameter-unknown"],
    [["list", "--since", "soon"], "time-malformed"],
    [["list", "--since", "1h", "--until", "2h"], "time-range-empty"],
    [["list", "--until", "181d"], "time-before-retention"],
    [["list", "--since", "300d", "--until", "2026-05-25T12:00:00Z"], "time-before-retention"],
    [["list", "--org-unit", "/Sales"], "org-unit-malformed"],
    [["tail", "--group", "sales@example.com"], "groups-malformed"],
    [["list", "--customer", "example.com"], "customer-malformed"],
    [["list", "--limit", "0"], "number-malformed"],
    [["list", "--user", "no body"], "user-malformed"],
    [["list", "--token-file", "/no/such/file"], "file-unreadable"],
    [["tail", "--out", "x"], "cursor-missing"],
    [["tail", "--lag", "x"], "duration-malformed"],
    [["tail", "--format", "csv", "--interval", "0s"], "duration-out-of-range"],
    [["guard"], "freeze-missing"],
    [["guard", "--freeze", "/no/such/file"], "file-unreadable"],
    [["render", "/no/such/file"], "file-unreadable"],
    [["events", "role", "--markdown"], "words-unwanted"],
  ])("%j is refused with exit code 2 and %s", async (words, code) => {
    const { exitCode, out, err } = await run(words);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(`[${code}]`);
  });

  test.each([["list"], ["tail", "--once", "--format", "csv"], ["guard", "--freeze"]])(
    "an invalid token file is refused before anything else: %s",
    async (...words) => {
      const freeze = file("token-freeze.yaml");
      writeFileSync(freeze, "start: 2026-11-21T10:00:00Z\nend: 2026-11-21T12:00:00Z\n");
      const token = file("token");
      const line = [...words, ...(words.includes("--freeze") ? [freeze] : []), "--token-file", token];
      for (const [content, told] of [
        [undefined, "[file-unreadable]"],
        ["\n", `--token-file: '${token}' is empty; put an access token into it`],
        ["ya29.a ya29.b", "has characters that no token has"],
      ] as const) {
        if (content !== undefined) writeFileSync(token, content);
        const { exitCode, out, err } = await run(line, { env: {} });
        expect([exitCode, out]).toEqual([2, ""]);
        expect(err).toContain(told);
      }
    },
  );

  test.each([
    ["a pipe", (line: string) => ["-c", `echo ya29.typed | ${line}`]],
    ["a terminal", (line: string) => ["-c", 'echo ya29.typed | script -qec "$0" /dev/null', line]],
  ])("the token of %s is read once, without waiting for more input", async (_, shell) => {
    await world.server.close();
    const faulty = await startFaultyServer({ store: world.store, now: world.now }, () => undefined);
    world.server = faulty;
    happen("21T09:00", building("a"));
    const program = `${process.execPath} --require tsx/cjs lib/cli/main.ts audit list`;
    const line = `${program} --endpoint ${faulty.url} --until 2026-11-21T12:00:00Z --token-file /dev/stdin`;
    await promisify(execFile)("bash", [...shell(line)], { timeout: 15_000 });
    expect(faulty.requests.map(({ authorization }) => authorization)).toEqual(["Bearer ya29.typed"]);
  });

  test("the public service receives no request without credentials", async () => {
    // Where the library looks for some; nor is anybody else on this machine's network asked.
    const own = {
      GOOGLE_APPLICATION_CREDENTIALS: "",
      CLOUDSDK_CONFIG: world.folder,
      METADATA_SERVER_DETECTION: "none",
    };
    const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
    Object.assign(process.env, own);
    try {
      const { exitCode, err } = await run(["list"], { env: {} });
      expect(exitCode).toBe(2);
      expect(err).toContain("[token-missing]");
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test("missing permissions are exit code 3, with the permissions to grant and without the token", async () => {
    await world.server.close();
    world.server = await startFaultyServer({ store: world.store, now: world.now }, () =>
      faults.refuse(403, "forbidden"),
    );
    const { exitCode, err } = await run(["list"], {
      env: { CERT_MIGRATION_ENDPOINT: world.server.url, CERT_MIGRATION_ACCESS_TOKEN: "s3cret" },
    });
    expect(exitCode).toBe(3);
    expect(err).toContain("needs the scope admin.reports.audit.readonly");
    expect(err).not.toContain("s3cret");
    expect((world.server as FaultyServer).requests[0]?.authorization).toBe("Bearer s3cret");
  });

  test("unreadable records are reported, and the others printed: exit code 5", async () => {
    await world.server.close();
    const items = [7, record([building("b")]), record([])];
    world.server = await startFaultyServer({ store: world.store, now: world.now }, () =>
      faults.answer(JSON.stringify({ items })),
    );
    const { exitCode, out, err } = await run(["list"]);
    expect([exitCode, out.includes("Building b created"), err.includes("a record can't be read")]).toEqual([
      5,
      true,
      true,
    ]);
    expect(err).toContain("a record has no event, of 2026-11-21T10:00:00.000Z");
  });

  test("an interrupted listing is reported: exit code 3", async () => {
    await world.server.close();
    happen("21T09:00", building("a"));
    happen("21T09:01", building("b"));
    const page = (body: string) => JSON.stringify({ ...JSON.parse(body), nextPageToken: "more" });
    world.server = await startFaultyServer({ store: world.store, now: world.now }, (number) =>
      number === 1 ? (response, body) => void response.end(page(body)) : faults.refuse(403, "forbidden"),
    );
    const { exitCode, err } = await run(["list"]);
    expect(exitCode).toBe(3);
    expect(err).toContain("the listing broke off: 2 events were read, there may be more");
  });
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

describe("tail", () => {
  test("writes each event once into a file over several runs", async () => {
    const words = [
      "tail",
      "--once",
      "--cursor",
      file("cursor"),
      "--out",
      file("out"),
      "--since",
      "24h",
      "--overlap",
      "4h",
    ];
    happen("21T09:00", building("a"));
    expect((await run(words)).exitCode).toBe(0);
    happen("21T08:59", building("late"));
    for (world.clock of ["2026-11-21T12:30:00Z", "2026-11-21T12:40:00Z"]) expect((await run(words)).exitCode).toBe(0);
    expect(readFileSync(file("out"), "utf8").match(/Building \S+/g)).toEqual(["Building a", "Building late"]);
  });

  test("writes events of one timestamp in the service's order, first to last", async () => {
    happen("21T09:00", building("first"), assignRole("first"));
    happen("21T09:00", building("second"));
    happen("21T09:00", assignRole("third"), building("third"));
    const words = ["--since", "24h", "--format", "jsonl"];
    const rows = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).message);
    const tailed = rows((await run(["tail", "--once", ...words])).out);
    expect(tailed.map((message) => /first|second|third/.exec(message)?.[0])).toEqual([
      "first",
      "first",
      "second",
      "third",
      "third",
    ]);
    expect(tailed[3]).toContain("Role third");
  });

  test("writes to standard output until it is stopped", async () => {
    happen("21T09:00", assignRole(), building("a"));
    const stop = new AbortController();
    const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: world.server.url }, now: world.now, signal: stop.signal });
    const out: string[] = [];
    const stdout = {
      write: (text: string) => {
        out.push(text);
        stop.abort();
      },
    };
    const exitCode = await runWith(["audit", "tail", "--since", "1d", "--event", "ASSIGN_ROLE"], { ...io, stdout });
    expect([exitCode, out]).toEqual([
      0,
      ["2026-11-21T09:00:00.000Z  admin@example.com  Role _SEED_ADMIN_ROLE assigned to user new@example.com\n"],
    ]);
  });

  test("reports lost events: exit code 5", async () => {
    const words = ["tail", "--once", "--cursor", file("cursor"), "--since", "10m"];
    expect((await run(words)).exitCode).toBe(0);
    world.clock = "2027-11-21T12:00:00Z";
    const { exitCode, err } = await run(words);
    expect(exitCode).toBe(5);
    expect(err).toContain(
      "lost: the service no longer has what happened from 2026-11-21T11:58:00.000Z to 2027-05-25T12:00:00.000Z",
    );
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
TOKEN_OPERATION_NAME    string  in the message  what was done to the token: DELETE, SYNC, UPLOAD
TOKEN_OPERATION_STATUS  string  in the message  how it ended: SUCCESSFUL, UNSUCCESSFUL
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
    expect(await run(["events", "unicorn"])).toEqual({ exitCode: 4, out: "", err: "no event has 'unicorn'\n" });
  });
});
