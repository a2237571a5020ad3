import { fill, parseImportId, timeoutMs } from "../../../lib/terraform-provider/resources/resource-id";

const template = "projects/{project}/locations/{location}/certificates/{name}";

test("fills a template with attributes, and uses the last part of links", () => {
  expect(fill("maps/{map}/entries/{name}", { map: "projects/p/locations/global/certificateMaps/m", name: "e" })).toBe(
    "maps/m/entries/e",
  );
});

test("inserts a value with a slash unchanged if it is not a link", () => {
  expect(fill("{project}/{role}", { project: "p", role: "roles/dns.admin" })).toBe("p/roles/dns.admin");
});

test.each([
  ["projects/p/locations/global/certificates/c", { project: "p", location: "global", name: "c" }],
  ["p/global/c", { project: "p", location: "global", name: "c" }],
  ["global/c", { project: "own", location: "global", name: "c" }],
])("parses the import id %s", (id, values) => {
  expect(parseImportId("t", template, id, { project: "own" })).toEqual(values);
});

test("completes an import id with the region of the provider block", () => {
  const regional = "projects/{project}/regions/{region}/urlMaps/{name}";

  expect(parseImportId("t", regional, "u", { project: "own", region: "europe-west1" })).toEqual({
    project: "own",
    region: "europe-west1",
    name: "u",
  });
});

test.each(["c", "p//c", "a/b/c/d", "projects/p/locations/global/maps/c", ""])("refuses the import id '%s'", (id) => {
  expect(() => parseImportId("t", template, id, { project: "own" })).toThrow(
    `'${id}' is not a valid id of t: use ${template} or {project}/{location}/{name}`,
  );
});

test.each<[string | undefined, number]>([
  [undefined, 1_200_000],
  ["90s", 90_000],
  ["1h30m", 5_400_000],
  ["1.5s", 1_500],
  ["250ms", 250],
  ["soon", 1_200_000],
])("reads a timeout of %s as %d ms", (create, ms) => {
  expect(timeoutMs({ timeouts: create === undefined ? null : { create } }, "create")).toBe(ms);
});
