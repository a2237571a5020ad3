import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planFixture } from "../check-plan/plans";
import { reportedBy } from "./check-plan-reported";

const indexShift = () => readFileSync(planFixture(join("defects", "count-shift")), "utf8");

test.each<readonly [title: string, exitCode: number, allowed: readonly string[]]>([
  [
    "finds the hostname that loses its entry by accident, where the one that is removed is allowed",
    4,
    ["entry-deleted=b.example.com"],
  ],
  [
    "finds the hostname that is not allowed, where a code is allowed for another one",
    4,
    ["entry-deleted=c.example.com", "entry-replaced=b.example.com"],
  ],
  [
    "accepts each hostname that is allowed by its code",
    0,
    ["entry-deleted=B.Example.com.", "entry-replaced=c.example.com"],
  ],
  ["accepts codes that are allowed everywhere", 0, ["entry-deleted", "entry-replaced"]],
])("%s", async (_, exitCode, allowed) => {
  const found = await reportedBy(indexShift(), ...allowed.flatMap((one) => ["--allow", one]));
  expect(found.exitCode).toBe(exitCode);
});
