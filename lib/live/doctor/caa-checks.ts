import { type DnsView, isAtOrBelow, parentOf, withoutDot } from "../../dns";
import { registered } from "../../hostnames";
import { dig } from "../../text/command-line";
import { googleIdentity, readCaa } from "../../x509";
import { explainDnsFailure } from "./dns-failure";
import { type CheckResult, doctorFinding } from "./model";

/**
 * Checks whether Google may issue a certificate for a name (RFC 8659). The closest CAA records up the tree apply;
 * aliases are followed. For a wildcard, `issuewild` takes precedence over `issue`.
 *
 * @param name may be a wildcard
 */
export async function checkCaa(name: string, dns: DnsView): Promise<CheckResult> {
  const isWildcard = name.startsWith("*.");
  const base = isWildcard ? name.slice(2) : name;
  for (let at: string | undefined = base; at !== undefined; at = parentOf(at)) {
    const found = await dns.resolve(at, "CAA");
    if (!found.ok) {
      // A registry serves the names above the registered domain, and this resolver often refuses queries for them.
      if (found.detail === "REFUSED" && !isAtOrBelow(at, registered(base))) continue;
      const what = `the CAA records of ${at} can't be looked up (${found.detail})`;
      const failure = { what: at, name: at, type: "CAA", detail: found.detail };
      return { findings: [explainDnsFailure(failure, { code: "caa-unanswered", subject: name, what })] };
    }
    if (found.records.length > 0) {
      const records = found.records.map(({ data }) => data);
      return judgeCaa(name, found.records[0]?.name ?? withoutDot(at), records);
    }
  }
  return { findings: [] };
}

/** Checks CAA records. @param owner name that has the records @param records each in zone-file format */
export function judgeCaa(name: string, owner: string, records: readonly string[]): CheckResult {
  const shown = records.join(", ");
  const command = dig([[owner, "CAA"]]);
  const { verdict, isWild, tag } = readCaa(name, records);
  if (verdict === "allowed") return { findings: [] };
  if (verdict === "critical") {
    const what = `the CAA records of ${owner} have the critical property ${tag}`;
    return { findings: [doctorFinding("caa-critical", name, what, { command })] };
  }
  if (verdict === "forbidden") {
    const code = isWild ? "caa-forbids-wildcard" : "caa-forbids";
    const remedy = `add the record ${owner} CAA 0 ${isWild ? "issuewild" : "issue"} "${googleIdentity}"`;
    return { findings: [doctorFinding(code, name, `the CAA records of ${owner} are ${shown}`, { remedy, command })] };
  }
  const what = `the CAA records of ${owner} allow ${googleIdentity} under conditions: ${shown}`;
  return { findings: [doctorFinding("caa-restricted", name, what, { command })] };
}
