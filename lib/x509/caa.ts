/** The CA identity that CAA records have to name so that Google Trust Services may issue. */
export const googleIdentity = "pki.goog";

/** The result of CAA records for a name (RFC 8659). */
export interface CaaVerdict {
  /**
   * `restricted`: allowed under conditions, for example for one account; `critical`: the records have a critical
   * property that the CA does not support.
   */
  readonly verdict: "allowed" | "restricted" | "forbidden" | "critical";
  /** Whether `issuewild` decides; only possible for a wildcard. */
  readonly isWild: boolean;
  /** The property that caused a `critical` verdict. */
  readonly tag?: string;
}

interface Property {
  readonly critical: boolean;
  readonly tag: string;
  readonly value: string;
}

/** Properties that every CA supports (RFC 8659, 4; RFC 9495; the registry of CAA properties). */
const known = new Set(["issue", "issuewild", "iodef", "issuemail", "issuevmc", "contactemail", "contactphone"]);

/**
 * Decides whether a CA may issue for a name by the closest CAA records above it.
 *
 * @param name may be a wildcard
 * @param records each in the format of zone files
 */
export function readCaa(name: string, records: readonly string[], identity: string = googleIdentity): CaaVerdict {
  const properties = records.map(readProperty);
  const unknown = properties.find(({ critical, tag }) => critical && !known.has(tag));
  if (unknown !== undefined) return { verdict: "critical", isWild: false, tag: unknown.tag };
  const isWild = name.startsWith("*.") && properties.some(({ tag }) => tag === "issuewild");
  const relevant = propertiesFor(name, properties);
  // Records without a property about issuance, for example only iodef, allow every CA.
  if (relevant.length === 0) return { verdict: "allowed", isWild };
  const issueRecords = relevant
    .map(({ value }) => value.split(";").map((part) => part.trim()))
    .filter(([domain]) => domain?.toLowerCase() === identity);
  if (issueRecords.length === 0) return { verdict: "forbidden", isWild };
  const isFree = issueRecords.some(([, ...parameters]) => parameters.every((parameter) => parameter === ""));
  return { verdict: isFree ? "allowed" : "restricted", isWild };
}

/**
 * Returns the parameters of each property that allows a CA for a name (RFC 8657), by their lower-case tags: the CA
 * may issue if it meets all parameters of one of them. Empty if no property names the CA.
 */
export function caaConditions(
  name: string,
  records: readonly string[],
  identity: string = googleIdentity,
): readonly ReadonlyMap<string, string>[] {
  return propertiesFor(name, records.map(readProperty)).flatMap(({ value }) => {
    const [domain, ...parameters] = value.split(";").map((part) => part.trim());
    if (domain?.toLowerCase() !== identity) return [];
    return new Map(
      parameters
        .filter((parameter) => parameter !== "")
        .map((parameter) => {
          const [tag = "", ...rest] = parameter.split("=");
          return [tag.trim().toLowerCase(), rest.join("=").trim()] as const;
        }),
    );
  });
}

/** Returns the properties that decide for a name. */
function propertiesFor(name: string, properties: readonly Property[]): readonly Property[] {
  const wild = properties.filter(({ tag }) => tag === "issuewild");
  return name.startsWith("*.") && wild.length > 0 ? wild : properties.filter(({ tag }) => tag === "issue");
}

function readProperty(record: string): Property {
  const match = /^(\d+)\s+(\S+)\s+"?(.*?)"?$/s.exec(record);
  return {
    critical: (Number(match?.[1] ?? 0) & 128) !== 0,
    tag: (match?.[2] ?? "").toLowerCase(),
    value: match?.[3] ?? "",
  };
}
