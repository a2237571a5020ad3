import fc from "fast-check";
import { coverageOf, covers, type Hostname } from "../../lib/hostnames";

test.each([
  [["a.com"], "a.com", "exact"],
  [["*.a.com"], "b.a.com", "wildcard"],
  [["*.a.com", "b.a.com"], "b.a.com", "exact"],
  [["*.a.com"], "*.a.com", "exact"],
  [["*.a.com"], "a.com", "none"],
  [["*.a.com"], "c.b.a.com", "none"],
  [["a.com"], "*.a.com", "none"],
  [["*.com"], "com", "none"],
  [[], "intranet", "none"],
])("decides that the names %j cover %s: %s", (names, host, coverage) => {
  expect(coverageOf(new Set(names), host)).toBe(coverage);
});

test("covers a host if one of the names does", () => {
  const name = fc
    .tuple(fc.constantFrom("", "*."), fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 3 }))
    .map(([wildcard, labels]) => `${wildcard}${labels.join(".")}.com`);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), name, (names, host) => {
      const isCovered = names.some((one) => covers(one as Hostname, host as Hostname));
      expect(coverageOf(new Set(names), host) !== "none").toBe(isCovered);
    }),
  );
});
