import { checkPlan, readTerraformPlan } from "../../../lib/check-plan";
import type { Stage } from "../../../lib/rehearsal/stage";
import type { Scene } from "./scenario";

/** Reports the dangers that `cert-migration check-plan` finds in a new plan. */
export async function reportDangers({ terraform }: Stage, { say }: Scene, ...words: readonly string[]): Promise<void> {
  const { exitCode } = await terraform.run("plan", "-out=judged", "-input=false", "-no-color", ...words);
  if (exitCode !== 0) return;
  const { output } = await terraform.run("show", "-json", "judged");
  const { ok, dangers } = checkPlan(readTerraformPlan(output, "the plan"));
  const codes = [...new Set(dangers.map(({ code }) => code))];
  say(`check-plan ${ok ? "lets it pass" : "refuses"}: ${codes.join(", ")}`);
}
