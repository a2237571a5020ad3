import { equivalent } from "../../../lib/terraform-provider/planning";
import { unknown, type Value } from "../../../lib/terraform-provider/value";

test.each<[Value, Value, Parameters<typeof equivalent>[2], boolean]>([
  ["a", "a", undefined, true],
  ["a", "A", undefined, false],
  ["a", "A", "caseless", true],
  [null, "", undefined, true],
  [null, [], undefined, true],
  [false, null, undefined, true],
  [0, null, undefined, true],
  [1, null, undefined, false],
  [unknown, unknown, undefined, false],
  ["projects/p/global/urlMaps/u", "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/u", "link", true],
  ["u", "projects/p/global/urlMaps/u", "link", true],
  ["global/urlMaps/u", "projects/p/global/urlMaps/u", "link", true],
  ["projects/p/global/urlMaps/u", "projects/q/global/urlMaps/u", "link", false],
  ["map", "remap", "link", false],
  [
    "//certificatemanager.googleapis.com/projects/p/locations/global/certificates/c",
    "projects/p/locations/global/certificates/c",
    "link",
    true,
  ],
  [["a", "b"], ["b", "a"], "link", false],
  [["x/a", "b"], ["a", "y/b"], "resourceName", true],
  [["a", "b"], ["b", "a"], "resourceName", false],
  [["a", "b"], ["b", "a"], "unordered", true],
  [["a", "a"], ["a", "b"], "unordered", false],
  [["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.1"], "recordData", true],
  [["2001:db8:0:0::7"], ["2001:DB8::7"], "recordData", true],
  [["10 Mail.example."], ["10 mail.example."], "recordData", true],
  [['"V=spf1"'], ['"v=SPF1"'], "recordData", true],
  [["X.example."], ["x.example."], "recordData", false],
  ["2001:db8::7", "2001:db8:0:0:0:0:0:7/128", "address", true],
  ["2001:db8::7", "2001:db8::8", "address", false],
  ["projects/p/global/addresses/a", "projects/p/global/addresses/b", "address", false],
  ["443", "443-443", "portRange", true],
  ["443", "443-444", "portRange", false],
  ["192.0.2.1", "projects/p/global/addresses/a", "address", true],
  ["192.0.2.1", "192.0.2.2", "address", false],
])("compares %p and %p as %s: %s", (left, right, rule, expected) => {
  expect(equivalent(left, right, rule)).toBe(expected);
  expect(equivalent(right, left, rule)).toBe(expected);
});
