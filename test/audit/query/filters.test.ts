import fc from "fast-check";
import { type ActivityFilter, type FilterOperator, formatFilters, meetsFilter, parseFilters } from "../../../lib/audit";
import { InputError } from "../../../lib/errors";

const operators: readonly FilterOperator[] = ["==", "<>", "<", "<=", ">", ">="];

function codesOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
  }
  return [];
}

test.each([
  ["USER_EMAIL==a@example.com", [{ parameter: "USER_EMAIL", operator: "==", value: "a@example.com" }]],
  ["A<=1", [{ parameter: "A", operator: "<=", value: "1" }]],
  [
    "A<>1,B>=2,C<3",
    [
      { parameter: "A", operator: "<>", value: "1" },
      { parameter: "B", operator: ">=", value: "2" },
      { parameter: "C", operator: "<", value: "3" },
    ],
  ],
  ["URL==https://example.com/?a=b", [{ parameter: "URL", operator: "==", value: "https://example.com/?a=b" }]],
])("%s", (text, filters) => {
  expect(parseFilters(text)).toEqual(filters);
  expect(formatFilters(filters as readonly ActivityFilter[])).toBe(text);
});

test.each([
  ["", ["filter-malformed"]],
  ["USER_EMAIL", ["filter-malformed"]],
  ["A=1", ["filter-malformed"]],
  ["==1", ["filter-parameter-malformed"]],
  ["A==", ["filter-value-missing"]],
  ["A==1,", ["filter-malformed"]],
  ["A==1==2", ["filter-value-inexpressible"]],
  ["A<<1", ["filter-value-inexpressible"]],
  ["A===1", ["filter-value-inexpressible"]],
  ["A==\ud800", ["filter-value-inexpressible"]],
  ["A B==1,C,D==", ["filter-parameter-malformed", "filter-malformed", "filter-value-missing"]],
  ["A==1,".repeat(2_000), ["filters-too-long"]],
])("fails for %j with %j", (text, codes) => {
  expect(codesOf(() => parseFilters(text))).toEqual(codes);
});

test("fails to write a filter that the service can't parse, and explains why", () => {
  expect(() => formatFilters([{ parameter: "NEW_VALUE", operator: "==", value: "a,b" }])).toThrow(
    "the value 'a,b' can't be part of a filter: the service has no way of quoting ',', '==', '<', '>' and '=' at the start; leave the condition out and filter what is listed",
  );
});

test.each<FilterOperator>(["<", ">", "=="])("fails to write %s before a value that would merge with it", (operator) => {
  expect(codesOf(() => formatFilters([{ parameter: "A", operator, value: "=5" }]))).toEqual([
    "filter-value-inexpressible",
  ]);
});

test("parses every filter that it writes", () => {
  const filter = fc.record({
    parameter: fc.stringMatching(/^[A-Z_]{1,12}$/),
    operator: fc.constantFrom(...operators),
    value: fc.string({ minLength: 1 }).filter((value) => !/,|==|<|>/.test(value) && !value.startsWith("=")),
  });
  fc.assert(
    fc.property(fc.array(filter, { minLength: 1, maxLength: 5 }), (filters) => {
      expect(parseFilters(formatFilters(filters))).toEqual(filters);
    }),
  );
});

test.each([
  ["10", "<", "9", false],
  ["10", ">", "9", true],
  ["9223372036854775807", ">", "9223372036854775806", true],
  ["b", ">", "a", true],
  ["on", "<>", "off", true],
  [true, "==", "true", true],
  [undefined, "<>", "x", false],
  [["a", "b"], "==", "b", true],
  [{ a: "b" }, "==", "b", false],
  ["5", "<=", "5", true],
  ["5", ">=", "6", false],
] as const)("%j %s %s is %s", (value, operator, wanted, expected) => {
  expect(meetsFilter(value, { parameter: "P", operator, value: wanted })).toBe(expected);
});
