import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Group } from "../../conformance/behavior";
import type { ResultsFile } from "../../conformance/results";
import { conformanceTables, readGoogleRuns, seenOnGoogle } from "../../docs/generate/conformance";

const run = (date: string, result: "as expected" | "different" | "not observed"): ResultsFile => {
  return { version: 1, side: "google", date, minutes: 30, behaviors: { "cloud-dns.records.one": { result } } };
};
const group: Group = {
  service: "cloud-dns",
  concept: "records",
  behaviors: ["one", "two"].map((word) => {
    const row = { word, statement: `Statement ${word}.`, source: "https://example.com/a", reliedOnBy: [] };
    return { ...row, expected: null, observe: async () => null };
  }),
};

test("shows the date of the latest run that has observed a behavior", () => {
  const runs = [run("2027-02-01", "not observed"), run("2027-01-01", "as expected")];
  expect(seenOnGoogle("cloud-dns.records.one", runs)).toBe("2027-01-01");
  expect(seenOnGoogle("cloud-dns.records.one", [run("2027-02-01", "different")])).toBe("2027-02-01: different");
  expect(seenOnGoogle("cloud-dns.records.two", runs)).toBe("not yet");
});

test("reads the runs on Google Cloud, the latest first, and no other results", () => {
  const folder = mkdtempSync(join(tmpdir(), "results-"));
  for (const name of ["2027-01-01-google", "2027-02-01-google", "2027-03-01-rehearsal"])
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(run(name.slice(0, 10), "as expected")));
  expect(readGoogleRuns(folder).map(({ date }) => date)).toEqual(["2027-02-01", "2027-01-01"]);
  expect(readGoogleRuns(join(folder, "missing"))).toEqual([]);
});

test("states that no run on Google Cloud is recorded, until there is one", () => {
  const { state, behaviors } = conformanceTables([group], []);
  expect(state).toContain("No run on Google Cloud has been recorded yet");
  expect(behaviors).toContain("| `cloud-dns.records.one` | Statement one. | [1] | not yet |");
  expect(conformanceTables([group], [run("2027-01-01", "as expected")]).state).toContain("2027-01-01");
});

test("lists a source once, however many behaviors have it", () => {
  expect(conformanceTables([group], []).sources).toBe("[1]: https://example.com/a\n");
});
