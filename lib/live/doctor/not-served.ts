import { coverageOf } from "../../hostnames";

/** Returns the names that no hostname covers. @param hostnames a set, if callers compare many lists of names with it */
export function notServed(
  names: readonly string[],
  hostnames: readonly string[] | ReadonlySet<string>,
): readonly string[] {
  const served = "has" in hostnames ? hostnames : new Set(hostnames);
  return [...new Set(names)].filter((name) => coverageOf(served, name) === "none");
}
