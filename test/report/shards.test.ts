import type { ReportData } from "../../lib/report";
import { reportFindings } from "../../lib/report/findings";
import { historyOf } from "../../lib/report/history";
import { verdictOf } from "../../lib/report/summary";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));

/** Returns the result of a part of the hostnames. @param finding code of a finding about a whole address */
function verified(shard: string | undefined, minute: number, finding?: string) {
  const hostname = `h${shard?.replace("/", "-of-") ?? ""}.example.com`;
  const found = { code: finding ?? "", severity: "error", subject: "203.0.113.7", message: "m", remedy: "" } as const;
  return {
    source: "v.json",
    time: at(minute),
    results: [{ hostname, address: "203.0.113.7", ok: true }],
    ...(shard === undefined ? {} : { shard }),
    ...(finding === undefined ? {} : { findings: [found] }),
  };
}

const data = (...verifications: readonly ReturnType<typeof verified>[]): ReportData => ({
  title: "t",
  generatedAt: at(59),
  verifications,
});

test.each<[string, ReportData, "good" | "pending", string]>([
  ["all parts", data(verified("1/2", 0), verified("2/2", 0)), "good", "All 2 hostnames are served as they should be."],
  [
    "one part of three",
    data(verified("2/3", 0)),
    "pending",
    "The one hostname is served as it should be. The results of 2 parts of the hostnames are missing.",
  ],
  [
    "a part and a whole result",
    data(verified("2/3", 0), verified(undefined, 1)),
    "good",
    "All 2 hostnames are served as they should be.",
  ],
  [
    "parts of two divisions, of which one is whole",
    data(verified("1/2", 0), verified("2/2", 0), verified("1/3", 1)),
    "good",
    "All 3 hostnames are served as they should be.",
  ],
])("%s: the verdict knows which parts of the hostnames are missing", (_, given, tone, sentence) => {
  expect(verdictOf(given, [])).toEqual({ tone, sentence });
});

const codesOf = (given: ReportData) =>
  reportFindings(given, [], historyOf([])).map(({ code, message }) => `${code}: ${message}`);

test("a missing part is a finding that names it", () => {
  expect(codesOf(data(verified("2/3", 0)))).toEqual(["shard-missing: verify: no result of --shard 1/3, 3/3"]);
});

test("the latest findings of every part count, and not only those of the part that ended last", () => {
  const given = data(verified("1/2", 0, "former"), verified("1/2", 1, "of-one"), verified("2/2", 2));
  expect(codesOf(given)).toEqual(["of-one: m"]);
});
