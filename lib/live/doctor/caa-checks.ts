import { bareName, type DnsView, isAtOrBelow, parentOf } from "../../dns";
import { dig } from "../../text/command-line";
import { explainTrouble } from "./dns-trouble";
import { type CheckResult, finding } from "./model";
import { registered } from "./zone-checks";

/** What CAA records have to name for Google to issue. */
const identity = "pki.goog";

interface Property {
  readonly critical: boolean;
  readonly tag: string;
  readonly value: string;
}

/** Properties that every authority understands (RFC 8659, 4; RFC 9495; the registry of CAA properties). */
const known = new Set(["issue", "issuewild", "iodef", "issuemail", "issuevmc", "contactemail", "contactphone"]);

/**
 * Whether Google may issue a certificate for a name (RFC 8659): the closest CAA records up the tree count, those of aliases in their place;
 * `issuewild` before `issue` for a wildcard.
 *
 * @param name may be a wildcard
 */
export async function checkCaa(name: string, dns: DnsView): Promise<CheckResult> {
  const isWildcard = name.startsWith("*.");
  const base = isWildcard ? name.slice(2) : name;
  for (let at: string | undefined = base; at !== undefined; at = parentOf(at)) {
    const found = await dns.resolve(at, "CAA");
    if (!found.ok) {
      // What lies above the registered domain is a registry's, and as a rule not for this resolver to answer.
      if (found.detail === "REFUSED" && !isAtOrBelow(at, registered(base))) continue;
      const what = `the CAA records of ${at} can't be looked up (${found.detail})`;
      const trouble = { what: at, name: at, type: "CAA", detail: found.detail };
      return { findings: [explainTrouble(trouble, { code: "caa-unanswered", subject: name, what })] };
    }
    if (found.records.length > 0) {
      return judgeCaa(
        name,
        found.records[0]?.name ?? bareName(at),
        found.records.map(({ data }) => data),
      );
    }
  }
  return { findings: [] };
}

/** @param owner of the records @param records each as in a zone file */
export function judgeCaa(name: string, owner: string, records: readonly string[]): CheckResult {
  const properties = records.map(readProperty);
  const shown = records.join(", ");
  const command = dig([[owner, "CAA"]]);
  const unknown = properties.find(({ critical, tag }) => critical && !known.has(tag));
  if (unknown !== undefined) {
    const what = `the CAA records of ${owner} have the critical property ${unknown.tag}`;
    return { findings: [finding("caa-critical", name, what, { command })] };
  }
  const wild = properties.filter(({ tag }) => tag === "issuewild");
  const isWild = name.startsWith("*.") && wild.length > 0;
  const relevant = isWild ? wild : properties.filter(({ tag }) => tag === "issue");
  // Records that say nothing of issuing, such as iodef alone, allow everybody.
  if (relevant.length === 0) return { findings: [] };
  const own = relevant
    .map(({ value }) => value.split(";").map((part) => part.trim()))
    .filter(([domain]) => domain?.toLowerCase() === identity);
  if (own.length === 0) {
    const code = isWild ? "caa-forbids-wildcard" : "caa-forbids";
    const remedy = `add the record ${owner} CAA 0 ${isWild ? "issuewild" : "issue"} "${identity}"`;
    return { findings: [finding(code, name, `the CAA records of ${owner} are ${shown}`, { remedy, command })] };
  }
  if (own.some(([, ...parameters]) => parameters.every((parameter) => parameter === ""))) return { findings: [] };
  const what = `the CAA records of ${owner} allow ${identity} under conditions: ${shown}`;
  return { findings: [finding("caa-restricted", name, what, { command })] };
}

function readProperty(record: string): Property {
  const match = /^(\d+)\s+(\S+)\s+"?(.*?)"?$/s.exec(record);
  return {
    critical: (Number(match?.[1] ?? 0) & 128) !== 0,
    tag: (match?.[2] ?? "").toLowerCase(),
    value: match?.[3] ?? "",
  };
}
