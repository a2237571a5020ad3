import fc from "fast-check";
import { suggest } from "../../lib/cli/suggest";

const known = ["plan", "check-plan", "records", "wait", "api list", "api request", "audit list", "audit tail", "api"];

test.each([
  [["wiat"], ["wait"]],
  [["plna"], ["plan"]],
  [["record"], ["records"]],
  [["rec"], ["records"]],
  [["check", "plan"], ["check-plan"]],
  [["checkplan"], ["check-plan"]],
  [["check_plan"], ["check-plan"]],
  [["api-list"], ["api list"]],
  [["aip", "list"], ["api list"]],
  [["request"], ["api request"]],
  [["list"], ["api list", "audit list"]],
  [["PLAN", "--json"], ["plan"]],
  [["destroy"], []],
  [["x"], []],
  [[""], []],
])("suggests for %j %j", (typed, expected) => {
  expect(suggest(typed, known)).toEqual(expected);
});

test("always finds a name with two letters swapped", () => {
  fc.assert(
    fc.property(fc.constantFrom("records", "check-plan", "inventory", "rehearse"), fc.nat(5), (name, at) => {
      const swapped = name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
      expect(suggest([swapped], ["records", "check-plan", "inventory", "rehearse"])).toEqual([name]);
    }),
  );
});

test("answers immediately for an extremely long word", () => {
  expect(suggest(["x".repeat(1_000_000)], known)).toEqual([]);
});
