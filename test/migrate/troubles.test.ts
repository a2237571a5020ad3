import {
  allTroubles,
  doctorCodes,
  inventoryFindings,
  planDangers,
  recordCodes,
  statusCodes,
  verifyCodes,
  waitCodes,
  watchCodes,
} from "../../lib/migrate";
import { checks } from "../../lib/plan";

test.each(
  Object.entries({
    plan: checks,
    inventory: inventoryFindings,
    doctor: doctorCodes,
    records: recordCodes,
    wait: waitCodes,
    status: { ...statusCodes, ...recordCodes, ...waitCodes },
    "check-plan": planDangers,
    verify: verifyCodes,
    watch: watchCodes,
  }),
)("every code of %s is there once, with the remedy that the command gives", (command, codes) => {
  const own = allTroubles().filter(({ commands }) => commands.includes(command));
  expect(own.map(({ code, remedy }) => [code, remedy]).sort()).toEqual(
    Object.entries(codes)
      .map(([code, { remedy }]) => [code, remedy.replace(/\.$/, "")])
      .sort(),
  );
});

test("codes are kebab-case, meanings begin like sentences, and nothing is said in more than one line", () => {
  for (const { code, meaning, remedy, severity } of allTroubles()) {
    expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(meaning).toMatch(/^[A-Z][^\n]*[^.\s]$/);
    expect(remedy).toMatch(/^\S[^\n]*[^.\s]$/);
    expect(["error", "warning", "info"]).toContain(severity);
  }
});

test("at least 25 kinds of trouble are known to commands that look at the live world", () => {
  const live = ["doctor", "records", "status", "wait", "verify", "watch", "inventory"];
  const codes = allTroubles().filter(({ commands }) => commands.some((command) => live.includes(command)));
  expect(new Set(codes.map(({ code }) => code)).size).toBeGreaterThanOrEqual(25);
});
