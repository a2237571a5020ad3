import { parseRrdata, type Rrdata, readRrdata } from "../name-server";
import type { AuthorizationAttemptInfo } from "./certificates";
import type { DnsAuthorizationResource } from "./dns-authorizations";
import { baseOf } from "./names";

export type ValidationLookUp = (name: string, type: "CNAME" | "CAA") => Promise<LookUpAnswer>;

export interface LookUpAnswer {
  /** Response code, for example `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`; `TIMEOUT` without a response. */
  readonly rcode: string;
  /** Records of the requested type, with data in zone-file form, for example `x.example.net.`, `0 issue "pki.goog"`. */
  readonly data: readonly string[];
}

/** Answers of one moment, and the number of their users. */
interface Shared {
  users: number;
  readonly answers: Map<string, Promise<LookUpAnswer>>;
}

const moments = new WeakMap<ValidationLookUp, Map<string, Shared>>();

/**
 * Shares the look-ups of all checks at one moment of the cloud's time, as a resolver's cache does: each name is queried
 * once. A fault of DNS thus has the same effect on all domain validations of that moment, whatever their order.
 *
 * @param moment RFC 3339
 * @param use runs the look-ups; the answers are discarded when the last user of the moment has finished
 */
export async function withSharedLookUps<Result>(
  lookUp: ValidationLookUp,
  moment: string,
  use: (lookUp: ValidationLookUp) => Promise<Result>,
): Promise<Result> {
  const byMoment = moments.get(lookUp) ?? new Map<string, Shared>();
  moments.set(lookUp, byMoment);
  const shared = byMoment.get(moment) ?? { users: 0, answers: new Map() };
  byMoment.set(moment, shared);
  shared.users++;
  try {
    return await use((name, type) => {
      const key = `${type} ${name}`;
      const answer = shared.answers.get(key) ?? lookUp(name, type);
      shared.answers.set(key, answer);
      return answer;
    });
  } finally {
    if (--shared.users === 0) byMoment.delete(moment);
  }
}

export interface InjectedFailure {
  readonly failureReason: "CONFIG" | "CAA" | "RATE_LIMITED";
  readonly details: string;
}

export interface CheckOptions {
  readonly lookUp: ValidationLookUp;
  /** CA identities that a CAA record has to name. @default ["pki.goog"] */
  readonly caaIdentities?: readonly string[];
  readonly fault?: (domain: string) => InjectedFailure | undefined;
}

/**
 * Validates one domain of a certificate. The authorization's CNAME record has to exist with the right data, and CAA
 * records must not forbid issuance.
 *
 * The record itself has to contain the authorization's data. A CNAME that reaches the data through another alias is
 * refused with CONFIG. The service's reference describes the whole chain in `troubleshooting.cname.resolvedData`, but
 * does not state whether a later link may match. The stricter check is safe: a migration that passes here also passes
 * if the service accepts aliases.
 *
 * @param domain domain name; wildcards are allowed
 * @param authorization authorization of the domain; undefined if it has been deleted
 * @param now RFC 3339
 */
export async function checkDomain(
  domain: string,
  authorization: DnsAuthorizationResource | undefined,
  options: CheckOptions,
  now: string,
): Promise<AuthorizationAttemptInfo> {
  const failed = (failure: InjectedFailure, more: object = {}): AuthorizationAttemptInfo => ({
    domain,
    state: "FAILED",
    ...failure,
    attemptTime: now,
    ...more,
  });
  const injected = options.fault?.(domain);
  if (injected !== undefined) return failed(injected);
  if (authorization === undefined)
    return failed({ failureReason: "CONFIG", details: `${baseOf(domain)} has no DNS authorization` });
  return withSharedLookUps(options.lookUp, now, async (lookUp) => {
    const { name, data } = authorization.dnsResourceRecord;
    const answer = await lookUp(name, "CNAME");
    if (!answer.data.some((target) => sameName(target, data))) {
      const resolvedData = await followAliases(answer, lookUp);
      const cname = { name, expectedData: data, resolvedData };
      const troubleshooting = { cname, issues: ["CNAME_MISMATCH"] };
      return failed(
        { failureReason: "CONFIG", details: mismatch(name, data, { ...answer, data: resolvedData }) },
        { troubleshooting },
      );
    }
    const forbidden = await caaRefusal(domain, { ...options, lookUp });
    if (forbidden !== undefined) return failed({ failureReason: "CAA", details: forbidden });
    return { domain, state: "AUTHORIZED" as const, attemptTime: now };
  });
}

/** Maximum length of a CNAME chain; resolvers reject longer chains. */
const longestChain = 16;

async function followAliases({ data: [first] }: LookUpAnswer, lookUp: ValidationLookUp): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let next = first; next !== undefined && chain.length < longestChain; ) {
    if (chain.some((target) => sameName(target, next ?? ""))) break;
    chain.push(next);
    [next] = (await lookUp(next, "CNAME")).data;
  }
  return chain;
}

function mismatch(name: string, data: string, { rcode, data: found }: LookUpAnswer): string {
  const [first, ...others] = found;
  if (others.some((target) => sameName(target, data)))
    return `the CNAME record ${name} leads to ${data} by way of ${first}, and has to lead there itself`;
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
 * Returns why CAA records forbid issuance (RFC 8659); undefined if they allow it. The closest record set up the tree
 * counts; for a wildcard, `issuewild` takes precedence over `issue`. A failed look-up forbids issuance, too.
 */
async function caaRefusal(
  domain: string,
  { lookUp, caaIdentities = ["pki.goog"] }: CheckOptions,
): Promise<string | undefined> {
  const tags = domain.startsWith("*.") ? ["issuewild", "issue"] : ["issue"];
  const labels = baseOf(domain).split(".");
  for (let at = 0; at < labels.length; at++) {
    const name = `${labels.slice(at).join(".")}.`;
    const { rcode, data } = await lookUp(name, "CAA");
    // Outside the cloud's zones, CAA records are unknown and therefore forbid nothing.
    if (rcode !== "NOERROR" && rcode !== "NXDOMAIN" && rcode !== "REFUSED")
      return `the CAA records of ${name} could not be looked up (${rcode})`;
    if (data.length > 0) return judge(name, data, tags, caaIdentities);
  }
  return undefined;
}

/** @param tags tags of the properties that matter; only those with the first tag that occurs count */
function judge(
  name: string,
  records: readonly string[],
  tags: readonly string[],
  identities: readonly string[],
): string | undefined {
  const properties: Rrdata<"CAA">[] = [];
  for (const record of records) {
    const reading = readRrdata("CAA", record);
    // Unreadable records may forbid issuance.
    if ("problem" in reading) return `the CAA records of ${name} can't be read: ${reading.problem.message}`;
    properties.push(parseRrdata("CAA", reading.rrdata));
  }
  const unknownCritical = properties.find(({ flags, tag }) => (flags & 128) !== 0 && !knownProperties.test(tag));
  if (unknownCritical)
    return `the CAA records of ${name} have a critical property that is not understood: ${unknownCritical.tag}`;
  const valuesOf = (wanted: string) =>
    properties.filter(({ tag }) => tag.toLowerCase() === wanted).map(({ value }) => value);
  const relevant = tags.map(valuesOf).find(({ length }) => length > 0);
  // Records without an issue property, for example iodef only, allow every CA.
  if (relevant === undefined) return undefined;
  const allowed = relevant.some((value) => identities.includes(issuerOf(value) ?? ""));
  return allowed
    ? undefined
    : `the CAA records of ${name} do not allow ${identities.join(" or ")}: ${records.join(", ")}`;
}

/** CAA properties that are supported, or that do not affect issuance. */
const knownProperties = /^issue(?:wild|mail|vmc)?$|^iodef$/i;

/** Returns the CA that a value allows; undefined for no CA and for a value outside the grammar (RFC 8659, 4.2). */
function issuerOf(value: string): string | undefined {
  const [issuer = "", ...parameters] = value.split(";").map((part) => part.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, ""));
  const areWellFormed =
    (parameters.length === 1 && parameters[0] === "") ||
    parameters.every((parameter) => /^[a-z0-9](?:-*[a-z0-9])*[ \t]*=[ \t]*[!-~]*$/i.test(parameter));
  return areWellFormed && issuer !== "" ? issuer.toLowerCase() : undefined;
}

/** Where a name leads, and which load balancers have a certificate. */
export interface VisibilityOptions {
  readonly addressesOf: (domain: string) => Promise<readonly string[]>;
  /** Returns the addresses of the load balancers that have a certificate on port 443. */
  readonly frontendsWith: (certificate: string) => readonly string[];
}

/**
 * Validates one domain by load balancer authorization: all its addresses have to be addresses of load balancers that
 * have the certificate on port 443, and CAA records must not forbid issuance. Until then, the validation is in
 * progress.
 *
 * @param certificate name of the certificate
 * @param now RFC 3339
 */
export async function checkVisibility(
  domain: string,
  certificate: string,
  options: CheckOptions & VisibilityOptions,
  now: string,
): Promise<AuthorizationAttemptInfo> {
  const injected = options.fault?.(domain);
  if (injected !== undefined) return { domain, state: "FAILED", ...injected, attemptTime: now };
  const addresses = await options.addressesOf(domain);
  const frontends = new Set(options.frontendsWith(certificate));
  const others = addresses.filter((address) => !frontends.has(address));
  if (addresses.length === 0 || others.length > 0) {
    const where = addresses.length === 0 ? "has no address" : `leads to ${others.join(", ")}`;
    const details = `${domain} ${where}; it has to lead to a load balancer with this certificate on port 443`;
    return { domain, state: "AUTHORIZING", details, attemptTime: now };
  }
  const forbidden = await withSharedLookUps(options.lookUp, now, (lookUp) =>
    caaRefusal(domain, { ...options, lookUp }),
  );
  if (forbidden !== undefined)
    return { domain, state: "FAILED", failureReason: "CAA", details: forbidden, attemptTime: now };
  return { domain, state: "AUTHORIZED", attemptTime: now };
}
