import fc from "fast-check";
import { labelFingerprintOf, resourceFingerprint } from "../../../lib/cloud/compute/verbs";

const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse());

describe("a fingerprint", () => {
  it("is eight bytes in Base64", () => {
    expect(resourceFingerprint({})).toMatch(/^[A-Za-z0-9+/]{11}=$/);
    expect(labelFingerprintOf(undefined)).toMatch(/^[A-Za-z0-9+/]{11}=$/);
  });

  it("is the same in any order of the members, at any depth", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (inner) => {
        expect(resourceFingerprint(reversed({ a: 1, b: reversed(inner) }))).toBe(
          resourceFingerprint({ a: 1, b: inner }),
        );
      }),
    );
  });

  it.each([
    ["a member", { a: 2, b: [1, 2] }],
    ["the order of a list", { a: 1, b: [2, 1] }],
    ["a member more", { a: 1, b: [1, 2], c: null }],
  ])("differs with %s changed", (_, other) => {
    expect(resourceFingerprint(other)).not.toBe(resourceFingerprint({ a: 1, b: [1, 2] }));
  });

  it("of a resource is independent of its labels, and the fingerprint of labels of anything else", () => {
    const resource = { a: 1, labels: { env: "test" }, labelFingerprint: "x", fingerprint: "y" };
    expect(resourceFingerprint(resource)).toBe(resourceFingerprint({ a: 1 }));
    expect(labelFingerprintOf({ env: "test" })).not.toBe(labelFingerprintOf({ env: "prod" }));
    expect(labelFingerprintOf({})).toBe(labelFingerprintOf(undefined));
  });
});
