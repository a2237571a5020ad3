import { join } from "node:path";
import { runScript } from "../support/child";

jest.setTimeout(300_000);

test.each(["forEach", "apart"])(
  "checks a plan of 50,000 resources in the time of ten plans of 5,000, with less than a gigabyte: %s",
  async (style) => {
    const { stdout, stderr } = await runScript(join(__dirname, "judge-child.ts"), [style]);
    expect(stderr).toBe("");
    const { small, huge, rssBytes } = JSON.parse(stdout);
    expect([small.dangers, huge.dangers]).toEqual([1_000, 10_000]);
    // Twice over, since collecting garbage of that size is no longer free.
    expect(huge.milliseconds).toBeLessThan(small.milliseconds * 20 + 1_000);
    expect(rssBytes).toBeLessThan(1_000_000_000);
  },
);
