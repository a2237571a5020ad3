import type { Finding } from "../findings/finding";
import { readHostname } from "../hostnames";
import { quote } from "../text/quote";
import { countOf } from "../text/words";
import type { CertificateFacts } from "../x509";
import type { InventoryCertificate, InventoryPlace } from "./model";
import { isPrivateName } from "./private-names";
import { type CertificateProblemCode, problem } from "./problems";

const minimumRsaBits = 2048;
const soonDays = 30;
const dayMs = 86_400_000;
/** The remedy for a name that no public CA may put into a certificate. */
const nameRemedy = "leave the name out of the migration, or let its clients use another one";

const privateNameRemedy =
  "issue the name from a private CA: write the migration with --out and --ca-pool; or let its clients use another name";

/** Describes a certificate that was found at one place, in the format of the inventory. */
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

/** Merges the findings of each certificate into one item, in the order of first findings, with all places. */
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

/** Merges the places of each host into one, with all its addresses. */
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
  const add = (code: CertificateProblemCode, message: string) => problems.push(problem(code, source, message));
  for (const name of facts.dnsNames) {
    const read = readHostname(name);
    if ("problem" in read)
      problems.push({
        ...read.problem,
        severity: "warning",
        subject: source,
        remedy: isPrivateName(name) ? privateNameRemedy : nameRemedy,
      });
  }
  for (const name of facts.nonAsciiDnsNames) add("name-not-ascii", nonAsciiMessage(name));
  for (const address of facts.ipAddresses) {
    add("ip-address", `${address} is an IP address: no managed certificate has one; clients must use a name`);
  }
  if (facts.dnsNames.length === 0) {
    add("no-domains", "it names no host: there is nothing to migrate");
  }
  const { commonName } = facts;
  if (commonName !== undefined && facts.hasSanExtension) {
    const read = readHostname(commonName);
    if ("hostname" in read && !facts.dnsNames.includes(read.hostname)) {
      add(
        "common-name-apart",
        `its common name ${read.hostname} is not among its names: clients have not accepted it for years`,
      );
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

/**
 * Returns the message for a name that is not ASCII. The A-label is only a suggestion, because the encoding of the
 * octets is unknown.
 */
function nonAsciiMessage(name: string): string {
  const read = readHostname(name);
  const advice = "hostname" in read ? `add ${read.hostname} to the domains if that is meant` : "find out what is meant";
  return `its name ${quote(name)} is not in ASCII, no client takes it for that name, and it is left out: ${advice}`;
}
