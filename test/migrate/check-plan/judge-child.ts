// In a process of its own, whose memory is that of the plans alone.
import { checkPlan, readTerraformPlan } from "../../../lib/migrate";
import { hugePlan } from "./huge-plan";

const style = process.argv[2] as "forEach" | "apart";

function judgeTimed(hostnames: number) {
  const text = hugePlan(hostnames, style);
  const start = performance.now();
  const { dangers } = checkPlan(readTerraformPlan(text, "plan.json"));
  return { dangers: dangers.length, milliseconds: performance.now() - start };
}

judgeTimed(1_000);
const [small, huge] = [judgeTimed(1_000), judgeTimed(10_000)];
process.stdout.write(JSON.stringify({ small, huge, rssBytes: process.memoryUsage.rss() }));
