import { readSelector } from "../../../lib/cloud/front/media";
import { ApiDescription } from "../../../lib/discovery";
import { makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";
import { documentOf } from "../../support/descriptions";

const description = ApiDescription.parse(
  documentOf({
    schemas: {
      List: {
        id: "List",
        type: "object",
        properties: {
          kind: { type: "string" },
          items: { type: "array", items: { $ref: "Item" } },
          nextPageToken: { type: "string" },
        },
      },
      Item: {
        id: "Item",
        type: "object",
        properties: {
          name: { type: "string" },
          managed: {
            type: "object",
            properties: { state: { type: "string" }, domains: { type: "array", items: { type: "string" } } },
          },
          labels: { type: "object", additionalProperties: { type: "string" } },
          parent: { $ref: "Item" },
          any: { type: "any" },
        },
      },
    },
  }),
);
const schema = { $ref: "List" };
const answer = {
  kind: "list",
  items: [
    { name: "a", managed: { state: "ACTIVE", domains: ["x", "y"] }, labels: { env: "prod", team: "web" } },
    { name: "b", labels: {}, parent: { name: "c", parent: { name: "d" } }, any: { deep: { er: 1 } } },
  ],
};

describe("the fields parameter", () => {
  test.each<[fields: string, selected: object]>([
    ["kind", { kind: "list" }],
    ["kind,nextPageToken", { kind: "list" }],
    ["items/name", { items: [{ name: "a" }, { name: "b" }] }],
    ["items.name", { items: [{ name: "a" }, { name: "b" }] }],
    ["items(name)", { items: [{ name: "a" }, { name: "b" }] }],
    [
      "kind, items( name , managed/state )",
      { kind: "list", items: [{ name: "a", managed: { state: "ACTIVE" } }, { name: "b" }] },
    ],
    ["items/managed", { items: [{ managed: { state: "ACTIVE", domains: ["x", "y"] } }, {}] }],
    ["items/managed(state),items/name", { items: [{ name: "a", managed: { state: "ACTIVE" } }, { name: "b" }] }],
    ["items/managed/state,items/managed", { items: [{ managed: { state: "ACTIVE", domains: ["x", "y"] } }, {}] }],
    ["items/labels/env", { items: [{ labels: { env: "prod" } }, { labels: {} }] }],
    [
      "items/*/state",
      {
        items: [
          { name: "a", managed: { state: "ACTIVE" }, labels: {} },
          { name: "b", labels: {}, parent: {}, any: {} },
        ],
      },
    ],
    ["items/parent/parent/name", { items: [{}, { parent: { parent: { name: "d" } } }] }],
    ["items/any/deep/er", { items: [{}, { any: { deep: { er: 1 } } }] }],
    ["*", answer],
    ["*/name", { kind: "list", items: [{ name: "a" }, { name: "b" }] }],
  ])("selects %s", (fields, selected) => {
    expect(readSelector(fields, description, schema)(answer)).toEqual(selected);
  });

  test.each([
    ["colour", "Invalid field selection colour"],
    ["items/colour", "Invalid field selection items/colour"],
    ["items(name,managed/colour)", "Invalid field selection items/managed/colour"],
    ["kind/of", "Invalid field selection kind/of"],
    ["__proto__", "Invalid field selection __proto__"],
    ["items(name", "a bracket is not closed"],
    ["items)", "')' is not expected"],
    ["kind,", "a field is expected at the end"],
    [",kind", "a field is expected, not ','"],
    ["items//name", "a field is expected, not '/'"],
    ["kind nextPageToken", "'nextPageToken' is not expected"],
    ["a(".repeat(60), "nested more than 50 levels deep"],
    ["a/".repeat(60), "nested more than 50 levels deep"],
    ["a,".repeat(3_000), "longer than 5000 characters"],
  ])("is refused for %s, with the reason", (fields, why) => {
    expect(() => readSelector(fields, description, schema)).toThrow(why);
  });
});

describe("the fields parameter over HTTP", () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
    await makeZone(cloud, "z1", "example.com.");
  });
  afterAll(() => cloud.stop());

  test.each([
    [
      "/dns/v1/projects/p1/managedZones?fields=managedZones(name,dnsName)",
      { managedZones: [{ name: "z1", dnsName: "example.com." }] },
    ],
    ["/dns/v1/projects/p1/managedZones?%24fields=kind", { kind: "dns#managedZonesListResponse" }],
    [
      "/dns/v1/projects/p1/managedZones?fields=",
      { kind: "dns#managedZonesListResponse", managedZones: [expect.anything()] },
    ],
    [`/v1/${parent}/certificateMaps?fields=nextPageToken`, {}],
    ["/compute/v1/projects/p1/global/addresses?fields=kind,items/name", { kind: "compute#addressList" }],
  ])("is applied to %s", async (path, expected) => {
    expect(await cloud.call("GET", path)).toMatchObject({ status: 200, body: expected });
    expect(Object.keys((await cloud.call("GET", path)).body)).toEqual(Object.keys(expected));
  });

  it("with unknown fields is refused before any change", async () => {
    const path = `/v1/${parent}/certificateMaps?certificateMapId=m1`;
    const refused = await cloud.call("POST", `${path}&fields=colour`, {});
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("Invalid field selection colour"),
    ]);
    expect((await cloud.call("GET", `/v1/${parent}/certificateMaps/m1`)).status).toBe(404);
    expect(await cloud.call("POST", `${path}&fields=name,metadata/target`, {})).toMatchObject({
      status: 200,
      body: { metadata: { target: `${parent}/certificateMaps/m1` } },
    });
  });

  test.each([["alt=media"], ["alt=proto"], ["$alt=proto"], ["callback=f"]])(
    "%s is refused as unsupported",
    async (query) => {
      const { status, body } = await cloud.call("GET", `/v1/${parent}/certificateMaps?${query}`);
      expect([status, JSON.stringify(body)]).toEqual([
        501,
        expect.stringMatching(/does not emulate.*(alt=(media|proto)|callback)/),
      ]);
    },
  );
});
