import { once } from "node:events";
import { connect } from "node:net";
import { makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "z1", "example.com.");
  for (const id of ["m1", "m2", "m3"]) {
    await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=${id}`, {
      description: "d e",
      labels: { env: "d_e" },
    });
  }
});
afterAll(() => cloud.stop());

const maps = `/v1/${parent}/certificateMaps`;
/** Creates a map in another project, because other tests compare the lists of this project. */
async function mapToChange(): Promise<string> {
  const path = "/v1/projects/p2/locations/global/certificateMaps";
  const id = `m${cloud.requests().length}`;
  await cloud.make("POST", `${path}?certificateMapId=${id}`, { description: "d e", labels: { env: "d_e" } });
  return `${path}/${id}`;
}

const rrsets = "/dns/v1/projects/p1/managedZones/z1/rrsets";

/** Sends raw octets, which Node's HTTP client would correct, and returns the response. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(cloud.endpoints.http);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.end(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

test.each<[what: string, path: string, expected: object]>([
  ["a raw $alt", `${maps}/m1?$alt=json;enum-encoding=int`, { name: `${parent}/certificateMaps/m1` }],
  ["an encoded $alt", `${maps}/m1?%24alt=json%3Benum-encoding%3Dint`, { name: `${parent}/certificateMaps/m1` }],
  ["a half-encoded $alt", `${maps}/m1?$alt=json%3Benum-encoding=int`, { name: `${parent}/certificateMaps/m1` }],
  ["alt=json and prettyPrint=false", `${maps}/m1?alt=json&prettyPrint=false`, { name: `${parent}/certificateMaps/m1` }],
  ["quotaUser, key and $.xgafv", `${maps}/m1?quotaUser=a&key=b&%24.xgafv=2`, { name: `${parent}/certificateMaps/m1` }],
  ["a bare question mark", `${maps}/m1?`, { name: `${parent}/certificateMaps/m1` }],
  ["two slashes in front", `/${maps}/m1`, { name: `${parent}/certificateMaps/m1` }],
  [
    "a filter with plus signs",
    `${maps}?filter=description+%3D+%22d+e%22+AND+name%3A%22m2%22`,
    { certificateMaps: [{ name: `${parent}/certificateMaps/m2` }] },
  ],
  [
    "a filter with percent signs",
    `${maps}?filter=description%20%3D%20%22d%20e%22%20AND%20name%3Am2`,
    { certificateMaps: [{ name: `${parent}/certificateMaps/m2` }] },
  ],
  [
    "page_size of specification 3",
    `${maps}?page_size=1`,
    { certificateMaps: [{ name: `${parent}/certificateMaps/m1` }], nextPageToken: expect.any(String) },
  ],
  [
    "order_by in either spelling",
    `${maps}?order_by=name+desc&pageSize=1`,
    { certificateMaps: [{ name: `${parent}/certificateMaps/m3` }] },
  ],
  ["a name and a type", `${rrsets}?name=example.com.&type=SOA`, { rrsets: [{ type: "SOA" }] }],
  ["a name that is encoded", `${rrsets}/example.com%2E/NS`, { type: "NS" }],
  [
    "returnPartialSuccess",
    "/compute/v1/projects/p1/global/addresses?returnPartialSuccess=true",
    { kind: "compute#addressList" },
  ],
])("requests of real clients may have %s", async (_what, path, expected) => {
  const { status, body } = await cloud.call("GET", path, undefined, { "content-type": "application/json" });
  expect([status, body]).toMatchObject([200, expected]);
});

it("requests of real clients may have unknown headers, a content type on GET, and content-length: 0", async () => {
  const head = `Host: 127.0.0.1\r\nX-Goog-Request-Params: a=b\r\nX-Goog-Api-Client: gl-node/20\r\nX-Goog-Api-Version: 2026-11-01\r\nContent-Type: application/json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(`GET ${maps}/m1 HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

it("requests of real clients for a deletion are answered without content and without a content-length header", async () => {
  await makeZone(cloud, "gone", "gone.example.");
  const answer = await sendRaw(
    "DELETE /dns/v1/projects/p1/managedZones/gone HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  expect(answer).not.toMatch(/^(?:content-length|transfer-encoding):/im);
  expect(answer.endsWith("\r\n\r\n")).toBe(true);
});

it("requests of real clients may have enumerations by name and by number", async () => {
  const make = (id: string, type: unknown) =>
    cloud.call("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${id}`, {
      domain: `${id}.example.com`,
      type,
    });
  expect([await make("n1", 2), await make("n2", "PER_PROJECT_RECORD"), await make("n3", 1)]).toMatchObject(
    Array(3).fill({ status: 200 }),
  );
  const types = ["n1", "n2", "n3"].map(
    async (id) => (await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/${id}`)).type,
  );
  expect(await Promise.all(types)).toEqual(["PER_PROJECT_RECORD", "PER_PROJECT_RECORD", "FIXED_RECORD"]);
});

it("requests of real clients may have integers as text, and output-only members", async () => {
  const rrset = {
    kind: "dns#resourceRecordSet",
    name: "int.example.com.",
    type: "A",
    ttl: "300",
    rrdatas: ["192.0.2.1"],
  };
  const change = await cloud.make("POST", "/dns/v1/projects/p1/managedZones/z1/changes", {
    kind: "dns#change",
    id: "77",
    status: "done",
    startTime: "2020-01-01T00:00:00Z",
    additions: [{ ...rrset, signatureRrdatas: [] }],
    deletions: [],
  });
  expect(change).toMatchObject({ status: "pending", deletions: [], additions: [{ ttl: 300, signatureRrdatas: [] }] });
  expect(change.id).not.toBe("77");
});

it("requests of real clients may have an empty JSON text as body, and labels that the mask omits", async () => {
  const { name } = (await cloud.make("POST", "/compute/v1/projects/p1/global/addresses", { name: "a1" })) as Record<
    string,
    string
  >;
  await cloud.clock.advance(1_000);
  const wait = `/compute/v1/projects/p1/global/operations/${name}/wait`;
  expect(await cloud.call("POST", wait, '""')).toMatchObject({ status: 200, body: { status: "DONE" } });
  const own = await mapToChange();
  await cloud.make("PATCH", `${own}?updateMask=description`, { labels: {}, description: "new" });
  expect(await cloud.make("GET", own)).toMatchObject({ labels: { env: "d_e" }, description: "new" });
});

it("real clients may send a GET as a POST if the query is too long for a URL", async () => {
  const answer = await cloud.call("POST", maps, "pageSize=1&filter=name%3Am3", {
    "x-http-method-override": "GET",
    "content-type": "application/x-www-form-urlencoded",
  });
  expect(answer).toMatchObject({
    status: 200,
    body: { certificateMaps: [{ name: `${parent}/certificateMaps/m3` }] },
  });
  const patched = await cloud.call(
    "POST",
    `${await mapToChange()}?updateMask=description`,
    { description: "over" },
    { "x-http-method-override": "PATCH" },
  );
  expect(patched).toMatchObject({ status: 200, body: { metadata: { verb: "update" } } });
});

describe("a page token", () => {
  it("leads from page to page, and is refused if it was changed or belongs to another list", async () => {
    const first = await cloud.make("GET", `${maps}?pageSize=2`);
    const token = String(first.nextPageToken);
    const second = await cloud.make("GET", `${maps}?pageSize=2&page_token=${token}`);
    expect(second).toEqual({ certificateMaps: [expect.objectContaining({ name: `${parent}/certificateMaps/m3` })] });
    const bad = [`${token}x`, token.slice(2), "x", "%00"].map((changed) => `${maps}?pageToken=${changed}`);
    for (const path of [...bad, `${maps}?pageToken=${token}&filter=name%3Am`, `${rrsets}?pageToken=!`]) {
      const { status, body } = await cloud.call("GET", path);
      expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining("page_token")]);
    }
  });
});

it("the request log has the method, the client and the status of each request, and no credentials", async () => {
  const before = cloud.requests().length;
  await cloud.call("GET", `${maps}/m1?key=AIzaSyVerySecretKey`);
  await cloud.call("GET", `${maps}/m1?access_token=ya29.very-secret-token`);
  await cloud.call("GET", `${maps}/none`, undefined, { authorization: "Bearer ya29.very-secret-token" });
  await cloud.call("DELETE", `${maps}/none`, undefined, { "x-goog-api-key": "short" });
  await cloud.call("GET", "/nowhere");
  const logged = cloud.requests().slice(before);
  expect(logged).toMatchObject([
    {
      httpMethod: "GET",
      target: `${maps}/m1?key=***`,
      method: "certificatemanager.projects.locations.certificateMaps.get",
      status: 200,
      caller: "key …tKey",
      mutation: false,
    },
    { target: `${maps}/m1?access_token=***`, caller: "token …oken" },
    { target: `${maps}/none`, status: 404, caller: "token …oken" },
    {
      httpMethod: "DELETE",
      method: "certificatemanager.projects.locations.certificateMaps.delete",
      status: 404,
      caller: "key …",
      mutation: true,
    },
    { target: "/nowhere", status: 501, caller: "anonymous" },
  ]);
  expect(logged.map(({ number }) => number - (logged[0]?.number ?? 0))).toEqual([0, 1, 2, 3, 4]);
  expect(logged[0]).toMatchObject({ time: cloud.clock.now().toISOString(), durationMs: expect.any(Number) });
  expect(JSON.stringify(cloud.requests())).not.toMatch(/Secret|secret|short/);
});

it("the request log contains reads of the audit log and of API descriptions, and recorded activities", async () => {
  const reports = "/admin/reports/v1/activity/users/all/applications/admin";
  const actor = { email: "admin@example.com", profileId: "1" };
  const activity = {
    actor,
    id: { applicationName: "admin" },
    events: [{ type: "USER_SETTINGS", name: "CREATE_USER" }],
  };
  const before = cloud.requests().length;
  await cloud.call("POST", "/_cloud/activities", { ...activity, events: [] });
  await cloud.call("GET", `${reports}?key=AIzaSyVerySecretKey`, undefined, {
    authorization: "Bearer ya29.secret-token",
  });
  await cloud.call("GET", reports.replace("admin/reports", "admin/reports/x"));
  await cloud.call("GET", "/discovery/v1/apis");
  await cloud.call("GET", "/discovery/v1/apis/dns/v1/rest");
  await cloud.call("GET", "/discovery/v1/apis/nothing/v1/rest");
  for (const path of ["/_cloud/clock", "/_cloud/requests", "/_cloud/faults"]) await cloud.call("GET", path);
  await cloud.call("POST", "/_cloud/clock", { advanceMs: 1 });
  const logged = cloud.requests().slice(before);
  expect(logged.map(({ target, method, mutation }) => [target, method, mutation])).toEqual([
    ["/_cloud/activities", undefined, true],
    [`${reports}?key=***`, "reports.activities.list", false],
    [expect.stringContaining("/admin/reports/x/v1/"), undefined, false],
    ["/discovery/v1/apis", "discovery.apis.list", false],
    ["/discovery/v1/apis/dns/v1/rest", "discovery.apis.getRest", false],
    ["/discovery/v1/apis/nothing/v1/rest", "discovery.apis.getRest", false],
  ]);
  expect(logged[1]).toMatchObject({ httpMethod: "GET", caller: "token …oken", time: expect.any(String) });
  expect(logged.map(({ status }) => status).slice(3)).toEqual([200, 200, 404]);
});

it("the request log contains every mutation", async () => {
  const mutations = () => cloud.requests().filter(({ mutation }) => mutation).length;
  const before = mutations();
  await cloud.make("POST", `${maps}?certificateMapId=logged`, {});
  await cloud.make("PATCH", `${maps}/logged?updateMask=description`, { description: "x" });
  await cloud.make("GET", `${maps}/logged`);
  await cloud.make("POST", "/v3/projects/p1:testIamPermissions", { permissions: ["dns.changes.create"] });
  await cloud.make("DELETE", `${maps}/logged`);
  expect(mutations() - before).toBe(3);
});
