import { type ActivityStore, createActivityStore, listActivities } from "../../../lib/audit";
import { assignRole, event, record } from "../activities";

const now = new Date("2026-11-21T12:00:00Z");
let store: ActivityStore;

beforeEach(() => {
  store = createActivityStore({ now: () => now });
});

interface Body {
  readonly items?: readonly { readonly id: { readonly time: string } }[];
  readonly nextPageToken?: string;
  readonly error?: { readonly code: number; readonly errors: readonly { readonly reason: string }[] };
}

function list(
  query: Readonly<Record<string, string>> = {},
  path: { userKey?: string; applicationName?: string; at?: Date } = {},
) {
  const { userKey = "all", applicationName = "admin", at = now } = path;
  const { status, body } = listActivities(
    store,
    { userKey, applicationName, query: new Map(Object.entries(query)) },
    at,
  );
  const read = body as Body;
  return { status, body: read, times: (read.items ?? []).map(({ id }) => id.time.slice(11, 16)) };
}

function add(time: string, events: readonly object[] = [assignRole()], more: object = {}, visibleFrom?: Date) {
  const given = {
    ...record(events, { time: `2026-11-21T${time}:00.000Z`, qualifier: time.replace(":", "") }),
    ...more,
  };
  store.ingest(given, visibleFrom === undefined ? {} : { visibleFrom });
}

test("an empty answer has no items", () => {
  expect(list()).toMatchObject({ status: 200, body: { kind: "admin#reports#activities" } });
  expect(list().body).not.toHaveProperty("items");
});

test("lists the newest first by time; with equal times, the last to arrive first", () => {
  add("10:00");
  add("11:00");
  add("09:00");
  add("10:00", [event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "second" })]);
  expect(list().times).toEqual(["11:00", "10:00", "10:00", "09:00"]);
  expect(JSON.stringify(list().body.items?.[1])).toContain("second");
});

describe("pages", () => {
  beforeEach(() => {
    for (const time of ["08:00", "09:00", "09:00", "10:00", "11:00"]) add(time);
  });

  function pages(query: Readonly<Record<string, string>>): readonly (readonly string[])[] {
    const all: (readonly string[])[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page = list({ ...query, pageToken: token });
      all.push(page.times);
      token = page.body.nextPageToken;
    }
    return all;
  }

  test("have the requested size and together contain every record once", () => {
    expect(pages({ maxResults: "2" })).toEqual([["11:00", "10:00"], ["09:00", "09:00"], ["08:00"]]);
    expect(pages({ maxResults: "5" })).toEqual([["11:00", "10:00", "09:00", "09:00", "08:00"]]);
  });

  test("do not shift when records arrive in between", () => {
    const first = list({ maxResults: "2" });
    add("10:30");
    add("08:30");
    const second = list({ maxResults: "2", pageToken: first.body.nextPageToken ?? "" });
    const third = list({ maxResults: "2", pageToken: second.body.nextPageToken ?? "" });
    expect([first.times, second.times, third.times]).toEqual([["11:00", "10:00"], ["09:00", "09:00"], ["08:00"]]);
    expect(list().times).toHaveLength(7);
  });

  test.each(["x", "!!", Buffer.from("[]").toString("base64url"), Buffer.from('["a",1,2,3,4]').toString("base64url")])(
    "fail for the token %j",
    (pageToken) => {
      expect(list({ pageToken })).toMatchObject({ status: 400, body: { error: { errors: [{ reason: "invalid" }] } } });
    },
  );

  test("fail for the token of another listing", () => {
    const { body } = list({ maxResults: "2" });
    expect(list({ maxResults: "2", eventName: "ASSIGN_ROLE", pageToken: body.nextPageToken ?? "" }).status).toBe(400);
  });
});

test("lists a late record after its arrival", () => {
  add("10:00", [assignRole()], {}, new Date("2026-11-21T12:30:00Z"));
  expect(list().times).toEqual([]);
  expect(list({}, { at: new Date("2026-11-21T12:30:00Z") }).times).toEqual(["10:00"]);
});

describe("conditions", () => {
  beforeEach(() => {
    add("08:00", [event("EMAIL_SETTINGS", "CREATE_GMAIL_SETTING", { SETTING_NAME: "s" })], {
      ipAddress: "203.0.113.9",
    });
    add("09:00", [assignRole("a", "u@example.com"), assignRole("b", "v@example.com")], { actor: { profileId: "77" } });
    add("10:00", [assignRole("_SEED_ADMIN_ROLE")], { actor: { email: "Chief@example.com" } });
  });

  test.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ eventName: "ASSIGN_ROLE" }, ["10:00", "09:00"]],
    [{ eventName: "CREATE_HOSTED_MAIL_SETTING" }, ["08:00"]],
    [{ eventName: "CREATE_GMAIL_SETTING" }, ["08:00"]],
    [{ eventName: "NO_SUCH_EVENT" }, []],
    [{ eventName: "ASSIGN_ROLE", filters: "ROLE_NAME==b" }, ["09:00"]],
    [{ filters: "ROLE_NAME==a,USER_EMAIL==v@example.com" }, []],
    [{ filters: "ROLE_NAME==b,USER_EMAIL==v@example.com" }, ["09:00"]],
    [{ eventName: "ASSIGN_ROLE", filters: "SETTING_NAME==s" }, []],
    [{ startTime: "2026-11-21T09:00:00Z" }, ["10:00", "09:00"]],
    [{ endTime: "2026-11-21T09:00:00Z" }, ["08:00"]],
    [{ startTime: "2026-11-21T10:30:00+01:30", endTime: "2026-11-21T10:00:00Z" }, ["09:00"]],
    [{ actorIpAddress: "203.0.113.9" }, ["08:00"]],
    [{ customerId: "C03az79cb" }, ["10:00", "09:00", "08:00"]],
    [{ customerId: "C9" }, []],
    [{ customerId: "my_customer" }, ["10:00", "09:00", "08:00"]],
    [{ noSuchParameter: "x" }, ["10:00", "09:00", "08:00"]],
  ])("%j", (query, times) => {
    expect(list(query)).toMatchObject({ status: 200, times });
  });

  test.each([
    ["77", ["09:00"]],
    ["chief@example.com", ["10:00"]],
    ["nobody@example.com", []],
  ])("by the actor %s", (userKey, times) => {
    expect(list({}, { userKey }).times).toEqual(times);
  });

  test("by the application", () => {
    expect(list({}, { applicationName: "login" }).times).toEqual([]);
  });
});

test("does not list records older than 180 days, however early the start", () => {
  add("10:00");
  const query = { startTime: "2020-01-01T00:00:00Z" };
  expect(list(query, { at: new Date("2027-05-20T09:59:00Z") }).times).toEqual(["10:00"]);
  expect(list(query, { at: new Date("2027-05-20T10:01:00Z") }).times).toEqual([]);
});

test.each([
  { maxResults: "0" },
  { maxResults: "1001" },
  { maxResults: "ten" },
  { startTime: "yesterday" },
  { startTime: "2026-11-21T12:00:00Z" },
  { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-20T00:00:00Z" },
  { filters: "NEW_VALUE" },
  { customerId: "X" },
])("refuses %j as the public service does", (query) => {
  expect(list(query as Readonly<Record<string, string>>)).toMatchObject({
    status: 400,
    body: { error: { code: 400, errors: [{ domain: "global", reason: "invalid" }] } },
  });
});

test.each(["orgUnitID", "groupIdFilter", "networkInfoFilter", "statusFilter"])(
  "reports that %s is not emulated",
  (name) => {
    const { status, body } = list({ [name]: "id:a" });
    expect([status, body.error]).toMatchObject([501, { message: `${name} is not emulated here` }]);
  },
);
