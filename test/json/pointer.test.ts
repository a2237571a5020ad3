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
])("appends to %j the steps %j, which results in %j", (parent, steps, pointer) => {
  expect(pointerTo(parent, ...steps)).toBe(pointer);
});

test("converts any pointer back to its steps", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[~/01]*$/))), (steps) => {
      expect(stepsOf(pointerTo("", ...steps))).toEqual(steps);
    }),
  );
});
