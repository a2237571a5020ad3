import { compareVersions, satisfies, versionFor } from "../../lib/text/version";

test.each([
  ["6.50.0", undefined, true],
  ["6.50.0", "6.50.0", true],
  ["6.50.0", "~> 6.10", true],
  ["6.50.0", ">= 6.0, < 8.0", true],
  ["6.50.0", "~> 6.50.1", false],
  ["6.50.0", "7.45.0", false],
  ["7.41.2", "= v7.41.2", true],
  ["7.30.0", "~> 7.30", true],
  ["7.29.9", "~> 7.30", false],
  ["8.0.0", "~> 7.30", false],
  ["7.46.1", "~> 7.46.0", true],
  ["7.47.0", "~> 7.46.0", false],
  ["7.33.0", ">= 7.0, != 7.33.0", false],
  ["7.0.0", "> 7.0", false],
  ["8.7.0", "<= 8.7.0", true],
  ["8.0.0", "8.0.0-preview", true],
  ["6.50.0", "${var.version}", true],
])("decides whether the version %s fits '%s': %s", (version, constraint, expected) => {
  expect(satisfies(version, constraint)).toBe(expected);
});

test("compares versions by numbers", () => {
  expect(["7.9.0", "10.0.0", "7.41.0", "7.9.1"].sort(compareVersions)).toEqual(["7.9.0", "7.9.1", "7.41.0", "10.0.0"]);
});

test.each([
  [undefined, "6.50.0"],
  ["~> 6.0", "6.50.0"],
  [">= 6.50.0, < 9.0.0", "6.50.0"],
  ["~> 7.30", "7.30"],
  [">= 7.19.0, < 9.0.0", "7.19.0"],
  ["7.45.0", "7.45.0"],
  ["< 6.0", "6.50.0"],
])("selects for the constraint %s the version %s, with 6.50.0 installed", (constraint, expected) => {
  expect(versionFor(constraint, "6.50.0")).toBe(expected);
});
