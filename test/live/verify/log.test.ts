import { loggedVerification, passingTimes, readVerifyLog, type VerifyResult } from "../../../lib/live/verify";

const now = new Date("2026-11-21T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const run = (hours: number, passed: readonly string[], failed: readonly string[] = []) => {
  return { version: 1 as const, time: hoursAgo(hours), passed, failed };
};
const hoursOf = (...log: readonly ReturnType<typeof run>[]) =>
  Object.fromEntries([...passingTimes(log, now)].map(([name, ms]) => [name, ms / 3_600_000]));

test.each<[string, readonly ReturnType<typeof run>[], object]>([
  ["from the first success", [run(30, ["a"]), run(20, ["a"]), run(1, ["a"])], { a: 30 }],
  ["from the first success after a failure", [run(30, ["a"]), run(20, [], ["a"]), run(10, ["a"])], { a: 10 }],
  ["by hostname", [run(20, ["a"], ["b"]), run(10, ["a", "b"])], { a: 20, b: 10 }],
  ["with a day between two verifications", [run(48, ["a"]), run(24, ["a"]), run(0, ["a"])], { a: 48 }],
  ["not beyond a longer gap", [run(48.1, ["a"]), run(24, ["a"])], { a: 24 }],
  ["not without a verification of the last day", [run(48, ["a"]), run(24.1, ["a"])], {}],
  ["not after a failure now", [run(20, ["a"]), run(1, [], ["a"])], {}],
  ["not of the future", [run(-1, ["a"])], {}],
  ["over verifications of other hostnames", [run(20, ["a"]), run(10, ["b"]), run(5, ["a"])], { a: 20, b: 10 }],
  ["in any order", [run(1, ["a"]), run(20, ["a"])], { a: 20 }],
])("counts the time %s", (_, log, expected) => {
  expect(hoursOf(...log)).toEqual(expected);
});

test("a hostname that fails at one address fails", () => {
  const result = (hostname: string, ok: boolean) => ({ hostname, address: "203.0.113.7", ok }) as VerifyResult;
  const results = [result("b", true), result("a", true), result("b", false)];
  expect(loggedVerification(results, now)).toEqual({
    version: 1,
    time: now.toISOString(),
    passed: ["a"],
    failed: ["b"],
  });
});

test("reads what was written, and refuses other files with the number of the line", () => {
  const line = JSON.stringify(run(1, ["a"], ["b"]));
  expect(readVerifyLog(`${line}\n\n${line}\n`, "verify.log")).toEqual([run(1, ["a"], ["b"]), run(1, ["a"], ["b"])]);
  for (const wrong of ["{}", "no", '{"version":1,"time":"soon","passed":[],"failed":[]}', '{"version":2}']) {
    expect(() => readVerifyLog(`${line}\n${wrong}\n`, "verify.log")).toThrow("'verify.log':2 is not a line");
  }
});
