/** What CAA records have to name for Google Trust Services to issue. */
export const googleIdentity = "pki.goog";

/** What CAA records say of a name (RFC 8659). */
export interface CaaVerdict {
  /** `restricted`: allowed under conditions, as of an account; `critical`: a property that a CA has to understand and does not. */
  readonly verdict: "allowed" | "restricted" | "forbidden" | "critical";
  /** Whether `issuewild` decides, which does so for a wildcard alone. */
  readonly isWild: boolean;
  /** The property that decides a `critical` verdict. */
  readonly tag?: string;
}

interface Property {
  readonly critical: boolean;
  readonly tag: string;
  readonly value: string;
}

/** Properties that every CA understands (RFC 8659, 4; RFC 9495; the registry of CAA properties). */
const known = new Set(["issue", "issuewild", "iodef", "issuemail", "issuevmc", "contactemail", "contactphone"]);

/**
 * Decides whether a CA may issue for a name by the closest CAA records above it.
 *
 * @param name may be a wildcard
 * @param records each as in a zone file
 */
export function readCaa(name: string, records: readonly string[], identity: string = googleIdentity): CaaVerdict {
  const properties = records.map(readProperty);
  const unknown = properties.find(({ critical, tag }) => critical && !known.has(tag));
  if (unknown !== undefined) return { verdict: "critical", isWild: false, tag: unknown.tag };
  const wild = properties.filter(({ tag }) => tag === "issuewild");
  const isWild = name.startsWith("*.") && wild.length > 0;
  const relevant = isWild ? wild : properties.filter(({ tag }) => tag === "issue");
  // Records that say nothing of issuing, such as iodef alone, allow everybody.
  if (relevant.length === 0) return { verdict: "allowed", isWild };
  const own = relevant
    .map(({ value }) => value.split(";").map((part) => part.trim()))
    .filter(([domain]) => domain?.toLowerCase() === identity);
  if (own.length === 0) return { verdict: "forbidden", isWild };
  const isFree = own.some(([, ...parameters]) => parameters.every((parameter) => parameter === ""));
  return { verdict: isFree ? "allowed" : "restricted", isWild };
}

function readProperty(record: string): Property {
  const match = /^(\d+)\s+(\S+)\s+"?(.*?)"?$/s.exec(record);
  return {
    critical: (Number(match?.[1] ?? 0) & 128) !== 0,
    tag: (match?.[2] ?? "").toLowerCase(),
    value: match?.[3] ?? "",
  };
}
