import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planFixture } from "../check-plan/plans";
import { runCli } from "../support/io";

interface Verdict {
  readonly findings: readonly { readonly code: string; readonly hostnames?: readonly string[] }[];
}

/** Code and hostnames of all that 'cert-migration check-plan' reports of a plan, and its exit code. */
export async function reportedBy(
  plan: string,
  ...words: readonly string[]
): Promise<{ readonly exitCode: number; readonly reported: readonly string[] }> {
  const { exitCode, stdout, stderr } = await runCli(["check-plan", "-", "--json", ...words], { stdin: plan });
  if (stdout === "") throw new Error(stderr);
  const { findings: dangers } = JSON.parse(stdout) as Verdict;
  return {
    exitCode,
    reported: dangers.map(({ code, hostnames }) => [code, [...(hostnames ?? [])].sort().join()].join(" ")).sort(),
  };
}

/** A plan with what is reported of it: code and hostnames. */
export type PlanRow = readonly [title: string, plan: object, ...reported: readonly string[]];

/** Tests that `check-plan` reports all of a row and nothing else; it refuses a plan whose title is one of a defect. */
export function testPlans(rows: readonly PlanRow[]): void {
  test.each(rows.map(([title, plan, ...reported]) => ({ title, plan, reported })))("$title", async (row) => {
    expect(await reportedBy(JSON.stringify(row.plan))).toEqual(expectedOf(row.title, row.reported));
  });
}

/** Tests the same of plans in fixtures. */
export function testFixtures(
  rows: readonly (readonly [title: string, fixture: string, ...reported: readonly string[]])[],
): void {
  test.each(rows.map(([title, fixture, ...reported]) => ({ title, fixture, reported })))("$title", async (row) => {
    const plan = readFileSync(planFixture(join("defects", row.fixture)), "utf8");
    expect(await reportedBy(plan)).toEqual(expectedOf(row.title, row.reported));
  });
}

function expectedOf(title: string, reported: readonly string[]) {
  return { exitCode: title.startsWith("finds ") ? 4 : 0, reported: [...reported].sort() };
}
