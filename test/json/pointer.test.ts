import fc from "fast-check";
import { pointerTo, stepsOf } from "../../lib/json/pointer";

test.each([
  ["", [], ""],
  ["", ["a"], "/a"],
  ["/a", ["b", 0], "/a/b/0"],
  ["", [""], "/"],
  ["", ["a/b"], "/a~1b"],
  ["", ["m~n"], "/m~0n"],
  ["", ["~1"], "/~01"],
])("from %j by %j leads %j", (parent, steps, pointer) => {
  expect(pointerTo(parent, ...steps)).toBe(pointer);
});

test("a pointer leads back to its steps, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[~/01]*$/))), (steps) => {
      expect(stepsOf(pointerTo("", ...steps))).toEqual(steps);
    }),
  );
});
