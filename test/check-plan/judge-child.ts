// Runs in a separate process, so that its memory is used only for the plans.
import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { cpuTimeOf } from "../support/cpu-time";
import { hugePlan } from "./huge-plan";

const style = process.argv[2] as "forEach" | "apart";

function judgeTimed(hostnames: number) {
  const text = hugePlan(hostnames, style);
  let dangers = 0;
  const milliseconds = cpuTimeOf(() => {
    dangers = checkPlan(readTerraformPlan(text, "plan.json")).dangers.length;
  });
  return { dangers, milliseconds };
}

judgeTimed(1_000);
const [small, huge] = [judgeTimed(1_000), judgeTimed(10_000)];
process.stdout.write(JSON.stringify({ small, huge, rssBytes: process.memoryUsage.rss() }));
