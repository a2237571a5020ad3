import type { ReportData, Verification } from "../../lib/report";
import { reportFindings } from "../../lib/report/findings";
import { historyOf } from "../../lib/report/history";
import { verdictOf } from "../../lib/report/summary";
import { fullReport } from "../support/report-data";

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

const data = (...verifications: readonly Verification[]): ReportData => ({
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

const shop = [{ name: "shop", project: "p" }];
const pay = [{ name: "pay", project: "p" }];
const of = (migrations: typeof shop, ...given: Parameters<typeof verified>) => ({ ...verified(...given), migrations });
const needsFix = "Needs a fix: verify found 1 further error.";

test.each<[string, ReportData, string, readonly string[]]>([
  [
    "an error of one migration, and a later result of another",
    data(of(shop, undefined, 0, "primary-not-served"), of(pay, undefined, 5)),
    needsFix,
    ["primary-not-served: m"],
  ],
  [
    "an error in a part of one migration, and the same part of another",
    data(of(shop, "1/2", 0, "primary-not-served"), of(shop, "2/2", 1), of(pay, "1/2", 2), of(pay, "2/2", 3)),
    needsFix,
    ["primary-not-served: m"],
  ],
  [
    "the same error in both parts of a migration",
    data(of(shop, "1/2", 0, "primary-not-served"), of(shop, "2/2", 0, "primary-not-served")),
    needsFix,
    ["primary-not-served: m"],
  ],
  [
    "different parts of two migrations",
    data(of(shop, "1/2", 0), of(pay, "2/2", 1)),
    "All 2 hostnames are served as they should be. The results of 2 parts of the hostnames are missing.",
    [
      "shard-missing: verify: no result of --shard 2/2 for 'shop'",
      "shard-missing: verify: no result of --shard 1/2 for 'pay'",
    ],
  ],
  [
    "an error that a later result of both migrations no longer has",
    data(of(shop, undefined, 0, "primary-not-served"), of([...pay, ...shop], undefined, 5)),
    "The one hostname is served as it should be.",
    [],
  ],
  [
    "an error at an address that the later result is not about",
    data(of(shop, undefined, 0, "primary-not-served"), { ...of(shop, undefined, 5), results: [] }),
    needsFix,
    ["primary-not-served: m"],
  ],
  [
    "a part of both migrations, and the other part of one of them",
    data(of([...shop, ...pay], "1/2", 0), of(shop, "2/2", 1)),
    "All 2 hostnames are served as they should be. The results of 1 part of the hostnames are missing.",
    ["shard-missing: verify: no result of --shard 2/2 for 'pay'"],
  ],
  [
    "a verification that failed without a finding",
    data({ ...of(shop, undefined, 0), ok: false }, of(pay, undefined, 1)),
    needsFix,
    ["not-served: v.json: verify failed, and the file lists no failure"],
  ],
])("results of several migrations: %s", (_, given, sentence, findings) => {
  expect(verdictOf(given, []).sentence).toBe(sentence);
  expect(codesOf(given)).toEqual(findings);
});

test("reports missing parts of watches by migration", () => {
  const [watch] = fullReport(0).watches ?? [];
  if (watch === undefined) throw new Error("a full report has a watch");
  const watches = [
    { ...watch, migrations: shop, shard: "1/2" },
    { ...watch, migrations: pay, shard: "2/2" },
  ];
  expect(codesOf({ ...data(), watches }).filter((text) => text.startsWith("shard-missing"))).toEqual([
    "shard-missing: watch: no result of --shard 2/2 for 'shop'",
    "shard-missing: watch: no result of --shard 1/2 for 'pay'",
  ]);
});
