import type { AuthorizationAttempt } from "./certificates";
import type { DnsAuthorization } from "./dns-authorizations";
import { baseOf } from "./names";

/** A question to DNS, asked over the network. */
export type LookUp = (name: string, type: "CNAME" | "CAA") => Promise<LookUpAnswer>;

export interface LookUpAnswer {
  /** As in `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`; `TIMEOUT` where nothing came. */
  readonly rcode: string;
  /** Records of the type asked for, data as in a zone file: `x.example.net.`, `0 issue "pki.goog"`. */
  readonly data: readonly string[];
}

/** Why the proof of a domain failed, as a fault has it. */
export interface InjectedFailure {
  readonly failureReason: "CONFIG" | "CAA" | "RATE_LIMITED";
  readonly details: string;
}

export interface CheckOptions {
  readonly lookUp: LookUp;
  /** What a CAA record has to name. @default ["pki.goog"] */
  readonly caaIdentities?: readonly string[];
  readonly fault?: (domain: string) => InjectedFailure | undefined;
}

/**
 * Tries to prove one domain of a certificate: the authorization's CNAME has to be published with the right data, and CAA must not forbid.
 *
 * @param domain may be a wildcard
 * @param authorization that of the domain; undefined where it has been deleted
 * @param now RFC 3339
 */
export async function checkDomain(
  domain: string,
  authorization: DnsAuthorization | undefined,
  options: CheckOptions,
  now: string,
): Promise<AuthorizationAttempt> {
  const failed = (failure: InjectedFailure, more: object = {}): AuthorizationAttempt => ({
    domain,
    state: "FAILED",
    ...failure,
    attemptTime: now,
    ...more,
  });
  const injected = options.fault?.(domain);
  if (injected !== undefined) return failed(injected);
  if (authorization === undefined)
    return failed({ failureReason: "CONFIG", details: `there is no DNS authorization for ${baseOf(domain)}` });
  const { name, data } = authorization.dnsResourceRecord;
  const answer = await options.lookUp(name, "CNAME");
  if (!answer.data.some((target) => sameName(target, data))) {
    const cname = { name, expectedData: data, resolvedData: answer.data };
    const troubleshooting = { cname, issues: ["CNAME_MISMATCH"] };
    return failed({ failureReason: "CONFIG", details: mismatch(name, data, answer) }, { troubleshooting });
  }
  const forbidden = await caaRefusal(domain, options);
  if (forbidden !== undefined) return failed({ failureReason: "CAA", details: forbidden });
  return { domain, state: "AUTHORIZED", attemptTime: now };
}

function mismatch(name: string, data: string, { rcode, data: found }: LookUpAnswer): string {
  if (found.length > 0) return `the CNAME record ${name} leads to ${found.join(", ")}, and has to lead to ${data}`;
  if (rcode === "REFUSED")
    return `no DNS zone answers for ${name}; publish a CNAME record to ${data} in the zone of the domain`;
  const why = rcode === "NOERROR" || rcode === "NXDOMAIN" ? "does not exist" : `could not be looked up (${rcode})`;
  return `the CNAME record ${name} ${why}; it has to lead to ${data}`;
}

function sameName(a: string, b: string): boolean {
  return a.replace(/\.$/, "").toLowerCase() === b.replace(/\.$/, "").toLowerCase();
}

/**
 * Looks for a CAA record that forbids (RFC 8659): the closest one up the tree counts, `issuewild` before `issue` for a wildcard. A look-up that
 * fails forbids, too.
 */
async function caaRefusal(
  domain: string,
  { lookUp, caaIdentities = ["pki.goog"] }: CheckOptions,
): Promise<string | undefined> {
  const isWildcard = domain.startsWith("*.");
  const labels = baseOf(domain).split(".");
  for (let at = 0; at < labels.length; at++) {
    const name = `${labels.slice(at).join(".")}.`;
    const { rcode, data } = await lookUp(name, "CAA");
    // Outside the zones that the cloud hosts, nothing is known of CAA, and nothing forbidden.
    if (rcode !== "NOERROR" && rcode !== "NXDOMAIN" && rcode !== "REFUSED")
      return `the CAA records of ${name} could not be looked up (${rcode})`;
    if (data.length > 0) return judge(name, data, isWildcard, caaIdentities);
  }
  return undefined;
}

function judge(
  name: string,
  records: readonly string[],
  isWildcard: boolean,
  identities: readonly string[],
): string | undefined {
  const read = records.map((record) => /^(\d+)\s+(\w+)\s+"?([^"]*)"?$/.exec(record));
  const unknownCritical = read.find(
    (match) =>
      match !== null && (Number(match[1]) & 128) !== 0 && !/^issue(?:wild|mail|vmc)?$|^iodef$/i.test(match[2] ?? ""),
  );
  if (unknownCritical)
    return `the CAA records of ${name} have a critical property that is not understood: ${unknownCritical[2]}`;
  const valuesOf = (tag: string) =>
    read.filter((match) => match?.[2]?.toLowerCase() === tag).map((match) => match?.[3] ?? "");
  const wild = valuesOf("issuewild");
  const relevant = isWildcard && wild.length > 0 ? wild : valuesOf("issue");
  // Records that say nothing of issuing, such as iodef alone, allow everybody.
  if (relevant.length === 0) return undefined;
  const allowed = relevant.some((value) => identities.includes((value.split(";")[0] ?? "").trim().toLowerCase()));
  return allowed
    ? undefined
    : `the CAA records of ${name} do not allow ${identities.join(" or ")}: ${records.join(", ")}`;
}
