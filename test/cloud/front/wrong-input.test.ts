import { type Answer, makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

/** Input that would have no effect or an unintended effect if the cloud accepted it. */

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "z1", "example.com.");
  await makeZone(cloud, "z2", "example.net.");
  await cloud.make("POST", `${authorizations}?dnsAuthorizationId=a1`, { domain: "example.com" });
  await cloud.make("POST", `${authorizations}?dnsAuthorizationId=a2`, { domain: "example.net" });
  const managed = { domains: ["example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/a1`] };
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=c1`, { managed });
  for (const id of ["m1", "m2"]) {
    await cloud.make("POST", `${maps}?certificateMapId=${id}`, { description: "old", labels: { env: "prod" } });
    const entry = { hostname: "example.com", certificates: [`${parent}/certificates/c1`] };
    for (const [name, more] of [
      ["e1", {}],
      ["e2", { hostname: "", matcher: "PRIMARY" }],
    ] as const) {
      const path = `${maps}/${id}/certificateMapEntries?certificateMapEntryId=${name}`;
      await cloud.make("POST", path, { ...entry, ...more });
    }
  }
  for (const name of ["h1", "h2"]) await cloud.make("POST", `${addresses}`, { name });
});
afterAll(() => cloud.stop());

const maps = `/v1/${parent}/certificateMaps`;
const authorizations = `/v1/${parent}/dnsAuthorizations`;
const entry = `${maps}/m1/certificateMapEntries/e1`;
const zones = "/dns/v1/projects/p1/managedZones";
const addresses = "/compute/v1/projects/p1/global/addresses";

function messageOf({ status, body }: Answer): readonly [number, string] {
  return [status, (body as { readonly error?: { readonly message: string } }).error?.message ?? ""];
}

describe("a patch", () => {
  test.each<[what: string, path: string, body: object, why: string]>([
    [
      "of a field of a text",
      `${maps}/m1?updateMask=description.x`,
      { description: "a" },
      "'description.x' is not a path",
    ],
    ["below a key of a map", `${maps}/m1?updateMask=labels.x.y`, { labels: { x: "a" } }, "'labels.x' has no fields"],
    ["of a field of a list", `${entry}?updateMask=certificates.foo`, {}, "'certificates' is a list"],
    ["of a field that there isn't", `${maps}/m1?updateMask=zork`, {}, "unknown field 'zork'"],
    ["of a field that never changes", `${entry}?updateMask=hostname`, { hostname: "a.b" }, "hostname can't be updated"],
    ["without a mask, of such a field", entry, { hostname: "a.b", description: "d" }, "hostname can't be updated"],
    ["of everything, of such a field", `${authorizations}/a1?updateMask=*`, { domain: "a.b" }, "domain can't be"],
    ["without a mask, of a name", `${maps}/m1`, { name: "m3" }, "the field name can't be updated"],
  ])("%s is refused, and changes nothing", async (_what, path, body, why) => {
    const read = path.replace(/\?.*/, "");
    const before = await cloud.make("GET", read);
    expect(messageOf(await cloud.call("PATCH", path, body))).toEqual([400, expect.stringContaining(why)]);
    expect(await cloud.make("GET", read)).toEqual(before);
  });

  it("without a mask may contain the complete previous answer", async () => {
    const read = await cloud.make("GET", entry);
    await cloud.make("PATCH", entry, { ...read, description: "read and written" });
    expect(await cloud.make("GET", entry)).toMatchObject({ hostname: "example.com", description: "read and written" });
  });
});

describe("a query parameter", () => {
  test.each(["$zork", "$httpMethod", "$ct", "$", "zork"])("%s is refused with its name", async (name) => {
    const answer = await cloud.call("GET", `${maps}?${encodeURIComponent(name)}=5`);
    expect(messageOf(answer)).toEqual([400, expect.stringContaining(`${name}: Cannot bind query parameter`)]);
  });

  test.each(["$.xgafv=2", "$prettyPrint=false", "$alt=json", "$fields=certificateMaps", "$key=k", "$userProject=p1"])(
    "%s is accepted by all methods",
    async (parameter) => {
      expect((await cloud.call("GET", `${maps}?${parameter}`)).status).toBe(200);
    },
  );
});

describe("a list", () => {
  test.each([
    [`${maps}?orderBy=zork`, "order_by: can't be used: unknown field 'zork'"],
    [`${maps}?orderBy=name,labels`, 200],
    [`${maps}?orderBy=create_time%20desc`, 200],
    [`${maps}?orderBy=labels.env`, 200],
    [`${maps}?orderBy=labels.env.x`, "'labels.env' has no fields"],
    [`${addresses}?orderBy=zork`, "order_by: can't be used: unknown field 'zork'"],
    [`${addresses}?orderBy=creationTimestamp%20desc`, 200],
    ["/compute/v1/projects/p1/aggregated/addresses?orderBy=zork", "unknown field 'zork'"],
    ["/compute/v1/projects/p1/aggregated/addresses?filter=name%20eq%20h.*", 200],
    [`${maps}?filter=zork=5`, "filter: can't be used: unknown field 'zork'"],
    [`${maps}?filter=labels.env=prod%20AND%20NOT%20description=x`, 200],
    [`/v1/${parent}/certificates?filter=managed.authorization_attempt_info.state=FAILED`, 200],
    [`/v1/${parent}/certificates?filter=managed.states=FAILED`, "'managed' has no field 'states'"],
    [`/v1/${parent}/operations?filter=metadata.verb=create`, 200],
  ])("answers %s with %s", async (path, expected) => {
    const [status, message] = messageOf(await cloud.call("GET", path));
    if (typeof expected === "number") expect([path, message, status]).toEqual([path, "", expected]);
    else expect([status, message]).toEqual([400, expect.stringContaining(expected)]);
  });

  const entries = (map: string) => `${maps}/${map}/certificateMapEntries?pageSize=1`;
  test.each([
    ["another collection", `${maps}?pageSize=1`, `${authorizations}?pageSize=1`],
    ["another parent", entries("m1"), entries("m2")],
    ["another location", `${authorizations}?pageSize=1`, "/v1/projects/p1/locations/-/dnsAuthorizations?pageSize=1"],
    ["another service", `${maps}?pageSize=1`, `${addresses}?maxResults=1`],
    ["another kind of list", `${addresses}?maxResults=1`, `${addresses.replace("global", "aggregated")}?maxResults=1`],
    ["another zone", `${zones}/z1/rrsets?maxResults=1`, `${zones}/z2/rrsets?maxResults=1`],
    ["another name", `${zones}/z1/rrsets?maxResults=1`, `${zones}/z1/rrsets?maxResults=1&name=example.com.`],
    ["another filter", `${maps}?pageSize=1`, `${maps}?pageSize=1&filter=name:m`],
    ["another order", `${maps}?pageSize=1`, `${maps}?pageSize=1&orderBy=name`],
  ])("refuses a page token of %s", async (_what, given, used) => {
    const { nextPageToken } = await cloud.make("GET", given);
    expect(nextPageToken).toEqual(expect.any(String));
    const refused = messageOf(await cloud.call("GET", `${used}&pageToken=${nextPageToken}`));
    expect(refused).toEqual([400, expect.stringContaining("page_token: is not one that this list")]);
    expect((await cloud.call("GET", `${given}&pageToken=${nextPageToken}`)).status).toBe(200);
  });

  it("accepts its page token with another size and other fields", async () => {
    const { nextPageToken } = await cloud.make("GET", `${maps}?pageSize=1&fields=nextPageToken&quotaUser=a`);
    expect(await cloud.make("GET", `${maps}?page_size=7&pageToken=${nextPageToken}`)).toMatchObject({
      certificateMaps: [{ name: `${parent}/certificateMaps/m2` }],
    });
  });

  it("of operations contains those of all locations", async () => {
    const place = "/v1/projects/p3/locations";
    for (const location of ["global", "europe-west1"])
      await cloud.make("POST", `${place}/${location}/dnsAuthorizations?dnsAuthorizationId=a`, { domain: "a.example" });
    const { operations } = await cloud.make("GET", `${place}/-/operations`);
    expect((operations as readonly { readonly name: string }[]).map(({ name }) => name.split("/")[3]).sort()).toEqual([
      "europe-west1",
      "global",
    ]);
  });
});

describe("a region", () => {
  test.each([
    "/v1/projects/p1/locations/nowhere-at9",
    "/v1/projects/p1/locations/nowhere-at9/certificates",
    "/v1/projects/p1/locations/nowhere-at9/operations",
    "/compute/v1/projects/p1/regions/nowhere-at9/urlMaps",
    "/compute/v1/projects/p1/regions/nowhere-at9/operations",
  ])("that does not exist is refused in %s", async (path) => {
    expect(messageOf(await cloud.call("GET", path))).toEqual([400, expect.stringContaining("nowhere-at9")]);
  });

  it("can be any of more than forty", async () => {
    const { locations } = await cloud.make("GET", "/v1/projects/p1/locations");
    const ids = (locations as readonly { readonly locationId: string }[]).map(({ locationId }) => locationId);
    expect(ids).toEqual(expect.arrayContaining(["global", "africa-south1", "europe-west12", "us-west4"]));
    expect(ids.length).toBeGreaterThan(40);
    for (const id of ids) expect((await cloud.call("GET", `/v1/projects/p1/locations/${id}`)).status).toBe(200);
  });
});
