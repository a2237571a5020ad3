import { isDecimal } from "../../lib/discovery/formats";

test("refuses a number of more than ten thousand characters, because the engine needs stack for each digit", () => {
  expect(["1".repeat(10_000), "1".repeat(10_001), "1".repeat(5_000_000)].map(isDecimal)).toEqual([true, false, false]);
});
