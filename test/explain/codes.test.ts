import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { evidenceGaps, recordFindings, violationCodes } from "../../lib/audit/codes";
import { planDangers } from "../../lib/check-plan";
import { InputError } from "../../lib/errors";
import { allCodes } from "../../lib/explain/codes";
import { errorTables, type ListedCode, type ReportedTable } from "../../lib/explain/tables";
import type { Code } from "../../lib/findings/codes";
import { certificateProblems, inventoryFindings } from "../../lib/inventory";
import { doctorCodes } from "../../lib/live/doctor";
import { recordCodes } from "../../lib/live/records";
import { statusCodes } from "../../lib/live/status";
import { verifyCodes } from "../../lib/live/verify";
import { waitCodes } from "../../lib/live/wait";
import { watchCodes } from "../../lib/live/watch";
import { checks } from "../../lib/plan";
import { projectFindings } from "../../lib/project-inventory";
import { renewalCodes } from "../../lib/renewal";
import { reportCodes } from "../../lib/report";
import { runCli } from "../support/io";

const errors: readonly ReportedTable[] = errorTables;

test.each(
  Object.entries({
    plan: checks,
    inventory: { ...certificateProblems, ...inventoryFindings, ...projectFindings },
    doctor: doctorCodes,
    records: recordCodes,
    wait: waitCodes,
    status: { ...statusCodes, ...renewalCodes, ...recordCodes, ...waitCodes },
    monitor: { ...statusCodes, ...renewalCodes, ...recordCodes, ...waitCodes, ...verifyCodes },
    "check-plan": planDangers,
    verify: verifyCodes,
    watch: watchCodes,
    report: reportCodes,
    "audit guard": { ...violationCodes, ...evidenceGaps, ...recordFindings },
  }),
)("lists every code of %s once, with the remedy that the command prints", (command, codes) => {
  const own = allCodes().filter(({ commands }) => commands.includes(command));
  const ownErrors = errors.filter((table) => table.commands.includes(command)).map((table) => table.codes);
  expect(own.map(({ code, remedy }) => [code, remedy]).sort()).toEqual(
    [codes, ...ownErrors]
      .flatMap((table) => Object.entries<{ readonly remedy: string }>(table))
      .map(([code, { remedy }]) => [code, remedy.replace(/\.$/, "")])
      .sort(),
  );
});

test("has kebab-case codes, meanings that begin like sentences, and one-line texts", () => {
  for (const { code, meaning, remedy, severity } of allCodes()) {
    expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(meaning).toMatch(/^(?:[A-Z']|--)[^\n]*[^.\s]$/);
    expect(remedy).toMatch(/^\S[^\n]*[^.\s]$/);
    expect(["error", "warning", "info"]).toContain(severity);
  }
});

test("lists every code that a table adds, and types refuse a code without a table", () => {
  const isComplete: [Exclude<Code, ListedCode>] extends [never] ? true : Exclude<Code, ListedCode> = true;
  expect(isComplete).toBe(true);
  // @ts-expect-error no table has the code
  expect(new InputError("no-such-code", "m").problems).toEqual([{ code: "no-such-code", message: "m" }]);
});

test("lists every code that a message in the source has in brackets", () => {
  const lib = join(__dirname, "../../lib");
  const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const known = new Set(allCodes().map(({ code }) => code));
  const printed = files.flatMap((name) => {
    const text = readFileSync(join(lib, name), "utf8");
    return [...text.matchAll(/ \[([a-z]+(?:-[a-z0-9]+)+)\](?:\\n)?[`"']/g)].map(([, code]) => code ?? "");
  });
  expect(printed).toContain("clock-set");
  expect(printed.filter((code) => !known.has(code))).toEqual([]);
});

test.each(["range-cut", "notification-channels-missing", "rehearsal", "stopped", "bug"])(
  "explains %s, a code of a warning or a note",
  async (code) => {
    const { exitCode, stdout } = await runCli(["explain", code]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(code)]);
  },
);

test.each(["api-id-malformed", "cursor-in-use", "rrdata-bad-ipv4", "no-data", "import-id-invalid", "actor-invalid"])(
  "explains %s, a code of api, audit, cloud or a construct",
  (code) => {
    expect(allCodes().filter((known) => known.code === code)).toHaveLength(1);
  },
);
