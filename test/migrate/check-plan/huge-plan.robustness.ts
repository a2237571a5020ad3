import { checkPlan, readTerraformPlan } from "../../../lib/migrate";
import { hugePlan } from "./huge-plan";

jest.setTimeout(120_000);

function judgeTimed(hostnames: number, style: "forEach" | "apart") {
  const text = hugePlan(hostnames, style);
  const start = performance.now();
  const { dangers } = checkPlan(readTerraformPlan(text, "plan.json"));
  return { dangers: dangers.length, milliseconds: performance.now() - start };
}

test.each(["forEach", "apart"] as const)(
  "a plan of 50,000 resources takes what ten of 5,000 take, and less than a gigabyte: %s",
  (style) => {
    judgeTimed(1_000, style);
    const small = judgeTimed(1_000, style);
    const huge = judgeTimed(10_000, style);
    expect([small.dangers, huge.dangers]).toEqual([1_000, 10_000]);
    // Twice over, since collecting garbage of that size is no longer free.
    expect(huge.milliseconds).toBeLessThan(small.milliseconds * 20 + 1_000);
    expect(process.memoryUsage().rss).toBeLessThan(1_000_000_000);
  },
);
