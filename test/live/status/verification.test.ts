import { InputError, type Problem } from "../../../lib/errors";
import { readVerification } from "../../../lib/live/status";

const good = { hostname: "example.com", address: "203.0.113.7", ok: true };

test("reads results with their failures, and nothing else", () => {
  const bad = {
    ...good,
    ok: false,
    code: "timeout",
    message: "no answer",
    remedy: "look for a firewall",
    handshakes: 3,
  };
  const text = JSON.stringify({ version: 1, time: "2026-11-21T10:00:00Z", ok: false, results: [good, bad] });
  const { handshakes: _, ...known } = bad;
  expect(readVerification(text, "verify.json")).toEqual({
    time: new Date("2026-11-21T10:00:00Z"),
    results: [good, known],
  });
});

test("reads failures of version 0.1, which have a detail in place of a message", () => {
  const { results } = readVerification(JSON.stringify({ results: [{ ...good, ok: false, detail: "old" }] }), "v.json");
  expect(results).toEqual([{ ...good, ok: false, message: "old" }]);
});

test("reads results after the byte order mark of Windows", () => {
  expect(readVerification(`\uFEFF${JSON.stringify({ results: [good] })}`, "verify.json")).toEqual({ results: [good] });
});

test.each([
  ["{", ["has no list of results"]],
  ["null", ["has no list of results"]],
  ['{"results":{}}', ["has no list of results"]],
  ['{"time":"soon","results":[]}', ["has a time that is not valid"]],
  [
    JSON.stringify({ results: [good, 1, { ...good, ok: "yes" }] }),
    ["/results/1 is not a hostname at an address", "/results/2 is not a hostname at an address"],
  ],
])("fails with all mistakes: %s", (text, problems) => {
  expect(problemsOf(text, "a\u001bb").map(({ code, message }) => `${code} ${message}`)).toEqual(
    problems.map(
      (what) => `verification-malformed 'a\\u{1b}b' ${what}; give what 'cert-migration verify --json' prints`,
    ),
  );
});

test("summarizes a file in which every line is invalid", () => {
  expect(problemsOf(JSON.stringify({ results: Array(1_000).fill(1) }), "x")).toHaveLength(20);
});

function problemsOf(text: string, source: string): readonly Problem[] {
  try {
    readVerification(text, source);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}
