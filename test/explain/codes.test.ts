import { evidenceGaps, recordFindings, violationCodes } from "../../lib/audit/codes";
import { planDangers } from "../../lib/check-plan";
import { InputError } from "../../lib/errors";
import { allCodes, errorTables, type ListedCode, type ReportedTable } from "../../lib/explain/codes";
import type { Code } from "../../lib/findings/codes";
import { certificateProblems, inventoryFindings, projectFindings } from "../../lib/inventory";
import { doctorCodes } from "../../lib/live/doctor";
import { recordCodes } from "../../lib/live/records";
import { statusCodes } from "../../lib/live/status";
import { verifyCodes } from "../../lib/live/verify";
import { waitCodes } from "../../lib/live/wait";
import { watchCodes } from "../../lib/live/watch";
import { checks } from "../../lib/plan";
import { reportCodes } from "../../lib/report";

const errors: readonly ReportedTable[] = errorTables;

test.each(
  Object.entries({
    plan: checks,
    inventory: { ...certificateProblems, ...inventoryFindings, ...projectFindings },
    doctor: doctorCodes,
    records: recordCodes,
    wait: waitCodes,
    status: { ...statusCodes, ...recordCodes, ...waitCodes },
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

test.each(["api-id-malformed", "cursor-in-use", "rrdata-bad-ipv4", "no-data", "import-id-invalid", "actor-invalid"])(
  "explains %s, a code of api, audit, cloud or a construct",
  (code) => {
    expect(allCodes().filter((known) => known.code === code)).toHaveLength(1);
  },
);
