import { admin, type admin_reports_v1, auth } from "@googleapis/admin";
import {
  type ActivityServer,
  answerActivityRequest,
  createActivityStore,
  parseActivity,
  startActivityServer,
} from "../../../lib/audit";

const now = () => new Date("2026-11-21T12:00:00Z");
const store = createActivityStore({ now });
let server: ActivityServer;
const tokens: (string | undefined)[] = [];

beforeAll(async () => {
  for (let index = 0; index < 25; index++) {
    store.record({
      time: new Date(Date.UTC(2026, 10, 21, 10, index)),
      actor: { email: "admin@example.com", profileId: "110506652893456789012" },
      events: [
        index % 5 === 0
          ? { name: "ADD_MOBILE_CERTIFICATE", parameters: { MOBILE_CERTIFICATE_COMMON_NAME: `ca-${index}` } }
          : {
              name: "COMPANY_DEVICES_BULK_CREATION",
              parameters: { NUMBER_OF_COMPANY_OWNED_DEVICES: "9007199254740993" },
            },
      ],
    });
  }
  server = await startActivityServer({ store, now, authorize: (token) => tokens.push(token) > 0 && token !== "stale" });
});

afterAll(() => server.close());

describe("the reports client of googleapis", () => {
  // Sets fetch explicitly: the client would load its own with a dynamic import, which Jest does not support.
  const client = () => admin({ version: "reports_v1", rootUrl: `${server.url}/`, fetchImplementation: fetch });

  test("lists by event, with the token in the query as in specification 2", async () => {
    const { data } = await client().activities.list({
      userKey: "all",
      applicationName: "admin",
      eventName: "ADD_MOBILE_CERTIFICATE",
      maxResults: 3,
      access_token: "token",
    });
    const names = data.items?.map((item) => item.events?.[0]?.parameters?.[0]?.value);
    expect([names, tokens.at(-1)]).toEqual([["ca-20", "ca-15", "ca-10"], "token"]);
  });

  test("reads every page", async () => {
    const times: string[] = [];
    let pageToken: string | undefined;
    do {
      const request: admin_reports_v1.Params$Resource$Activities$List = {
        userKey: "all",
        applicationName: "admin",
        maxResults: 10,
      };
      const { data } = await client().activities.list(pageToken === undefined ? request : { ...request, pageToken });
      times.push(...(data.items ?? []).map((item) => item.id?.time ?? ""));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    expect(times).toHaveLength(25);
    expect(times).toEqual([...times].sort().reverse());
  });

  test("sends a bearer token and receives records of the catalogue", async () => {
    const credentials = new auth.OAuth2();
    credentials.setCredentials({ access_token: "bearer" });
    const { data } = await client().activities.list({
      userKey: "all",
      applicationName: "admin",
      maxResults: 1,
      auth: credentials,
    });
    const [activity] = (data.items ?? []).map((item) => parseActivity(item, { strict: true }));
    expect(activity?.events[0]?.parameters).toEqual({ NUMBER_OF_COMPANY_OWNED_DEVICES: "9007199254740993" });
    expect(tokens.at(-1)).toBe("bearer");
  });

  test("receives errors in the service's form", async () => {
    await expect(
      client().activities.list({ userKey: "all", applicationName: "admin", maxResults: 5_000 }),
    ).rejects.toMatchObject({ status: 400, message: "maxResults '5000' is not a number from 1 to 1000" });
  });
});

test.each([
  ["GET", "/admin/reports/v1/activity/users/all/applications", 404],
  ["GET", "/admin/reports/v1/activity/users/%zz/applications/admin", 404],
  ["GET", "//", 404],
  ["POST", "/admin/reports/v1/activity/users/all/applications/admin", 405],
  ["GET", "/admin/reports/v1/activity/users/all/applications/admin?access_token=stale", 401],
  ["GET", "/admin/reports/v1/activity/users/all/applications/admin?access_token=fresh&maxResults=7", 200],
])("answers %s %s with %d", (method, url, status) => {
  expect(
    answerActivityRequest(
      { method, url },
      { store, now, authorize: (token) => token === "fresh" || token === undefined },
    ),
  ).toMatchObject({
    status,
  });
});

test("prefers the token in the header to the query", () => {
  const url = "/admin/reports/v1/activity/users/all/applications/admin?access_token=stale";
  const authorize = (token: string | undefined) => token === "fresh";
  expect(
    answerActivityRequest({ method: "GET", url, authorization: "Bearer fresh" }, { store, now, authorize }).status,
  ).toBe(200);
});

test("uses the last value of a parameter that appears twice", () => {
  const url = "/admin/reports/v1/activity/users/all/applications/admin?access_token=t&maxResults=7&maxResults=2";
  const { body } = answerActivityRequest({ method: "GET", url }, { store, now });
  expect((body as { readonly items: readonly unknown[] }).items).toHaveLength(2);
});

const list = "/admin/reports/v1/activity/users/all/applications/admin";

test.each([
  ["no token", list, undefined, 401],
  ["an empty token", `${list}?access_token=`, undefined, 401],
  ["another scheme", list, "Basic dTpw", 401],
  ["a token in the query", `${list}?access_token=t`, undefined, 200],
  ["a token in the header", list, "Bearer t", 200],
])("answers a request with %s", (_, url, authorization, status) => {
  expect(answerActivityRequest({ method: "GET", url, authorization }, { store, now }).status).toBe(status);
});

test.each([
  ["nextPageToken", ["nextPageToken"], undefined],
  ["items(id/time)", ["items"], { id: { time: expect.any(String) } }],
  ["kind,items/actor/email", ["kind", "items"], { actor: { email: "admin@example.com" } }],
])("answers with the fields %s", (fields, keys, first) => {
  const url = `${list}?access_token=t&maxResults=1&fields=${encodeURIComponent(fields)}`;
  const { status, body } = answerActivityRequest({ method: "GET", url }, { store, now });
  expect([status, Object.keys(body).sort()]).toEqual([200, [...keys].sort()]);
  expect((body as { readonly items?: readonly unknown[] }).items?.[0]).toEqual(first);
});

test.each(["items(", "nothing", "items/id/nothing"])("refuses the fields %s", (fields) => {
  const url = `${list}?access_token=t&fields=${encodeURIComponent(fields)}`;
  expect(answerActivityRequest({ method: "GET", url }, { store, now })).toMatchObject({
    status: 400,
    body: { error: { errors: [{ reason: "invalidParameter", message: expect.stringMatching(/^fields: /) }] } },
  });
});

test.each([["POST", `${list}/watch`, "reports.activities.watch"]])(
  "answers %s %s with 501, and names the method",
  (method, url, id) => {
    expect(answerActivityRequest({ method, url }, { store, now })).toMatchObject({
      status: 501,
      body: { error: { message: `${id} is not emulated here` } },
    });
  },
);
