import {
  ActivitiesClient,
  type ActivitiesClientOptions,
  type ActivityQuery,
  createActivityStore,
  type ListOptions,
} from "../../../lib/audit";
import { InputError } from "../../../lib/errors";
import { createHttpClient } from "../../../lib/http";
import { assignRole, record } from "../activities";
import { type Fault, type FaultyServer, faults, startFaultyServer } from "../faulty-server";

const now = () => new Date("2026-11-21T12:00:00Z");
const store = createActivityStore({ now });
for (let index = 0; index < 25; index++) {
  const time = new Date(Date.UTC(2026, 10, 21, 10, index)).toISOString();
  store.ingest(record([assignRole(String(index))], { time, qualifier: `${index}` }));
}
const expected = Array.from({ length: 25 }, (_, index) => String(24 - index));

let server: FaultyServer | undefined;
let waits: number[] = [];

afterEach(async () => {
  await server?.close();
  server = undefined;
  waits = [];
});

async function start(plan?: (number: number) => Fault | undefined): Promise<string> {
  server = await startFaultyServer({ store, now }, plan);
  return server.url;
}

const sleep = async (ms: number) => void waits.push(ms);

function client(baseUrl: string, change: Partial<ActivitiesClientOptions> = {}): ActivitiesClient {
  const http = createHttpClient({
    sleep,
    now,
    random: () => 0.5,
    limits: { timeoutMs: 2_000 },
    retry: { maxAttempts: 4 },
  });
  return new ActivitiesClient({ baseUrl, http, ...change, time: { now, sleep, ...change.time } });
}

async function roles(
  from: ActivitiesClient,
  query: ActivityQuery = {},
  options: ListOptions = {},
): Promise<readonly unknown[]> {
  const read: unknown[] = [];
  for await (const { events } of from.list(query, options))
    read.push(...events.map((event) => event.name === "ASSIGN_ROLE" && event.parameters.ROLE_NAME));
  return read;
}

test("reads every page, newest first, and reports its progress", async () => {
  const progress: unknown[] = [];
  const url = await start();
  expect(await roles(client(url), { maxResults: 10 }, { onProgress: (step) => progress.push(step) })).toEqual(expected);
  expect(progress).toEqual([
    { pages: 1, activities: 10, reached: new Date("2026-11-21T10:15:00Z") },
    { pages: 2, activities: 20, reached: new Date("2026-11-21T10:05:00Z") },
    { pages: 3, activities: 25, reached: new Date("2026-11-21T10:00:00Z") },
  ]);
});

test("sends the request of specification 2, with the token in the header", async () => {
  const url = await start();
  const query: ActivityQuery = {
    userKey: "admin@example.com",
    eventName: "ASSIGN_ROLE",
    maxResults: 1_000,
    filters: [{ parameter: "ROLE_NAME", operator: "==", value: "7" }],
    startTime: new Date("2026-11-21T00:00:00Z"),
    endTime: new Date("2026-11-22T00:00:00Z"),
    actorIpAddress: "198.51.100.7",
    customerId: "my_customer",
  };
  expect(await roles(client(url, { authorization: { token: () => "secret" } }), query)).toEqual(["7"]);
  expect(server?.requests).toEqual([
    {
      path: "/admin/reports/v1/activity/users/admin%40example.com/applications/admin",
      query: {
        eventName: "ASSIGN_ROLE",
        maxResults: "1000",
        filters: "ROLE_NAME==7",
        startTime: "2026-11-21T00:00:00.000Z",
        endTime: "2026-11-22T00:00:00.000Z",
        actorIpAddress: "198.51.100.7",
        customerId: "my_customer",
      },
      authorization: "Bearer secret",
    },
  ]);
});

test("sends only the parameters that the query sets", async () => {
  await roles(client(await start()));
  expect(server?.requests).toEqual([
    { path: "/admin/reports/v1/activity/users/all/applications/admin", query: {}, authorization: undefined },
  ]);
});

test("sends the token in the query if configured, a new token for each page", async () => {
  let count = 0;
  await roles(client(await start(), { authorization: { tokenIn: "query", token: async () => `t${++count}` } }), {
    maxResults: 20,
  });
  expect(server?.requests.map(({ query, authorization }) => [query.access_token, authorization])).toEqual([
    ["t1", undefined],
    ["t2", undefined],
  ]);
});

test("uses the public service's event names if configured", async () => {
  const url = await start();
  await roles(client(url, { serviceNames: true }), { eventName: "CREATE_HOSTED_MAIL_SETTING" });
  await roles(client(url, { serviceNames: true, vendor: "Acme" }), { eventName: "USE_VENDOR_MOBILE_MANAGEMENT" });
  await roles(client(url), { eventName: "CREATE_HOSTED_MAIL_SETTING" });
  expect(server?.requests.map(({ query }) => query.eventName)).toEqual([
    "CREATE_GMAIL_SETTING",
    "USE_ACME_MOBILE_MANAGEMENT",
    "CREATE_HOSTED_MAIL_SETTING",
  ]);
});

test("stops when the signal aborts", async () => {
  const stop = new AbortController();
  const reading = roles(
    client(await start()),
    { maxResults: 5 },
    { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) },
  );
  await expect(reading).rejects.toThrow("enough");
  expect(server?.requests).toHaveLength(1);
});

test("stays within the quota of filter queries", async () => {
  let clockMs = now().getTime();
  const url = await start();
  const held: number[] = [];
  const limited = new ActivitiesClient({
    baseUrl: url,
    limits: { filterQueriesPerMinute: 2 },
    time: {
      now: () => new Date(clockMs),
      sleep: async (ms) => {
        held.push(ms);
        clockMs += ms;
      },
    },
  });
  expect(await roles(limited, { eventName: "ASSIGN_ROLE", maxResults: 5 })).toHaveLength(25);
  expect(held).toEqual([60_000, 60_000]);
  expect(await roles(limited, { maxResults: 5 })).toHaveLength(25);
  expect(held).toHaveLength(2);
});

describe("retries a temporary failure until the listing is complete", () => {
  test.each<[string, Fault]>([
    ["403 rateLimitExceeded", faults.refuse(403, "rateLimitExceeded")],
    ["403 userRateLimitExceeded", faults.refuse(403, "userRateLimitExceeded")],
    ["403 quotaExceeded", faults.refuse(403, "quotaExceeded")],
    ["429", faults.refuse(429, "tooMany")],
    ["500", faults.refuse(500, "backendError")],
    ["503", faults.refuse(503, "serviceNotAvailable")],
    ["a connection that is cut", faults.cut()],
    ["a body that is cut", faults.cutBody()],
    ["half a page in a complete response", faults.half()],
    ["another page of another server", faults.answer("<html>sign in</html>", "text/html")],
  ])("%s, once on the second page", async (_, fault) => {
    const url = await start((number) => (number === 2 ? fault : undefined));
    expect(await roles(client(url), { maxResults: 10 })).toEqual(expected);
    expect(server?.requests).toHaveLength(4);
    expect(waits).toHaveLength(1);
  });

  test("waits as long as the service asks", async () => {
    const url = await start((number) =>
      number === 1 ? faults.refuse(503, "unavailable", { "retry-after": "7" }) : undefined,
    );
    expect(await roles(client(url))).toEqual(expected);
    expect(waits).toEqual([7_000]);
  });
});

test.each<[string, Fault, object]>([
  [
    "403 for lack of a right",
    faults.refuse(403, "forbidden"),
    { code: "service-refused", status: 403, reason: "forbidden", retryable: false },
  ],
  ["401", faults.refuse(401, "authError"), { code: "service-refused", status: 401 }],
  [
    "403 rateLimitExceeded",
    faults.refuse(403, "rateLimitExceeded"),
    { code: "service-refused", reason: "rateLimitExceeded", retryable: true },
  ],
  ["503", faults.refuse(503, "x"), { code: "service-refused", status: 503 }],
  ["a redirect to nowhere", (response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), {}],
  ["a cut connection", faults.cut(), { code: "service-unreachable" }],
  ["a cut body", faults.cutBody(), { code: "answer-cut" }],
  ["half a page", faults.half(), { code: "answer-malformed" }],
  ["nothing", faults.answer(""), { code: "answer-malformed" }],
  [
    "a part of a page, as a cache gives it",
    faults.answer('{"items":[]}', "application/json", 206),
    { code: "answer-malformed", status: 206 },
  ],
  ["an empty object", faults.answer("{}"), { code: "answer-malformed" }],
  ["an object of another kind", faults.answer('{"kind":"admin#directory#users"}'), { code: "answer-malformed" }],
  ["a list", faults.answer("[]"), { code: "answer-malformed" }],
  ["a page of another server", faults.answer("<html>", "text/html"), { code: "answer-malformed" }],
  [
    "an error with status 200",
    faults.answer('{"kind":"admin#reports#activities","error":{"code":403}}'),
    { code: "answer-malformed" },
  ],
  ["items that are not a list", faults.answer('{"items":{}}'), { code: "answer-malformed" }],
  ["a page token that is not a text", faults.nextPageToken(7), { code: "answer-malformed" }],
  ["a page token that comes again", faults.nextPageToken("same"), {}],
  ["a record that is not an object", faults.answer('{"items":[7]}'), { code: "record-malformed", retryable: false }],
])("fails and returns no listing for %s", async (_, fault, error) => {
  const url = await start(() => fault);
  await expect(roles(client(url), { maxResults: 10 })).rejects.toMatchObject({ name: "ServiceError", ...error });
});

test("fails and returns no listing for a page token that repeats", async () => {
  let first: string | undefined;
  const again = (response: Parameters<Fault>[0], body: string) => {
    const page = JSON.parse(body);
    first ??= page.nextPageToken;
    response.end(JSON.stringify({ ...page, nextPageToken: first }));
  };
  const url = await start(() => again);
  await expect(roles(client(url), { maxResults: 5 })).rejects.toMatchObject({ code: "page-token-repeated" });
  expect(server?.requests).toHaveLength(2);
});

test.each([400, 410])(
  "fails and returns no listing for a page token that the service refuses with HTTP %i, so that the caller may list again",
  async (status) => {
    const url = await start((number) => (number === 2 ? faults.refuse(status, "invalid") : undefined));
    await expect(roles(client(url), { maxResults: 5 })).rejects.toMatchObject({
      code: "page-token-refused",
      retryable: true,
      status,
    });
    const first = await start(() => faults.refuse(status, "invalid"));
    await expect(roles(client(first), { maxResults: 5 })).rejects.toMatchObject({ retryable: false, status });
  },
);

test("fails and returns no listing for more pages than allowed", async () => {
  await expect(roles(client(await start(), { limits: { maxPages: 2 } }), { maxResults: 10 })).rejects.toMatchObject({
    code: "too-many-pages",
    retryable: false,
  });
  expect(await roles(client(server?.url ?? "", { limits: { maxPages: 3 } }), { maxResults: 10 })).toEqual(expected);
});

test("fails and returns no listing for a service that does not exist", async () => {
  const url = await start();
  await server?.close();
  await expect(roles(client(url))).rejects.toMatchObject({ code: "service-unreachable", retryable: true });
});

test("never includes the token in an error, even if the token was sent in the query", async () => {
  const url = await start(() => faults.refuse(403, "forbidden"));
  const error = await roles(client(url, { authorization: { token: () => "s3cret", tokenIn: "query" } })).catch(
    (thrown: Error) => thrown,
  );
  expect(server?.requests[0]?.query.access_token).toBe("s3cret");
  expect(String(error)).toContain("access_token=***");
  expect(String(error)).not.toContain("s3cret");
});

test("passes on invalid records, and reports missing data that the service announces", async () => {
  const text =
    '{"items":[7,{"id":{"uniqueQualifier":-7312345678901234567},"events":[]}],"warnings":[{"code":"PARTIAL_DATA_AVAILABLE","message":"soon\\u001b"}]}';
  const url = await start(() => faults.answer(text));
  for await (const page of client(url).pages({})) {
    expect(page.unreadable).toEqual([{ problem: { code: "activity-malformed", message: expect.any(String) }, raw: 7 }]);
    expect(page.activities.map(({ id }) => id.uniqueQualifier)).toEqual(["-7312345678901234567"]);
    expect(page.warnings).toEqual(["PARTIAL_DATA_AVAILABLE: soon\\u{1b}"]);
  }
  expect(server?.requests).toHaveLength(1);
});

test("refuses an invalid query before it sends a request", async () => {
  const url = await start();
  await expect(roles(client(url), { eventName: "ASIGN_ROLE" })).rejects.toThrow(InputError);
  await expect(roles(client(url), { applicationName: "no_such_application" })).rejects.toMatchObject({
    code: "parameter-enum",
  });
  expect(server?.requests).toEqual([]);
});

test.each([
  ["ftp://example.com", undefined, "base-url-malformed"],
  ["example.com", undefined, "base-url-malformed"],
  ["https://example.com/?a=b", undefined, "base-url-malformed"],
  ["https://user:secret@example.com", undefined, "base-url-malformed"],
  ["http://example.com", () => "t", "token-in-clear"],
  ["http://127.0.0.1.example.com", () => "t", "token-in-clear"],
])("fails for %s: %s", (baseUrl, token, code) => {
  expect(() => new ActivitiesClient(token === undefined ? { baseUrl } : { baseUrl, authorization: { token } })).toThrow(
    expect.objectContaining({ code }),
  );
});

test("fails for a token that contains a line break", async () => {
  await expect(
    roles(client(await start(), { authorization: { token: () => "a\r\nx-admin: true" } })),
  ).rejects.toMatchObject({
    code: "token-malformed",
  });
});
