import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { planDangers } from "../../lib/check-plan";
import { allCodes } from "../../lib/explain/codes";
import { errorTables } from "../../lib/explain/error-codes";
import { certificateProblems, inventoryFindings } from "../../lib/inventory";
import { doctorCodes } from "../../lib/live/doctor";
import { recordCodes } from "../../lib/live/records";
import { statusCodes } from "../../lib/live/status";
import { verifyCodes } from "../../lib/live/verify";
import { waitCodes } from "../../lib/live/wait";
import { watchCodes } from "../../lib/live/watch";
import { checks } from "../../lib/plan";
import { reportCodes } from "../../lib/report";

test.each(
  Object.entries({
    plan: checks,
    inventory: { ...certificateProblems, ...inventoryFindings },
    doctor: doctorCodes,
    records: recordCodes,
    wait: waitCodes,
    status: { ...statusCodes, ...recordCodes, ...waitCodes },
    "check-plan": planDangers,
    verify: verifyCodes,
    watch: watchCodes,
    report: reportCodes,
  }),
)("every code of %s is there once, with the remedy that the command gives", (command, codes) => {
  const own = allCodes().filter(({ commands }) => commands.includes(command));
  const errors = errorTables.filter(({ commands }) => commands.includes(command)).map((table) => table.codes);
  expect(own.map(({ code, remedy }) => [code, remedy]).sort()).toEqual(
    [codes, ...errors]
      .flatMap((table) => Object.entries<{ readonly remedy: string }>(table))
      .map(([code, { remedy }]) => [code, remedy.replace(/\.$/, "")])
      .sort(),
  );
});

test("codes are kebab-case, meanings begin like sentences, and nothing is said in more than one line", () => {
  for (const { code, meaning, remedy, severity } of allCodes()) {
    expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(meaning).toMatch(/^(?:[A-Z']|--)[^\n]*[^.\s]$/);
    expect(remedy).toMatch(/^\S[^\n]*[^.\s]$/);
    expect(["error", "warning", "info"]).toContain(severity);
  }
});

test("at least 25 kinds of trouble are known to commands that look at the live world", () => {
  const live = ["doctor", "records", "status", "wait", "verify", "watch", "inventory"];
  const codes = allCodes().filter(({ commands }) => commands.some((command) => live.includes(command)));
  expect(new Set(codes.map(({ code }) => code)).size).toBeGreaterThanOrEqual(25);
});

/** What is thrown, where reading ends: its message says all that there is to say. */
const thrown = /(?:Input|Service)Error\(\s*$|code: $/;
/** How the folders name a finding by its code, as the first or the second argument. */
const named = /\b(?:finding|findingOf|danger|say|because|note|add|of|warn|judge)\(\s*(?:"[a-z]+",\s*)?$/;

test("every code that is written down as a finding's, in any folder that judges, is known", () => {
  const known = new Set(allCodes().map(({ code }) => code));
  const root = join(__dirname, "..", "..", "lib");
  const files = ["check-plan", "inventory", "live", "report", "source"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const unknown: string[] = [];
  let seen = 0;
  for (const name of files) {
    const text = readFileSync(join(root, name), "utf8");
    for (const { 1: code = "", index } of text.matchAll(/"([a-z0-9]+(?:-[a-z0-9]+)+)"/g)) {
      const before = text.slice(Math.max(0, index - 60), index);
      if (thrown.test(before) || !named.test(before)) continue;
      seen += 1;
      if (!known.has(code)) unknown.push(`${name}: ${code}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

test("every code of a finding is shown by a test, beside those that go through all codes", () => {
  const root = join(__dirname, "..");
  const all = /^(?:explain\/troubles|cli\/explain|cli\/remedies)\.test\.ts$/;
  const texts = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !all.test(name))
    .map((name) => readFileSync(join(root, name), "utf8"));
  const words = new Set(texts.flatMap((text) => text.match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? []));
  const errors = new Set(errorTables.flatMap((table) => Object.keys(table.codes)));
  const found = allCodes().filter(({ code }) => !errors.has(code));
  expect(found.flatMap(({ code }) => (words.has(code) ? [] : code))).toEqual([]);
});
