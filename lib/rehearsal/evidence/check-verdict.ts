/** Reads the verdict of a rehearsal from its evidence, and checks that it is consistent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { resultName } from "../folder";
import type { RehearsalResult } from "../rehearsal";
import type { Verdict } from "./evidence";
import { check, type EvidenceCheck, evidenceAdvice, mismatchOf, type Shape } from "./evidence-lines";
import { withPresentNames } from "./former-evidence";

const shape: Shape<Verdict> = {
  ok: "boolean",
  probes: "number",
  failedHandshakes: "number",
  destroyed: "boolean",
  kills: "number",
  faultCounts: "list",
  steps: "list",
};

/** Required members of the items in the verdict's lists. */
const shapes: Readonly<Record<"steps" | "faultCounts" | "bySecond", Shape<Readonly<Record<string, unknown>>>>> = {
  steps: {
    number: "number",
    ok: "boolean",
    seconds: "number",
    probes: "number",
    failedHandshakes: "number",
    from: "string",
    until: "string",
  },
  faultCounts: { count: "number" },
  bySecond: { hostname: "string", second: "string", probes: "number", failed: "number" },
};

/** Reads the verdict. @throws InputError `evidence-unreadable` */
export function readVerdict(folder: string): Verdict {
  const result = parsed(join(folder, resultName));
  if (result === undefined) {
    const message = `${quote(folder)} has no ${resultName} that can be read; ${evidenceAdvice}`;
    throw new InputError("evidence-unreadable", message);
  }
  const mismatch = mismatchOf(result, shape) ?? mismatchInLists(result as Verdict);
  if (mismatch === undefined) return result as Verdict;
  throw new InputError("evidence-unreadable", `${resultName} in ${quote(folder)} is not a verdict: ${mismatch}`);
}

function parsed(file: string): unknown {
  try {
    return withPresentNames(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

function mismatchInLists({ steps, faultCounts, bySecond = [] }: Verdict): string | undefined {
  const lists = { steps, faultCounts, bySecond };
  for (const [name, items] of Object.entries(lists)) {
    if (!Array.isArray(items)) return `'${name}' is not a list`;
    const [mismatch] = items.flatMap((item) => mismatchOf(item, shapes[name as keyof typeof shapes]) ?? []);
    if (mismatch !== undefined) return `an item of '${name}' ${mismatch}`;
  }
  return undefined;
}

/** Possible last steps of a rehearsal: 3 for certificates alone, 7 for everything but traffic, 8 for all. */
const lastSteps = [3, 7, 8];

export function verdictCheck(result: Verdict): EvidenceCheck {
  return check("result", !result.ok || hasPassed(result), result.ok ? "the rehearsal passed" : "the rehearsal failed");
}

/** Returns whether the details of a verdict agree with success as a whole. */
function hasPassed({
  steps,
  failedHandshakes,
  destroyed,
  completed,
  converged,
  watch,
  rotation,
  rollback,
}: RehearsalResult): boolean {
  const numbers = steps.map(({ number }) => number);
  const isWhole = lastSteps.includes(numbers.length) && numbers.every((number, index) => number === index + 1);
  const parts = [watch, rotation, rollback].map((ok) => ok ?? true);
  const went = [destroyed, completed, converged, ...parts, ...steps.map(({ ok }) => ok)];
  return isWhole && failedHandshakes === 0 && went.every(Boolean);
}
