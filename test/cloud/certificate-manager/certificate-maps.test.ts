import {
  makeManaged,
  minuteMs,
  parent,
  refusalOf,
  startAt,
  startCertificateManager,
} from "../../support/certificate-manager";

const map = `${parent}/certificateMaps/m1`;
const entries = `${map}/certificateMapEntries`;

/** Starts Certificate Manager with a map and the certificates c1 to c5, whose domains are all validated. */
async function startWithMap(options: Parameters<typeof startCertificateManager>[0] = {}) {
  const cloud = await startCertificateManager(options);
  await cloud.create("certificateMaps", "m1", {});
  for (const id of ["c1", "c2", "c3", "c4", "c5"]) await makeManaged(cloud, id, [`${id}.example.com`]);
  const entry = (id: string, body: object, within = map) =>
    cloud.create("certificateMapEntries", id, { certificates: [certificate("c1")], ...body }, within);
  return Object.assign(cloud, { entry });
}

const certificate = (id: string) => `${parent}/certificates/${id}`;

test("a certificate map is returned as it was created, with the load balancers that use it", async () => {
  const target = {
    targetHttpsProxy: "//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x",
    ipConfigs: [{ ipAddress: "203.0.113.7", ports: [443] }],
  };
  const attached: object[] = [];
  await using cloud = await startCertificateManager({ users: { ofMap: () => attached as never } });
  await cloud.create("certificateMaps", "m1", { description: "d", labels: { env: "x" }, gclbTargets: [] });
  const made = { name: map, description: "d", labels: { env: "x" }, createTime: startAt, updateTime: startAt };
  expect(await cloud.get(map)).toEqual(made);
  attached.push(target);
  expect(await cloud.get(map)).toEqual({ ...made, gclbTargets: [target] });
});

test("a certificate map must be global", async () => {
  await using cloud = await startCertificateManager();
  const refusal = refusalOf(await cloud.create("certificateMaps", "m1", {}, "projects/p1/locations/us-central1"));
  expect(refusal).toMatchObject({
    status: 400,
    word: "INVALID_ARGUMENT",
    message: "parent: certificate maps are global, not in us-central1",
  });
});

test("a certificate map is refused if its name is in use", async () => {
  await using cloud = await startCertificateManager();
  await cloud.create("certificateMaps", "m1", {});
  expect((await cloud.create("certificateMaps", "m1", {})).status).toBe(409);
});

test.each(["", "M1", "1m", "m.1", "m".repeat(64)])("a certificate map is refused with the id '%s'", async (id) => {
  await using cloud = await startCertificateManager();
  expect(refusalOf(await cloud.create("certificateMaps", id, {}))).toMatchObject({
    status: 400,
    field: "certificate_map_id",
  });
});

test.each(["name", "gclbTargets", "createTime"])("a certificate map can't be patched in its %s", async (field) => {
  await using cloud = await startCertificateManager();
  await cloud.create("certificateMaps", "m1", {});
  const refusal = refusalOf(await cloud.call("PATCH", `v1/${map}?updateMask=${field}`, {}));
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(field) });
});

test("a certificate map can't be deleted while it has load balancers or entries, and the refusal names them", async () => {
  const proxy = "//compute.googleapis.com/projects/p1/global/targetSslProxies/x";
  let attached = true;
  await using cloud = await startWithMap({ users: { ofMap: () => (attached ? [{ targetSslProxy: proxy }] : []) } });
  await cloud.entry("e1", { hostname: "a.example.com" });
  await cloud.entry("e2", { matcher: "PRIMARY" });
  const refusal = refusalOf(await cloud.call("DELETE", `v1/${map}`));
  expect(refusal).toEqual({
    status: 400,
    word: "FAILED_PRECONDITION",
    field: "",
    message: `can't delete resource '${map}' that is referenced by other resources: ${entries}/e1, ${entries}/e2, ${proxy}`,
  });
  attached = false;
  for (const id of ["e1", "e2"]) await cloud.call("DELETE", `v1/${entries}/${id}`);
  expect((await cloud.call("DELETE", `v1/${map}`)).status).toBe(200);
  expect((await cloud.call("GET", `v1/${map}`)).status).toBe(404);
});

test.each([
  ["a hostname", { hostname: "www.example.com" }, { hostname: "www.example.com" }],
  ["a wildcard", { hostname: "*.example.com" }, { hostname: "*.example.com" }],
  ["PRIMARY", { matcher: "PRIMARY" }, { matcher: "PRIMARY" }],
  [
    "a hostname, the matcher unspecified",
    { hostname: "a.example.com", matcher: "MATCHER_UNSPECIFIED" },
    { hostname: "a.example.com" },
  ],
  ["PRIMARY, the hostname empty", { hostname: "", matcher: "PRIMARY" }, { matcher: "PRIMARY" }],
])("an entry of a map is returned for %s", async (_, body, served) => {
  await using cloud = await startWithMap();
  expect((await cloud.entry("e1", body)).status).toBe(200);
  expect(await cloud.get(`${entries}/e1`)).toEqual({
    name: `${entries}/e1`,
    ...served,
    certificates: [certificate("c1")],
    state: "PENDING",
    createTime: startAt,
    updateTime: startAt,
  });
});

const field = "certificate_map_entry";
test.each<[string, object, string]>([
  ["neither hostname nor matcher", {}, field],
  ["both hostname and matcher", { hostname: "a.example.com", matcher: "PRIMARY" }, field],
  ["an empty hostname", { hostname: "" }, field],
  ["a hostname of one label", { hostname: "localhost" }, `${field}.hostname`],
  ["a wildcard of a wildcard", { hostname: "*.*.example.com" }, `${field}.hostname`],
  ["a wildcard inside", { hostname: "a.*.example.com" }, `${field}.hostname`],
  ["a trailing period", { hostname: "a.example.com." }, `${field}.hostname`],
  ["an IP address", { hostname: "192.0.2.10" }, `${field}.hostname`],
  ["another matcher", { matcher: "SECONDARY" }, "matcher"],
  ["no certificate", { hostname: "a.example.com", certificates: [] }, `${field}.certificates`],
  [
    "5 certificates",
    { hostname: "a.example.com", certificates: ["c1", "c2", "c3", "c4", "c5"].map(certificate) },
    `${field}.certificates`,
  ],
  [
    "a certificate twice",
    { hostname: "a.example.com", certificates: ["c1", "c1"].map(certificate) },
    `${field}.certificates`,
  ],
  [
    "a certificate that is not there",
    { hostname: "a.example.com", certificates: [certificate("no")] },
    `${field}.certificates`,
  ],
  [
    "a certificate of a region",
    { hostname: "a.example.com", certificates: ["projects/p1/locations/us-central1/certificates/c1"] },
    `${field}.certificates`,
  ],
  [
    "a certificate of another project",
    { hostname: "a.example.com", certificates: ["projects/p2/locations/global/certificates/c1"] },
    `${field}.certificates`,
  ],
  ["a bare certificate id", { hostname: "a.example.com", certificates: ["c1"] }, `${field}.certificates`],
])("an entry of a map is refused with %s", async (_, body, at) => {
  await using cloud = await startWithMap();
  expect(refusalOf(await cloud.entry("e1", body))).toMatchObject({
    status: 400,
    word: "INVALID_ARGUMENT",
    field: at,
  });
  expect((await cloud.call("GET", `v1/${entries}`)).body).toEqual({ certificateMapEntries: [] });
});

test.each(["EDGE_CACHE", "ALL_REGIONS", "CLIENT_AUTH"])(
  "an entry of a map refuses a certificate of scope %s",
  async (scope) => {
    await using cloud = await startWithMap();
    const dnsAuthorizations = [`${parent}/dnsAuthorizations/c1-example-com`];
    await cloud.create("certificates", "scoped", {
      scope,
      managed: { domains: ["c1.example.com"], dnsAuthorizations },
    });
    const refusal = refusalOf(
      await cloud.entry("e1", { hostname: "a.example.com", certificates: [certificate("scoped")] }),
    );
    expect(refusal.message).toBe(
      `certificate_map_entry.certificates: '${certificate("scoped")}' has the scope ${scope}; map entries take certificates of scope DEFAULT`,
    );
  },
);

test("an entry of a map may have 4 certificates", async () => {
  await using cloud = await startWithMap();
  const certificates = ["c4", "c3", "c2", "c1"].map(certificate);
  await cloud.entry("e1", { hostname: "a.example.com", certificates });
  expect((await cloud.get(`${entries}/e1`)).certificates).toEqual(certificates);
});

test("an entry of a map is refused in a missing map", async () => {
  await using cloud = await startWithMap();
  const missing = `${parent}/certificateMaps/none`;
  expect(refusalOf(await cloud.entry("e1", { hostname: "a.example.com" }, missing))).toMatchObject({
    status: 404,
    message: `Resource '${missing}' was not found`,
  });
  expect((await cloud.call("GET", `v1/${missing}/certificateMapEntries`)).status).toBe(404);
});

test.each([
  ["hostname", { hostname: "a.example.com" }, { hostname: "a.example.com" }, "an entry for 'a.example.com'"],
  ["wildcard", { hostname: "*.example.com" }, { hostname: "*.example.com" }, "an entry for '*.example.com'"],
  ["PRIMARY", { matcher: "PRIMARY" }, { hostname: "", matcher: "PRIMARY" }, "a PRIMARY entry"],
])("an entry of a map is unique in its map for a %s", async (_, first, again, what) => {
  await using cloud = await startWithMap();
  await cloud.create("certificateMaps", "m2", {});
  await cloud.entry("e1", first);
  const refusal = refusalOf(await cloud.entry("e2", again));
  expect(refusal).toMatchObject({ status: 409, word: "ALREADY_EXISTS" });
  expect(refusal.message).toBe(`the certificate map already has ${what}: '${entries}/e1'`);
  expect((await cloud.entry("e1", again, `${parent}/certificateMaps/m2`)).status).toBe(200);
  await cloud.call("DELETE", `v1/${entries}/e1`);
  expect((await cloud.entry("e2", again)).status).toBe(200);
});

test.each(["hostname", "matcher", "state", "name", "createTime"])(
  "an entry of a map can't be patched in its %s",
  async (fieldName) => {
    await using cloud = await startWithMap();
    await cloud.entry("e1", { hostname: "a.example.com" });
    const body = { hostname: "b.example.com", matcher: "PRIMARY" };
    const refusal = refusalOf(await cloud.call("PATCH", `v1/${entries}/e1?updateMask=${fieldName}`, body));
    expect(refusal).toMatchObject({ status: 400, field: "update_mask", message: expect.stringContaining(fieldName) });
    expect((await cloud.get(`${entries}/e1`)).hostname).toBe("a.example.com");
  },
);

test.each<[string, object]>([
  ["no certificate", { certificates: [] }],
  ["a certificate that is not there", { certificates: [certificate("no")] }],
])("an entry of a map can't be patched to %s", async (_, body) => {
  await using cloud = await startWithMap();
  await cloud.entry("e1", { hostname: "a.example.com" });
  expect((await cloud.call("PATCH", `v1/${entries}/e1?updateMask=certificates`, body)).status).toBe(400);
  expect((await cloud.get(`${entries}/e1`)).certificates).toEqual([certificate("c1")]);
});

test("an entry of a map releases its previous certificate when it is patched to another", async () => {
  await using cloud = await startWithMap();
  await cloud.entry("e1", { hostname: "a.example.com" });
  await cloud.call("PATCH", `v1/${entries}/e1?updateMask=certificates`, { certificates: [certificate("c2")] });
  expect((await cloud.get(certificate("c1"))).usedBy).toBeUndefined();
  expect((await cloud.get(certificate("c2"))).usedBy).toEqual([{ name: `${entries}/e1` }]);
  expect((await cloud.call("DELETE", `v1/${certificate("c1")}`)).status).toBe(200);
  expect((await cloud.call("DELETE", `v1/${certificate("c2")}`)).status).toBe(400);
});

describe("the state of an entry", () => {
  const stateOf = async (cloud: { get(name: string): Promise<Readonly<Record<string, unknown>>> }) =>
    (await cloud.get(`${entries}/e1`)).state;

  test("is ACTIVE when its certificate has been issued and the load balancer delay has passed", async () => {
    await using cloud = await startWithMap();
    await cloud.clock.advance(minuteMs);
    await cloud.entry("e1", { hostname: "a.example.com" });
    await cloud.clock.advance(minuteMs - 1);
    expect(await stateOf(cloud)).toBe("PENDING");
    await cloud.clock.advance(1);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });

  test("is PENDING until all its certificates have been issued", async () => {
    await using cloud = await startWithMap();
    const { records } = await makeManaged(cloud, "late", ["late.example.com"], { published: false });
    await cloud.entry("e1", { hostname: "a.example.com", certificates: [certificate("c1"), certificate("late")] });
    await cloud.clock.advance(10 * minuteMs);
    expect(await stateOf(cloud)).toBe("PENDING");
    for (const { name, data } of records) cloud.publish(name, data);
    await cloud.clock.advance(10 * minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });

  test("becomes PENDING again with other certificates, but not with another description", async () => {
    await using cloud = await startWithMap();
    await cloud.entry("e1", { hostname: "a.example.com" });
    await cloud.clock.advance(2 * minuteMs);
    const patch = (mask: string, body: object) => cloud.call("PATCH", `v1/${entries}/e1?updateMask=${mask}`, body);
    await patch("description", { description: "d" });
    expect(await stateOf(cloud)).toBe("ACTIVE");
    await patch("certificates", { certificates: [certificate("c1")] });
    expect(await stateOf(cloud)).toBe("ACTIVE");
    await patch("certificates", { certificates: [certificate("c2")] });
    expect(await stateOf(cloud)).toBe("PENDING");
    await cloud.clock.advance(minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });
});
