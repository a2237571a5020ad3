import { formatCheck, isDecimal, isKnownFormat } from "../../lib/discovery/formats";
import { cpuTimeOf } from "../support/cpu-time";

const holds = (format: string, text: string) => formatCheck(format)?.(text) === undefined;

describe.each([
  [
    "int32",
    ["0", "-2147483648", "2147483647", "007"],
    ["-2147483649", "2147483648", "1.0", "", "+1", "1e3", " 1", "0x1"],
  ],
  ["uint32", ["0", "4294967295"], ["-1", "4294967296"]],
  [
    "int64",
    ["-9223372036854775808", "9223372036854775807"],
    ["-9223372036854775809", "9223372036854775808", "1.5", "", "9".repeat(100)],
  ],
  ["uint64", ["0", "18446744073709551615"], ["-1", "18446744073709551616"]],
  [
    "double",
    ["0", "-1.5e300", ".5", "1.", "NaN", "-Infinity", "Infinity"],
    ["1e400", "abc", "", "-NaN", "1,5", "0x1", "."],
  ],
  ["float", ["3.4028234663852886e38", "-1e-50", "NaN"], ["3.5e38", "-3.5e38", "1f"]],
  ["byte", ["", "AA==", "AAA=", "AAAA", "AA", "-_-_", "+/+/"], ["A", "AA=", "A===", "+-+-", "AA==AA==", "ä", "A A="]],
  [
    "date",
    ["2026-11-21", "2024-02-29", "2000-02-29"],
    ["2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-32", "2026-1-1", "2026-11-21T"],
  ],
  [
    "google-datetime",
    [
      "2026-11-21T08:00:00Z",
      "2026-11-21T08:00:00.123456789Z",
      "2026-11-21t08:00:00z",
      "2026-11-21T08:00:00+05:30",
      "2016-12-31T23:59:60Z",
    ],
    [
      "2026-11-21",
      "2026-11-21T24:00:00Z",
      "2026-11-21T08:60:00Z",
      "2026-11-21T08:00:61Z",
      "2026-11-21T08:00:00",
      "2026-11-21T08:00:00.1234567890Z",
      "2026-02-30T08:00:00Z",
      "2026-11-21T08:00:00+24:00",
      "2026-11-21 08:00:00Z",
    ],
  ],
  ["date-time", ["2026-11-21T08:00:00Z"], ["yesterday"]],
  [
    "google-duration",
    ["3s", "-3.5s", "0.000000001s", "315576000000s"],
    ["3", "3.s", ".5s", "3m", "1.0000000001s", "315576000001s", "s", ""],
  ],
  [
    "google-fieldmask",
    ["", "*", "labels,description", "a.b.c", "labels.`a.b/c`", "a.*"],
    [",", "a,", "a..b", ".a", "a b", "a.`b", "labels, description"],
  ],
])("%s", (format, good, bad) => {
  test.each(good)("accepts %p", (text) => {
    expect(holds(format, text)).toBe(true);
  });

  test.each(bad)("refuses %p", (text) => {
    expect(holds(format, text)).toBe(false);
  });

  test("is checked in time linear in the text's length", () => {
    const takenMs = cpuTimeOf(() => {
      for (const text of ["1", "A", ".", "=", "a.", "a,", "-", "1.", "é", "`", " "]) {
        formatCheck(format)?.(`${text.repeat(500_000)}!`);
        formatCheck(format)?.(text.repeat(500_000));
      }
    });
    expect(takenMs).toBeLessThan(1_500);
  });

  test("is known, and describes what it expects", () => {
    expect(isKnownFormat(format)).toBe(true);
    expect(formatCheck(format)?.("\u0000")).toMatch(/^(a|bytes|names) /);
  });
});

test.each(["google.protobuf.Value", "google.protobuf.Any"])("does not check %s", (format) => {
  expect([isKnownFormat(format), formatCheck(format)]).toEqual([true, undefined]);
});

test.each(["uuid", "", "__proto__", "constructor"])("does not know or check a format %p", (format) => {
  expect([isKnownFormat(format), formatCheck(format)]).toEqual([false, undefined]);
});

test("recognizes a number in time linear in its length", () => {
  const takenMs = cpuTimeOf(() => {
    expect(isDecimal(`${"1".repeat(2_000_000)}x`)).toBe(false);
    expect(isDecimal(`1e${"1".repeat(2_000_000)}x`)).toBe(false);
  });
  expect(takenMs).toBeLessThan(500);
});
