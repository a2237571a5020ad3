import fc from "fast-check";
import { editDistance } from "../../lib/text/edit-distance";

test.each([
  ["", "", 0],
  ["shop", "shop", 0],
  ["shop", "shops", 1],
  ["shop", "hop", 1],
  ["shop", "ship", 1],
  ["shop", "hsop", 1],
  ["domains", "domians", 1],
  ["", "abc", 3],
  ["ca", "abc", 3],
])("measures between %j and %j a distance of %i", (one, other, distance) => {
  expect([editDistance(one, other), editDistance(other, one)]).toEqual([distance, distance]);
});

test("counts an added or removed letter as one step, in any position", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20 }),
      fc.nat(20),
      fc.string({ minLength: 1, maxLength: 1 }),
      (text, at, letter) => {
        expect(editDistance(text, `${text.slice(0, at)}${letter}${text.slice(at)}`)).toBe(1);
      },
    ),
  );
});
