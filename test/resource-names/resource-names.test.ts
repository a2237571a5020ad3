import fc from "fast-check";
import {
  certificateManagerPrefix,
  createdInTarget,
  existingNameIn,
  hasCertificateLink,
  hasCertificateName,
  hasComputeScope,
  isComputePath,
  isNameOrLink,
  isNotificationChannel,
  isProjectId,
  isRegion,
  isReservedAddress,
  lastPart,
  nameInTarget,
  parseComputeName,
  parseLocatedName,
  parseMapEntryName,
  parseZoneName,
  projectIn,
  projectInTarget,
  regionIn,
  replaceProject,
  resourceNameIn,
  splitProject,
  withoutCertificateManager,
  withoutComputeHost,
  withoutLastParts,
  writeComputeName,
  writeLocatedName,
  writeLocatedPath,
  writeMapEntryName,
  writeZoneName,
} from "../../lib/resource-names";

/** Any part, with the words of the formats themselves among them. */
const part = fc.oneof(
  fc.stringMatching(/^[^/]+$/),
  fc.constantFrom("global", "regions", "projects", "locations", "certificateMapEntries", "managedZones", "-"),
);
const collection = fc.constantFrom("certificateMaps", "certificates", "urlMaps", "global", "regions", "projects");
const computeName = fc.record(
  { project: part, region: part, collection, name: part },
  { requiredKeys: ["project", "collection", "name"] },
);
const located = fc.record({ project: part, location: part, collection, name: part });
const entry = fc.record({ project: part, map: part, entry: part });
const zone = fc.record({ project: part, zone: part });

/** Checks that parsing inverts writing, so that different resources never share a name. */
function expectInverse<Name>(
  names: fc.Arbitrary<Name>,
  write: (name: Name) => string,
  parse: (text: string) => Name | undefined,
) {
  fc.assert(fc.property(names, (name) => expect(parse(write(name))).toEqual(name)));
}

/** Checks that a text that parses is the text that writing gives. */
function expectExact<Name>(parse: (text: string) => Name | undefined, write: (name: Name) => string) {
  const step = fc.oneof(part, collection, fc.constant(""));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 9 }), (steps) => {
      const text = ["projects", ...steps].join("/");
      const name = parse(text);
      if (name !== undefined) expect(write(name)).toBe(text);
    }),
  );
}

test("returns the written parts when it parses a name", () => {
  expectInverse(computeName, writeComputeName, parseComputeName);
  expectInverse(located, writeLocatedName, parseLocatedName);
  expectInverse(entry, writeMapEntryName, parseMapEntryName);
  expectInverse(zone, writeZoneName, parseZoneName);
});

test("parses only texts that writing returns", () => {
  expectExact(parseComputeName, writeComputeName);
  expectExact(parseLocatedName, writeLocatedName);
  expectExact(parseMapEntryName, writeMapEntryName);
  expectExact(parseZoneName, writeZoneName);
});

test.each([
  ["parseComputeName", parseComputeName, "projects/p/locations/global/certificates/c"],
  ["parseComputeName", parseComputeName, "global/urlMaps/web"],
  ["parseComputeName", parseComputeName, "projects/p/global/urlMaps/web/more"],
  ["parseComputeName", parseComputeName, "projects/p/regions//urlMaps/web"],
  ["parseLocatedName", parseLocatedName, "//certificatemanager.googleapis.com/projects/p/locations/l/certificates/c"],
  ["parseLocatedName", parseLocatedName, "projects/p/locations/global/certificateMaps/m/certificateMapEntries/e"],
  ["parseMapEntryName", parseMapEntryName, "projects/p/locations/global/certificateMaps/m"],
  ["parseMapEntryName", parseMapEntryName, "projects/p/locations/global/certificateMaps/m/certificateMapEntries/"],
  [
    "parseMapEntryName",
    parseMapEntryName,
    "projects/p/locations/europe-west1/certificateMaps/m/certificateMapEntries/e",
  ],
  ["parseMapEntryName", parseMapEntryName, "projects/p/locations/global/certificates/m/certificateMapEntries/e"],
  ["parseZoneName", parseZoneName, "projects/p/managedZones/z/rrsets"],
])("%s refuses another format (%#)", (_, parse, text) => {
  expect(parse(text)).toBeUndefined();
});

test("assigns a link without a project to the given project", () => {
  expect(parseComputeName("regions/r/urlMaps/web", "p")).toEqual({
    project: "p",
    region: "r",
    collection: "urlMaps",
    name: "web",
  });
  expect(parseComputeName("projects/q/global/urlMaps/web", "p")?.project).toBe("q");
});

test.each([
  "projects/p/global/urlMaps/web",
  "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/web",
  "//compute.googleapis.com/compute/beta/projects/p/global/urlMaps/web",
  "http://127.0.0.1:8080/compute/v1/projects/p/global/urlMaps/web",
])("finds the name in %s", (link) => {
  expect(resourceNameIn(link)).toBe("projects/p/global/urlMaps/web");
  expect(withoutComputeHost(link)).toBe("projects/p/global/urlMaps/web");
  expect(projectIn(link)).toBe("p");
  expect(splitProject(link)).toEqual({ project: "p", path: "global/urlMaps/web" });
});

test("leaves a text without a name unchanged", () => {
  expect(resourceNameIn("my-projects/x")).toBe("my-projects/x");
  expect(projectIn("my-projects/x")).toBeUndefined();
  expect(withoutComputeHost("https://example.com/v9/x")).toBe("https://example.com/v9/x");
  expect(withoutCertificateManager("//compute.googleapis.com/projects/p")).toBe("//compute.googleapis.com/projects/p");
});

test.each([
  `${certificateManagerPrefix}projects/p`,
  "https://certificatemanager.googleapis.com/v1/projects/p",
  "projects/p",
])("removes Certificate Manager from %s", (link) => {
  expect(withoutCertificateManager(link)).toBe("projects/p");
});

test.each([
  ["/v1/projects/p/locations/global", "p"],
  ["/v3/projects/p:testIamPermissions", "p"],
  ["/v1/projects/example.com:shop/services", "example.com:shop"],
  ["/compute/v1/projects/p?filter=a", "p"],
  ["/v1/operations?name=/projects/p/", undefined],
])("finds the project of the request %s", (target, project) => {
  expect(projectInTarget(target)).toBe(project);
});

test("splits paths at their last parts", () => {
  expect(lastPart("projects/p/regions/r")).toBe("r");
  expect(lastPart("web")).toBe("web");
  expect(regionIn("projects/p/regions/r")).toBe("r");
  expect(regionIn("projects/p/global/urlMaps/regions")).toBeUndefined();
  expect(withoutLastParts("a/b/c", 2)).toBe("a");
  expect(withoutLastParts("a", 1)).toBe("");
});

test.each([
  ["my-project-123456", true],
  ["shop-1", true],
  ["shop1", false],
  ["p", false],
  [`a${"b".repeat(29)}`, true],
  ["example.com:shop", true],
  ["eu.example.com:my-project", true],
  [`example.com:a${"b".repeat(30)}`, false],
  ["example.com:shop-", false],
  ["123456789012", true],
  [`a${"b".repeat(30)}`, false],
  ["1-shop", false],
  ["shop-prod-", false],
  ["Shop-Prod", false],
  ["shop_prod", false],
  ["example.com:", false],
  ["projects/my-project", false],
  ["", false],
])("'%s' can be a project id: %s", (text, is) => {
  expect(isProjectId(text)).toBe(is);
});

test("writes the path below the project", () => {
  const name = { location: "global", collection: "certificates", name: "c" };
  expect(writeLocatedPath(name)).toBe("locations/global/certificates/c");
  expect(writeLocatedName({ project: "p", ...name })).toBe("projects/p/locations/global/certificates/c");
});

test.each([
  ["isNotificationChannel", isNotificationChannel, "projects/p/notificationChannels/12", true],
  ["isNotificationChannel", isNotificationChannel, "projects/p/notificationChannels/a", false],
  ["isNotificationChannel", isNotificationChannel, "projects/my p/notificationChannels/12", false],
  ["isNotificationChannel", isNotificationChannel, "/projects/p/notificationChannels/12", false],
  ["isReservedAddress", isReservedAddress, "shop", true],
  ["isReservedAddress", isReservedAddress, "regions/europe-west1/addresses/shop", true],
  [
    "isReservedAddress",
    isReservedAddress,
    "https://compute.googleapis.com/compute/v1/projects/p/global/addresses/shop",
    true,
  ],
  ["isReservedAddress", isReservedAddress, "projects/p/global/urlMaps/shop", false],
  ["isReservedAddress", isReservedAddress, "Shop", false],
  ["isComputePath", isComputePath, "global/urlMaps/web", true],
  ["isComputePath", isComputePath, "regions/r/urlMaps/web", true],
  ["isComputePath", isComputePath, "projects/p/global/urlMaps/web", false],
  ["isNameOrLink", isNameOrLink, "projects/p", true],
  ["isNameOrLink", isNameOrLink, "https://example.com/x", true],
  ["isNameOrLink", isNameOrLink, "//certificatemanager.googleapis.com/projects/p", true],
  ["isNameOrLink", isNameOrLink, "global/urlMaps/web", true],
  ["isNameOrLink", isNameOrLink, "web", false],
  ["isNameOrLink", isNameOrLink, "europe-west1/web", false],
  ["hasComputeScope", hasComputeScope, "global/urlMaps/web", true],
  ["hasComputeScope", hasComputeScope, "projects/p/regions/r/urlMaps/web", true],
  ["hasComputeScope", hasComputeScope, "projects/p/regions/r", false],
  ["isRegion", isRegion, "projects/p/regions/r", true],
  ["isRegion", isRegion, "projects/p/regions/r/urlMaps/web", false],
  ["hasCertificateName", hasCertificateName, "projects/p/locations/global/certificates/c", true],
  ["hasCertificateName", hasCertificateName, "projects/p/global/sslCertificates/c", false],
  [
    "hasCertificateLink",
    hasCertificateLink,
    `${certificateManagerPrefix}projects/p/locations/global/certificates/c`,
    true,
  ],
  ["hasCertificateLink", hasCertificateLink, "projects/p/locations/global/certificates/c", false],
])("%s judges a text (%#)", (_, is, text, expected) => {
  expect(is(text)).toBe(expected);
});

test("finds the name in a request and in an error", () => {
  const parent = "projects/p/locations/global/certificates";
  expect(nameInTarget(`/v1/${parent}/c?updateMask=labels`)).toBe(`${parent}/c`);
  expect(nameInTarget("/v1/operations/o")).toBeUndefined();
  expect(createdInTarget(`/v1/${parent}?alt=json&certificateId=a%2Db`)).toEqual({ parent, id: "a%2Db" });
  expect(createdInTarget(`/v1/${parent}?alt=json`)).toBeUndefined();
  expect(existingNameIn(`Resource '${parent}/c' already exists`)).toBe(`${parent}/c`);
  expect(existingNameIn("Resource 'c' already exists")).toBeUndefined();
});

test("replaces only the project at the beginning", () => {
  expect(replaceProject("projects/p/locations/global", (project) => `${project}-2`)).toBe(
    "projects/p-2/locations/global",
  );
  expect(replaceProject("//host/projects/p", () => "q")).toBe("//host/projects/p");
});
