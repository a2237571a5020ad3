import { readHostname } from "../../lib/hostnames";
import { cpuTimeOf } from "../support/cpu-time";

/** The length of an untrusted certificate field, which has no limit, in characters. */
const length = 200_000;

describe("refuses a long text in time at most linear in its length", () => {
  test.each([
    ["an open bracket before colons", `[${":".repeat(length)}`, "hostname-bad-character"],
    ["what begins like a scheme", "a+".repeat(length), "hostname-bad-character"],
    ["slashes", "/".repeat(length), "hostname-has-scheme"],
    ["dots", ".".repeat(length), "hostname-empty-label"],
    ["wildcards", "*.".repeat(length), "hostname-bad-wildcard"],
    ["beginnings of references", "-8.1095".repeat(length), "hostname-hyphen-at-edge"],
    ["letters beyond ASCII", "ü".repeat(length), "hostname-too-long"],
  ])("%s", (_, text, code) => {
    expect(readHostname(text)).toMatchObject({ problem: { code } });
    expect(cpuTimeOf(() => readHostname(text))).toBeLessThan(1_000);
  });
});

test("parses 10,000 names in well under 200 ms", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `h${index}.shop${index % 97}.example${index % 13}.co.uk`);
  names.slice(0, 1000).forEach(readHostname);
  const timesMs = [1, 2, 3].map(() => cpuTimeOf(() => names.forEach(readHostname)));
  expect(Math.min(...timesMs)).toBeLessThan(200);
});
