import fc from "fast-check";
import { readTime } from "../../../lib/audit";

test.each([
  ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", true],
  ["2026-11-21T10:00:00.120Z", "2026-11-21T10:00:00.12Z", true],
  ["2022-12-11T02:57:48.693000001Z", "2022-12-11T02:57:48.693000001Z", true],
  ["2026-11-21T12:00:00+02:00", "2026-11-21T10:00:00Z", true],
  ["2026-11-21T06:15:00-03:45", "2026-11-21T10:00:00Z", true],
  ["2022-12-11 02:57:48.693000000", "2022-12-11T02:57:48.693Z", false],
  ["2020/07/28 04:59:59 UTC", "2020-07-28T04:59:59Z", false],
  ["2026-11-21t10:00:00z", "2026-11-21T10:00:00Z", false],
  ["2026-11-21T10:00:00+0000", "2026-11-21T10:00:00Z", false],
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z", true],
  ["2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z", true],
  ["2026-11-21T10:00:00", "2026-11-21T10:00:00Z", false],
])("%s is %s; RFC 3339 as the service writes it: %s", (text, utc, standard) => {
  expect(readTime(text)).toEqual({ text: utc, milliseconds: Date.parse(utc), standard });
});

test.each([
  "",
  "now",
  "2026-11-21",
  "2026-02-30T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "9999-12-31T23:59:59-01:00",
  "2026-11-21T24:00:00Z",
  "2026-11-21T10:00:60Z",
  "2026-11-21T10:00:00+24:00",
  "2026-11/21T10:00:00Z",
  "0050-13-01T00:00:00Z",
  "1700000000",
  "2026-11-21T10:00:00.Z",
  "2026-11-21T10:00:00Zz",
])("refuses %j", (text) => {
  expect(readTime(text)).toBeUndefined();
});

test("parses every time that Date prints", () => {
  const years = { min: new Date("1000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      expect(readTime(date.toISOString())).toMatchObject({ milliseconds: date.getTime(), standard: true });
    }),
  );
});
