import { request as httpRequest } from "node:http";
import { type FaultPlan, startCloud } from "../../../lib/cloud";
import { type Answer, makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "z1", "example.com.");
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=m1`, {});
});
afterAll(() => cloud.stop());
afterEach(() => cloud.faults.set({}));

const zones = "/dns/v1/projects/p1/managedZones";
const proxies = "/compute/v1/projects/p1/global/targetHttpsProxies";

/** Returns the code and message of an error in either format; the whole body must have one of the formats. */
function errorOf({ status, body }: Answer): readonly unknown[] {
  const { code, message, errors, status: word, details } = (body as { readonly error: Refusal }).error;
  const reason = errors?.[0]?.reason;
  const older = { error: { code, message, errors: [{ message, domain: "global", reason }] } };
  const newer = { error: { code, message, status: word, ...(details === undefined ? {} : { details }) } };
  expect(body).toEqual(errors === undefined ? newer : older);
  expect([code, typeof message]).toEqual([status, "string"]);
  return [status, errors === undefined ? word : reason];
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly errors?: readonly { readonly reason: string }[];
  readonly status?: string;
  readonly details?: readonly object[];
}

test.each<[what: string, method: string, path: string, body: object | undefined, expected: readonly unknown[]]>([
  [
    "an unknown field, of Certificate Manager",
    "POST",
    `/v1/${parent}/certificateMaps?certificateMapId=m2`,
    { colour: "red" },
    [400, "INVALID_ARGUMENT"],
  ],
  ["an unknown field, of DNS", "POST", zones, { colour: "red" }, [400, "invalid"]],
  ["an unknown field, of Compute", "POST", proxies, { colour: "red" }, [400, "invalid"]],
  [
    "a missing resource, of Certificate Manager",
    "GET",
    `/v1/${parent}/certificates/none`,
    undefined,
    [404, "NOT_FOUND"],
  ],
  ["a missing resource, of DNS", "GET", `${zones}/none`, undefined, [404, "notFound"]],
  ["a missing resource, of Compute", "GET", `${proxies}/none`, undefined, [404, "notFound"]],
  [
    "an existing name, of Certificate Manager",
    "POST",
    `/v1/${parent}/certificateMaps?certificateMapId=m1`,
    {},
    [409, "ALREADY_EXISTS"],
  ],
  [
    "an existing name, of DNS",
    "POST",
    zones,
    { name: "z1", dnsName: "a.example.", description: "" },
    [409, "alreadyExists"],
  ],
  [
    "a precondition, of DNS",
    "POST",
    `${zones}/z1/changes`,
    { deletions: [{ name: "example.com.", type: "NS", ttl: 1, rrdatas: ["a."] }] },
    [412, "conditionNotMet"],
  ],
  ["a method that is not emulated, of DNS", "POST", `${zones}/z1:getIamPolicy`, {}, [501, "notImplemented"]],
  ["an unknown path, of Certificate Manager", "GET", "/v1/projects/p1/nonsense", undefined, [501, "UNIMPLEMENTED"]],
  ["an unknown path, of DNS", "GET", "/dns/v1/projects/p1/nonsense", undefined, [501, "notImplemented"]],
  [
    "an unknown path, of Compute",
    "GET",
    "/compute/v1/projects/p1/zones/a/instances",
    undefined,
    [501, "notImplemented"],
  ],
  ["an unknown path outside of all services", "GET", "/favicon.ico", undefined, [501, "UNIMPLEMENTED"]],
  ["a verb that a resource doesn't have", "PUT", `/v1/${parent}/certificateMaps/m1`, {}, [501, "UNIMPLEMENTED"]],
])("a refusal of %s has its code and error format", async (_what, method, path, body, expected) => {
  expect(errorOf(await cloud.call(method, path, body))).toEqual(expected);
});

test.each([
  ["UNAUTHENTICATED", 401, "UNAUTHENTICATED", "authError"],
  ["PERMISSION_DENIED", 403, "PERMISSION_DENIED", "forbidden"],
  ["ABORTED", 409, "ABORTED", "conflict"],
  ["RESOURCE_EXHAUSTED", 429, "RESOURCE_EXHAUSTED", "rateLimitExceeded"],
  ["INTERNAL", 500, "INTERNAL", "internalError"],
  ["UNAVAILABLE", 503, "UNAVAILABLE", "backendError"],
  ["DEADLINE_EXCEEDED", 504, "DEADLINE_EXCEEDED", "deadlineExceeded"],
])("a refusal by a fault is reported in both error formats: %s", async (status, code, word, reason) => {
  cloud.faults.set({ requests: [{ method: "*", status }] } as FaultPlan);
  const newer = await cloud.call("GET", `/v1/${parent}/certificateMaps`);
  const older = await cloud.call("GET", zones);
  expect([errorOf(newer), errorOf(older)]).toEqual([
    [code, word],
    [code, reason],
  ]);
  expect(newer.headers.get("retry-after")).toBe(code === 429 ? "1" : null);
});

it("a refusal of a field names it, the allowed values and its path", async () => {
  const { body } = await cloud.call("POST", `/v1/${parent}/certificates?certificateId=c`, {
    managed: { domains: ["example.com"], colour: "red" },
    shape: 1,
  });
  expect(body).toMatchObject({
    error: {
      message: expect.stringMatching(/managed\.colour: .*shape: /),
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "managed.colour" }, { field: "shape" }],
        },
      ],
    },
  });
});

it("a refusal of a route names it, without credentials and control characters", async () => {
  const { body } = await cloud.call("GET", "/v9/a%1bb?key=secret");
  expect(body).toMatchObject({ error: { message: "the rehearsal cloud does not emulate GET /v9/a%1bb" } });
});

test.each([
  ["a query parameter", "GET", `/v1/${parent}/certificateMaps?nonsense=1`, undefined, "nonsense"],
  ["a malformed number", "GET", `/v1/${parent}/certificateMaps?pageSize=many`, undefined, "pageSize"],
  ["a number out of bounds", "GET", "/compute/v1/projects/p1/global/addresses?maxResults=-1", undefined, "maxResults"],
  ["malformed JSON", "POST", `/v1/${parent}/certificateMaps?certificateMapId=m9`, "{", "Invalid JSON"],
  ["a body that is a list", "POST", `/v1/${parent}/certificateMaps?certificateMapId=m9`, "[]", "has to be an object"],
  ["an unexpected body", "DELETE", `/v1/${parent}/certificateMaps/m1`, '{"a":1}', "takes no body"],
  [
    "a value of another type",
    "POST",
    `/v1/${parent}/certificateMaps?certificateMapId=m9`,
    '{"description":1}',
    "description",
  ],
  [
    "an unknown enumeration value",
    "POST",
    `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=a`,
    '{"domain":"a.example","type":"SIGNED"}',
    "type",
  ],
  [
    "an unknown enumeration number",
    "POST",
    `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=a`,
    '{"domain":"a.example","type":77}',
    "type",
  ],
])("a refusal of %s is a 400 that names it", async (_what, method, path, body, name) => {
  const answer = await cloud.call(method, path, body);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(name);
});

it("a refusal of a body of more than 10 MiB leaves the next request unaffected", async () => {
  const path = `/v1/${parent}/certificateMaps?certificateMapId=big`;
  const answer = await cloud.call("POST", path, "x".repeat(11 * 1024 * 1024));
  expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
  const description = "x".repeat(900);
  const padded = `{"description":"${description}"}${" ".repeat(9 * 1024 * 1024)}`;
  expect((await cloud.call("POST", path, padded)).status).toBe(200);
});

it("a refusal of too long headers has its own status", async () => {
  const { hostname, port } = new URL(cloud.endpoints.http);
  const status = await new Promise((resolve, reject) => {
    const headers = { "x-long": "x".repeat(70_000) };
    const sent = httpRequest({ host: hostname, port, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once("error", reject);
    sent.end();
  });
  expect(status).toBe(431);
});

describe("credentials", () => {
  it("are not required by default; their value is ignored", async () => {
    const strict = await startTestCloud({ servers: { requireCredentials: true } });
    try {
      const path = `/v1/${parent}/certificateMaps`;
      const answers = [
        await strict.call("GET", path),
        await strict.call("GET", zones),
        await strict.call("GET", path, undefined, { authorization: "Bearer anything-at-all" }),
        await strict.call("GET", `${path}?key=anything`),
        await strict.call("GET", `${path}?access_token=anything`),
        await strict.call("GET", path, undefined, { "x-goog-api-key": "anything" }),
        await strict.call("GET", path, undefined, { authorization: "Basic YTpi" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200, 200, 200, 401]);
      expect(answers.slice(0, 2).map(errorOf)).toEqual([
        [401, "UNAUTHENTICATED"],
        [401, "authError"],
      ]);
      expect((await cloud.call("GET", path)).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});

describe("a port that is in use", () => {
  test.each(["port", "dnsPort"] as const)("is refused as --%s, and all other ports are released", async (option) => {
    const taken = Number(new URL(option === "port" ? cloud.endpoints.http : `http://${cloud.endpoints.dns}`).port);
    await expect(startCloud({ servers: { [option]: taken } })).rejects.toMatchObject({
      name: "InputError",
      code: "port-taken",
      message: expect.stringContaining(`127.0.0.1 port ${taken}`),
    });
  });
});
