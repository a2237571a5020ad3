import { examples } from "../../docs/api/examples";
import { examplesIn } from "../../docs/generate/api-examples";
import * as constructs from "../../lib/constructs";
import { newStack, synthesize } from "../support/synth";

test.each(Object.entries(examples))("the example of %s synthesizes", (_, run) => {
  const stack = newStack();
  run(stack);
  expect(() => synthesize(stack)).not.toThrow();
});

/** Public classes of the constructs, and their static methods. */
const documented = Object.entries(constructs).flatMap(([name, value]) => {
  if (typeof value !== "function" || !/^class /.test(Function.prototype.toString.call(value))) return [];
  const factories = Object.getOwnPropertyNames(value).filter(
    (member) => typeof (value as unknown as Record<string, unknown>)[member] === "function",
  );
  const isConstruct = "isConstruct" in value;
  return [...(isConstruct ? [name] : []), ...factories.map((factory) => `${name}.${factory}`)];
});

test("every construct and every factory has an example", () => {
  expect(documented.length).toBeGreaterThan(0);
  expect(documented.filter((name) => examples[name] === undefined)).toEqual([]);
});

test("reads the examples of classes, factories and functions", () => {
  const source = [
    "/**",
    " * A thing.",
    " *",
    " * @example",
    " * ```ts",
    " * new Thing({",
    " *   size: 1,",
    " * });",
    " * ```",
    " */",
    "export class Thing {",
    "  /** Without an example. */",
    "  static none(): Thing {",
    "  /**",
    "   * @example",
    "   * ```ts",
    "   * Thing.one();",
    "   * ```",
    "   */",
    "  static one(): Thing {",
  ].join("\n");
  expect(examplesIn(source)).toEqual([
    { name: "Thing", code: "new Thing({\n  size: 1,\n});" },
    { name: "Thing.one", code: "Thing.one();" },
  ]);
});
