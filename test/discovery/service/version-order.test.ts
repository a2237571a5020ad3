import fc from "fast-check";
import { compareApiVersions, newestVersion } from "../../../lib/discovery/service/catalogue";

test("orders versions from early to stable, and by number", () => {
  const ordered = [
    "preview",
    "alpha",
    "alpha2",
    "beta",
    "v1alpha",
    "v1alpha1",
    "v1alpha2",
    "v1beta",
    "v1beta1",
    "v1beta10",
    "v1p1beta1",
    "v2alpha1",
    "v1",
    "v1.4",
    "v1.10",
    "v2",
    "v10",
    "v202401",
  ];
  expect([...ordered].reverse().sort(compareApiVersions)).toEqual(ordered);
});

test.each([
  ["the newest stable one", ["v1", "v3beta1", "v2", "v2alpha"], "v2"],
  ["the newest of all where none is stable", ["v1alpha", "v1beta1", "alpha"], "v1beta1"],
  ["the same whichever comes first", ["directory_v1", "datatransfer_v1", "reports_v1"], "datatransfer_v1"],
  ["the newest of a kind with a prefix", ["directory_v1", "directory_v2beta1", "directory_v2"], "directory_v2"],
  ["the only one, whatever its name", ["???"], "???"],
  ["none of none", [], undefined],
])("selects among several versions %s as the newest", (_, versions, newest) => {
  expect(newestVersion(versions)).toBe(newest);
  expect(newestVersion([...versions].reverse())).toBe(newest);
});

test("orders any texts consistently", () => {
  const version = fc.oneof(fc.string(), fc.stringMatching(/^(?:[a-z]+_)?v\d{1,3}(?:[._p]\d)?(?:alpha|beta|eap)?\d?$/));
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareApiVersions(a, b))).toBe(-Math.sign(compareApiVersions(b, a)) + 0);
      expect(compareApiVersions(a, b) === 0).toBe(a === b);
      const [first, second, third] = [a, b, c].sort(compareApiVersions) as [string, string, string];
      expect(compareApiVersions(first, third)).toBeLessThanOrEqual(0);
      expect(compareApiVersions(first, second)).toBeLessThanOrEqual(0);
    }),
  );
});
