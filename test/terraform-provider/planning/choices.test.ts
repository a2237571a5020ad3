import { checkChoices, type Overlay } from "../../../lib/terraform-provider/planning";
import { unknown, type ValueObject } from "../../../lib/terraform-provider/value";

test.each<[string, ValueObject, readonly string[]]>([
  ["one of two alternatives", { a: "x" }, []],
  ["an unknown alternative", { a: unknown }, []],
  ["no alternative", { a: null, b: [] }, ["t: exactly one of a, b must be set, found none"]],
  ["both alternatives", { a: "x", b: [{}] }, ["t: exactly one of a, b must be set, found a and b"]],
  ["two conflicting arguments", { a: "x", c: "y", d: "z" }, ["t: c conflicts with d; set one of them"]],
])("validates a configuration with %s", (_, given, messages) => {
  const choices: Overlay = { forceNew: [], exactlyOne: [["a", "b"]], atMostOne: [["c", "d"]] };

  expect(checkChoices("t", choices, given).map(({ message }) => message)).toEqual(messages);
});
