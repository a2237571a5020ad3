import { createHash, randomUUID } from "node:crypto";
import { type Call, invalidField, type Json } from "../front";
import { readDomainName } from "../name-server";
import { isDomain, locationOf, resourceErrors } from "./names";

export interface DnsAuthorizationResource extends Json {
  readonly name: string;
  readonly domain: string;
  readonly type: "FIXED_RECORD" | "PER_PROJECT_RECORD";
  readonly dnsResourceRecord: { readonly name: string; readonly type: "CNAME"; readonly data: string };
}

/** Returns the authorization of a create call. @param others in its location; one is allowed per domain and type */
export function newAuthorization(
  call: Call,
  name: string,
  others: Iterable<DnsAuthorizationResource>,
): DnsAuthorizationResource {
  const { domain } = call.body;
  if (typeof domain !== "string" || domain === "") throw invalidField("dns_authorization.domain", "is required");
  if (domain.startsWith("*."))
    throw invalidField(
      "dns_authorization.domain",
      `'${domain}' is a wildcard: authorize '${domain.slice(2)}', which covers it`,
    );
  if (!isDomain(domain))
    throw invalidField("dns_authorization.domain", `'${domain.slice(0, 300)}' is not a fully qualified domain name`);
  const { location } = locationOf(name);
  const type = typeOf(call.body.type, location);
  const dnsResourceRecord = recordOf(name, domain, type);
  const recordName = readDomainName(dnsResourceRecord.name);
  if ("problem" in recordName)
    throw invalidField(
      "dns_authorization.domain",
      `'${domain}' is too long for an authorization record: ${recordName.problem.message}`,
    );
  for (const authorization of others) {
    if (authorization.domain !== domain || authorization.type !== type) continue;
    const message = `a DNS authorization of type ${type} for '${domain}' already exists: '${authorization.name}'`;
    throw resourceErrors.alreadyExists(authorization.name, message);
  }
  return { ...call.body, name, domain, type, dnsResourceRecord };
}

function typeOf(given: unknown, location: string): DnsAuthorizationResource["type"] {
  const usual = location === "global" ? "FIXED_RECORD" : "PER_PROJECT_RECORD";
  if (given === undefined || given === null || given === "TYPE_UNSPECIFIED") return usual;
  if (given === "FIXED_RECORD" && location !== "global")
    throw invalidField(
      "dns_authorization.type",
      "FIXED_RECORD is for global authorizations; leave the type out, or use PER_PROJECT_RECORD",
    );
  return given as DnsAuthorizationResource["type"];
}

/** Returns the record to publish. The name of a PER_PROJECT_RECORD differs, so that projects can share a domain. */
export function recordOf(
  name: string,
  domain: string,
  type: DnsAuthorizationResource["type"],
): DnsAuthorizationResource["dnsResourceRecord"] {
  const { project, location } = locationOf(name);
  const digest = createHash("sha256").update(`${project}/${location}`).digest("hex").slice(0, 16);
  const label = type === "FIXED_RECORD" ? "_acme-challenge" : `_acme-challenge_${lettersOnly(digest)}`;
  const shard = location === "global" ? Number.parseInt(digest.slice(0, 2), 16) % 20 : location;
  return {
    name: `${label}.${domain}.`,
    type: "CNAME",
    data: `${randomUUID()}.${shard}.authorize.certificatemanager.goog.`,
  };
}

function lettersOnly(hex: string): string {
  return hex.replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
}
