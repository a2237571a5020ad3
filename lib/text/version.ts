type Version = readonly [number, number, number];

/** Compares two versions; negative if the first is lower. Prereleases count as their release. */
export function compareVersions(left: string, right: string): number {
  return compare(parseVersion(left), parseVersion(right));
}

/**
 * Returns whether a version fits a version constraint of Terraform. Parts that are no constraint are ignored.
 *
 * @param constraint as in `required_providers`: `~> 7.30`, or several constraints with commas. @default any version
 */
export function satisfies(version: string, constraint = ""): boolean {
  const own = parseVersion(version);
  return constraint.split(",").every((part) => {
    const [, operator = "=", bound] = /^\s*(=|!=|>=|<=|>|<|~>)?\s*v?(\d[\w.+-]*)\s*$/.exec(part) ?? [];
    return bound === undefined || fits(own, operator, bound);
  });
}

/**
 * Returns the version of a provider for a constraint: the preferred version if the constraint allows it. Otherwise,
 * returns the highest version of the constraint's `=`, `>=`, `>` and `~>` parts; without such a part, the preferred
 * version.
 *
 * @param constraint see {@link satisfies}
 */
export function versionFor(constraint: string | undefined, preferred: string): string {
  if (satisfies(preferred, constraint)) return preferred;
  const bounds = (constraint ?? "").split(",").flatMap((part) => {
    const [, bound] = /^\s*(?:=|>=|>|~>)?\s*v?(\d[\w.+-]*)\s*$/.exec(part) ?? [];
    return bound ?? [];
  });
  return bounds.sort(compareVersions).at(-1) ?? preferred;
}

function fits(version: Version, operator: string, text: string): boolean {
  const bound = parseVersion(text);
  const order = compare(version, bound);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    default:
      return order >= 0 && compare(version, pessimisticEnd(bound, text)) < 0;
  }
}

/** Returns the exclusive upper bound: `~> 7.30` ends before 8, `~> 7.30.1` before 7.31. */
function pessimisticEnd([major, minor]: Version, text: string): Version {
  return text.split(".").length > 2 ? [major, minor + 1, 0] : [major + 1, 0, 0];
}

function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(/[-+]/)[0]?.split(".").map(Number) ?? [];
  return [major, minor, patch];
}

function compare(left: Version, right: Version): number {
  const index = left.findIndex((part, at) => part !== right[at]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}
