import fc from "fast-check";
import { linkTo, pathOfLink, readLink, resourcePath, type Scope } from "../../../lib/cloud/compute/links";

const word = fc.stringMatching(/^[a-z][-a-z0-9]{0,20}$/);
const scope: fc.Arbitrary<Scope> = fc.oneof(
  word.map((project) => ({ project })),
  fc.tuple(word, word).map(([project, region]) => ({ project, region })),
);

describe("a link", () => {
  it("is read in every spelling, from a full URL to a partial path", () => {
    fc.assert(
      fc.property(scope, word, word, (place, collection, name) => {
        const path = resourcePath(place, "urlMaps", name);
        const parsed = { scope: place, collection: "urlMaps", name };
        expect(pathOfLink(linkTo(path))).toBe(path);
        expect(readLink(linkTo(path), "other")).toEqual(parsed);
        expect(readLink(path, "other")).toEqual(parsed);
        expect(readLink(path.replace(/^projects\/[^/]+\//, ""), place.project)).toEqual(parsed);
        expect(readLink(collection, place.project)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["http://127.0.0.1:8080/compute/v1/projects/p1/global/urlMaps/u1", true],
    ["//compute.googleapis.com/compute/beta/projects/p1/global/urlMaps/u1", true],
    ["https://www.googleapis.com/compute/v1/projects/p1/zones/z1/instanceGroups/g1", false],
    ["https://www.googleapis.com/dns/v1/projects/p1/global/urlMaps/u1", false],
    ["projects/p1/global/urlMaps/u1/extra", false],
    ["projects/p1/global/urlMaps/", false],
    ["", false],
  ])("%s is valid: %s", (text, expected) => {
    expect(readLink(text, "p1") !== undefined).toBe(expected);
  });
});
