import { type ActivityQuery, checkQuery, isFilterQuery } from "../../../lib/audit";
import { InputError } from "../../../lib/errors";

const now = new Date("2026-11-21T10:00:00Z");

function problemsOf(query: ActivityQuery): readonly { readonly code: string; readonly message: string }[] {
  try {
    checkQuery(query, now);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}

test.each<ActivityQuery>([
  {},
  { userKey: "110506652893456789012", eventName: "ASSIGN_ROLE", maxResults: 1_000 },
  { userKey: "admin@example.com", eventName: "CREATE_GMAIL_SETTING", maxResults: 1 },
  { eventName: "ASSIGN_ROLE", filters: [{ parameter: "ROLE_NAME", operator: "==", value: "_SEED_ADMIN_ROLE" }] },
  { actorIpAddress: "2001:db8::1", customerId: "my_customer" },
  {
    actorIpAddress: "198.51.100.7",
    customerId: "C03az79cb",
    orgUnitID: "id:03ph8a2z1xdnme9",
    groupIdFilter: "id:a,id:b",
  },
  { startTime: new Date("2026-11-20T00:00:00Z"), endTime: new Date("2026-11-22T00:00:00Z") },
  {
    eventName: "CREATE_USER",
    filters: [{ parameter: "USER_NICKNAME", operator: "==", value: "x" }],
    uncatalogued: true,
  },
  {
    applicationName: "login",
    eventName: "login_success",
    filters: [{ parameter: "login_type", operator: "==", value: "x" }],
  },
])("sends %j", (query) => {
  expect(problemsOf(query)).toEqual([]);
});

test.each<[ActivityQuery, string]>([
  [{ userKey: "" }, "user-malformed"],
  [{ userKey: "a/b" }, "user-malformed"],
  [{ applicationName: "Admin" }, "application-malformed"],
  [{ applicationName: "../admin" }, "application-malformed"],
  [{ eventName: "ASIGN_ROLE" }, "event-uncatalogued"],
  [{ eventName: "A B", uncatalogued: true }, "event-malformed"],
  [{ actorIpAddress: "198.51.100.300" }, "address-malformed"],
  [{ actorIpAddress: "198.51.100.0/24" }, "address-malformed"],
  [{ customerId: "example.com" }, "customer-malformed"],
  [{ orgUnitID: "/Sales" }, "org-unit-malformed"],
  [{ groupIdFilter: "id:abc,def" }, "groups-malformed"],
  [{ maxResults: 0 }, "max-results-out-of-range"],
  [{ maxResults: 1_001 }, "max-results-out-of-range"],
  [{ maxResults: 1.5 }, "max-results-out-of-range"],
  [{ startTime: now }, "time-future"],
  [{ startTime: new Date(0), endTime: new Date(0) }, "time-range-empty"],
  [{ startTime: new Date(Number.NaN) }, "time-invalid"],
  [{ endTime: new Date(8.64e15) }, "time-invalid"],
  [
    { eventName: "ASSIGN_ROLE", filters: [{ parameter: "NEW_VALUE", operator: "==", value: "x" }] },
    "filter-parameter-unknown",
  ],
  [{ filters: [{ parameter: "NO_SUCH", operator: "==", value: "x" }] }, "filter-parameter-unknown"],
  [{ filters: [{ parameter: "NEW_VALUE", operator: "==", value: "a,b" }] }, "filter-value-inexpressible"],
])("fails for %j with %s", (query, code) => {
  expect(problemsOf(query).map((problem) => problem.code)).toEqual([code]);
});

test.each([
  ["the day before the retention period", "2026-05-24T00:00:00Z", ["time-before-retention"]],
  ["the moment at which it begins, which is outside the range", "2026-05-25T10:00:00Z", ["time-before-retention"]],
  ["a moment later", "2026-05-25T10:00:00.001Z", []],
])("accepts an end at %s", (_, endTime, codes) => {
  const found = problemsOf({ endTime: new Date(endTime) }).map(({ code }) => code);
  expect(found).toEqual(codes);
});

test("suggests the correct name for a misspelled event, because the service would return an empty list", () => {
  expect(problemsOf({ eventName: "ASIGN_ROLE" })[0]?.message).toBe(
    "the event 'ASIGN_ROLE' is not in the catalogue, and the service answers nothing to a name it does not know; did you mean ASSIGN_ROLE, or allow uncatalogued ones",
  );
});

test("reports all mistakes at once", () => {
  expect(problemsOf({ userKey: "x", eventName: "NOPE", maxResults: 0 }).map(({ code }) => code)).toEqual([
    "user-malformed",
    "event-uncatalogued",
    "max-results-out-of-range",
  ]);
});

test.each<[ActivityQuery, boolean]>([
  [{}, false],
  [{ userKey: "all", startTime: now, maxResults: 5 }, false],
  [{ userKey: "1" }, true],
  [{ eventName: "ASSIGN_ROLE" }, true],
  [{ filters: [] }, false],
  [{ actorIpAddress: "198.51.100.1" }, true],
  [{ orgUnitID: "id:a" }, true],
  [{ groupIdFilter: "id:a" }, true],
])("%j counts against the quota of filter queries: %s", (query, expected) => {
  expect(isFilterQuery(query)).toBe(expected);
});
