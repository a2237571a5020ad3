/** Differences between versions of the google provider that the stand-in reproduces. */
export interface ProviderBehavior {
  /** Whether a change of `self_managed` updates a certificate; if not, the change replaces the certificate. */
  readonly updatesSelfManaged: boolean;
  /** Whether a target SSL proxy may have a map and certificates together; if not, it must have exactly one of them. */
  readonly sslProxyHoldsBoth: boolean;
  /** Load-balancing scheme of global forwarding rules and backend services without a configured scheme. */
  readonly globalScheme: "EXTERNAL" | "EXTERNAL_MANAGED";
}

type Version = readonly [number, number, number];

/** Returns the behavior of a version. @param version for example `7.45.0` */
export function behaviorOf(version: string): ProviderBehavior {
  const own = parseVersion(version);
  const isFrom = (major: number, minor: number) => compare(own, [major, minor, 0]) >= 0;
  return {
    updatesSelfManaged: isFrom(7, 41),
    sslProxyHoldsBoth: isFrom(7, 19),
    globalScheme: isFrom(8, 0) ? "EXTERNAL_MANAGED" : "EXTERNAL",
  };
}

/**
 * Returns the version of the provider for a stack: the installed version if the constraint allows it. Otherwise,
 * returns the highest version of the constraint's `=`, `>=`, `>` and `~>` parts; without such a part, the installed
 * version.
 *
 * @param constraint as in `required_providers`: `~> 7.30`, or several constraints with commas. @default any version
 * @param installed version of the bindings
 */
export function providerVersionOf(constraint: string | undefined, installed: string): string {
  const rules = (constraint ?? "").split(",").flatMap((part) => {
    const [, operator = "=", version = ""] = /^\s*(=|!=|>=|<=|>|<|~>)?\s*v?(\d[\w.+-]*)\s*$/.exec(part) ?? [];
    return version === "" ? [] : [{ operator, version }];
  });
  if (rules.every(({ operator, version }) => fits(parseVersion(installed), operator, version))) return installed;
  const lowest = rules
    .filter(({ operator }) => ["=", ">=", ">", "~>"].includes(operator))
    .map(({ version }) => parseVersion(version))
    .sort(compare)
    .at(-1);
  return lowest === undefined ? installed : lowest.join(".");
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
