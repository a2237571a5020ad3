import type { Problem } from "../../errors";
import { isList, type ValueObject } from "../value";
import type { Overlay } from "./overlay";

/**
 * Checks the groups of attributes and blocks of which a configuration must have exactly one, or at most one. Returns
 * the problems.
 */
export function checkChoices(type: string, overlay: Overlay, config: ValueObject): readonly Problem[] {
  const isThere = (name: string) => {
    const value = config[name] ?? null;
    return isList(value) ? value.length > 0 : value !== null;
  };
  const problems: Problem[] = [];
  for (const names of overlay.exactlyOne ?? []) {
    const there = names.filter(isThere);
    if (there.length === 1) continue;
    const found = there.length === 0 ? "none" : there.join(" and ");
    problems.push({
      code: "exactly-one-of",
      message: `${type}: exactly one of ${names.join(", ")} must be set, found ${found}`,
    });
  }
  for (const names of overlay.atMostOne ?? []) {
    const there = names.filter(isThere);
    if (there.length < 2) continue;
    problems.push({ code: "conflicting", message: `${type}: ${there.join(" conflicts with ")}; set one of them` });
  }
  return problems;
}
