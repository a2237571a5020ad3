import { type CodeTable, error, info, warning } from "../findings/codes";
import { type Finding, findingsOf } from "../findings/finding";
import { readHostname } from "../hostnames";
import { quote } from "../text/quote";
import { countOf } from "../text/words";
import type { CertificateFacts } from "../x509";
import type { InventoryCertificate, InventoryPlace } from "./model";
import { isPrivateName } from "./private-names";

const minimumRsaBits = 2048;
const soonDays = 30;
const dayMs = 86_400_000;
const nameRemedy = "leave the name out of the migration, or let its clients use another one";

const privateNameRemedy =
  "issue the name from a private CA: write the migration with --out and --ca-pool; or let its clients use another name";

export function describeFound(facts: CertificateFacts, place: InventoryPlace, now: Date): InventoryCertificate {
  const source = place.kind === "file" ? place.path : place.host;
  return {
    source,
    index: place.kind === "file" ? place.index : 0,
    domains: facts.dnsNames,
    commonName: facts.commonName ?? null,
    issuer: facts.issuer,
    serialNumber: facts.serialNumber,
    notBefore: facts.notBefore.toISOString(),
    notAfter: facts.notAfter.toISOString(),
    keyType: facts.keyType,
    selfSigned: facts.selfSigned,
    problems: problemsOf(facts, source, now),
    wildcards: facts.dnsNames.filter((name) => name.startsWith("*.")),
    ipAddresses: facts.ipAddresses,
    mustStaple: facts.mustStaple,
    validation: facts.validation ?? null,
    fingerprintSha256: facts.fingerprintSha256,
    places: [place],
  };
}

export function mergeFound(found: readonly InventoryCertificate[]): readonly InventoryCertificate[] {
  const merged = new Map<string, { readonly first: InventoryCertificate; readonly places: InventoryPlace[] }>();
  for (const certificate of found) {
    const known = merged.get(certificate.fingerprintSha256);
    if (known === undefined) {
      merged.set(certificate.fingerprintSha256, { first: certificate, places: [...certificate.places] });
    } else known.places.push(...certificate.places);
  }
  return [...merged.values()].map(({ first, places }) => ({ ...first, places: mergeHosts(places) }));
}

function mergeHosts(places: readonly InventoryPlace[]): readonly InventoryPlace[] {
  const byKey = new Map<string, InventoryPlace>();
  for (const place of places) {
    const key = place.kind === "file" ? `file ${place.index} ${place.path}` : `host ${place.host}`;
    const known = byKey.get(key);
    if (place.kind === "host" && known?.kind === "host") {
      byKey.set(key, { ...known, addresses: [...new Set([...known.addresses, ...place.addresses])] });
    } else byKey.set(key, place);
  }
  return [...byKey.values()];
}

function problemsOf(facts: CertificateFacts, source: string, now: Date): readonly Finding[] {
  const problems: Finding[] = [];
  const add = (code: CertificateProblemCode, message: string) =>
    problems.push(certificateProblem(code, source, message));
  for (const name of facts.dnsNames) {
    const read = readHostname(name);
    if ("hostname" in read) continue;
    const remedy = isPrivateName(name) ? privateNameRemedy : nameRemedy;
    problems.push({ ...read.problem, severity: "warning", subject: source, remedy });
  }
  for (const name of facts.nonAsciiDnsNames) add("name-not-ascii", nonAsciiMessage(name));
  for (const address of facts.ipAddresses) {
    add("ip-address", `${address} is an IP address: no managed certificate has one; clients must use a name`);
  }
  if (facts.dnsNames.length === 0) add("no-domains", "it names no host: there is nothing to migrate");
  if (!facts.hasSanExtension && facts.dnsNames.length > 0) {
    const what = `its name ${facts.dnsNames.join(", ")} is only in its common name`;
    add("common-name-only", `${what}: clients have not accepted it for years`);
  }
  const { commonName } = facts;
  if (commonName !== undefined && facts.hasSanExtension) {
    const read = readHostname(commonName);
    if ("hostname" in read && !facts.dnsNames.includes(read.hostname)) {
      const what = `its common name ${read.hostname} is not among its names`;
      add("common-name-apart", `${what}: clients have not accepted it for years`);
    }
  }
  const left = facts.notAfter.getTime() - now.getTime();
  if (left <= 0) add("expired", `it expired at ${facts.notAfter.toISOString()}`);
  else if (left < soonDays * dayMs) {
    const days = Math.floor(left / dayMs);
    const when = days === 0 ? "within a day" : `in ${countOf(days, "day")}`;
    add("expires-soon", `it expires ${when}: finish the migration before, or have it renewed first`);
  }
  if (facts.notBefore > now) add("not-yet-valid", `it is not valid before ${facts.notBefore.toISOString()}`);
  if (facts.mustStaple) {
    add(
      "must-staple",
      "the certificate requires a stapled OCSP response, which the load balancer does not send; a managed certificate does not need it",
    );
  }
  if (facts.selfSigned)
    add(
      "self-signed",
      "it is self-signed: its clients trust only this certificate and must trust Google's certificate authority instead",
    );
  if (facts.validation === "OV" || facts.validation === "EV" || facts.validation === "IV") {
    add("validation-lost", `it shows ${facts.validation} validation; a managed certificate shows DV`);
  }
  const bits = /^rsa-(\d+)$/.exec(facts.keyType)?.[1];
  if (bits !== undefined && Number(bits) < minimumRsaBits)
    add("weak-key", `its key is ${facts.keyType}, too weak to be uploaded`);
  return problems;
}

/** The A-label is only a suggestion, because the encoding of the octets is unknown. */
function nonAsciiMessage(name: string): string {
  const read = readHostname(name);
  const advice = "hostname" in read ? `add ${read.hostname} to the domains if that is meant` : "find out what is meant";
  return `its name ${quote(name)} is not in ASCII, no client takes it for that name, and it is left out: ${advice}`;
}

/** Lists the problems and unusual properties of a certificate itself, wherever it was found. */
export const certificateProblems = {
  expired: error(
    "the certificate has expired",
    "if a server still presents it, renew it there or move its names first; otherwise delete the file. A managed certificate for its names can still be issued",
  ),
  "expires-soon": warning(
    "the certificate expires within 30 days",
    "finish the migration before that, or have it renewed first",
  ),
  "not-yet-valid": error(
    "the certificate is not valid yet",
    "check the clock of this machine; if it is right, serve the previous certificate until this certificate is valid, and leave this file out until then",
  ),
  "ip-address": warning(
    "the certificate is for an IP address, which managed certificates don't support",
    "change its clients to a name, or upload a certificate with the address",
  ),
  "no-domains": warning("the certificate has no hostname", "leave the file out: it has nothing to migrate"),
  "name-not-ascii": warning(
    "a name of the certificate is not in ASCII, and no client accepts the certificate for it",
    "if the name is in use, add its A-label to the domains",
  ),
  "common-name-apart": warning(
    "the certificate's common name is not among its subject alternative names, and clients ignore the common name",
    "if the name is in use, add it to the domains",
  ),
  "common-name-only": warning(
    "the certificate has its name only in the common name, which clients ignore",
    "replace it with a managed certificate, or request a certificate with subject alternative names, instead of uploading it",
  ),
  "must-staple": info(
    "the certificate requires a stapled OCSP response, which the load balancer does not send",
    "replace it with a managed certificate, which needs no OCSP response, instead of uploading it",
  ),
  "self-signed": warning(
    "the certificate is self-signed: its clients trust only this certificate",
    "configure these clients to trust Google's certificate authorities before traffic moves",
  ),
  "validation-lost": info(
    "the certificate names its owner (OV, IV or EV); a managed certificate contains only the domain",
    "upload an OV, IV or EV certificate if it is required",
  ),
  "weak-key": warning(
    "the certificate's key is too weak to be uploaded",
    "replace it with a managed certificate, or request a certificate with a stronger key",
  ),
  "intermediate-missing": warning(
    "neither the certificate's file nor its folder contains the certificate of its issuer",
    "if the issuer is an intermediate CA, add its certificate to the file after the leaf before you upload or serve it",
  ),
  "name-constraints-violated": error(
    "the name constraints of a CA certificate beside it do not allow a name of the certificate",
    "clients refuse the certificate for these names: replace it with a managed certificate, or request it from another CA",
  ),
  "key-of-another-certificate": error(
    "the private key in the file, or in the file of the same name, belongs to another certificate",
    "find the private key of the certificate before you upload or serve it; a managed certificate needs no key",
  ),
} as const satisfies CodeTable;

export type CertificateProblemCode = keyof typeof certificateProblems;

export const certificateProblem = findingsOf(certificateProblems);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof certificateProblems, true> {}
}
