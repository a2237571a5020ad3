import { readCount, readDuration, wordsFor } from "../../lib/cli/duration";

test.each([
  ["500ms", 500],
  ["90s", 90_000],
  ["60m", 3_600_000],
  ["2h", 7_200_000],
])("parses %s to %i ms", (text, milliseconds) => {
  expect(readDuration(text, "--timeout")).toBe(milliseconds);
});

test.each(["", "90", "1.5h", "-1s", "1d", "1000000000000000s", "1 s"])("refuses %j", (text) => {
  expect(() => readDuration(text, "--timeout")).toThrow(`--timeout '${text}' is not a time`);
});

test.each([
  ["999ms", "--every '999ms' is too short; use 1s or more"],
  ["0h", "--every '0h' is too short; use 1s or more"],
  ["577h", "--every '577h' is too long; use 576h or less"],
  ["99999999h", "--every '99999999h' is too long; use 576h or less"],
])("refuses %s outside a range of 1s to 576h", (text, message) => {
  expect(() => readDuration(text, "--every", { least: "1s" })).toThrow(message);
});

test("accepts at most the longest timer of Node", () => {
  expect(readDuration("576h", "--timeout")).toBeLessThan(2 ** 31);
  expect(readDuration("4320h", "--lag", { most: "4320h" })).toBe(180 * 86_400_000);
});

test.each(["1", "443", "65535"])("accepts %s as the number of an option", (text) => {
  expect(readCount(text, "--port", 65_535)).toBe(Number(text));
});

test.each(["", "0", "65536", "-1", "1.0", "1e2", "0x50", " 80", "Infinity"])(
  "refuses %j as a number from 1 to 65535",
  (text) => {
    expect(() => readCount(text, "--port", 65_535)).toThrow(`--port '${text}' is not a number from 1 to 65535`);
  },
);

test.each([
  [0, "0 s"],
  [499, "0 s"],
  [59_600, "1 min"],
  [130_000, "2 min 10 s"],
  [7_200_000, "2 h"],
])("formats %i ms as %s", (milliseconds, words) => {
  expect(wordsFor(milliseconds)).toBe(words);
});
