import { isIP } from "node:net";
import { coverageOf } from "../../hostnames";
import { countOf } from "../../text/words";
import type { Offer, TlsProbeFailure, TlsProbeResult } from "../../tls/probe";
import { type InventoryFinding, inventoryFinding } from "../findings";
import type { InventoryCertificate, InventoryDefault, InventoryEndpoint, InventoryHost } from "../model";
import type { createReadChain } from "./chain";
import { type HostTarget, hostLabel } from "./hosts";
import { shortenNames } from "./names";

/**
 * @param unanswered hosts that are not checked if they have no address: the look-up failed, or no file has certificates
 */
export function judgeHosts(
  hosts: readonly InventoryHost[],
  certificates: readonly InventoryCertificate[],
  unanswered: ReadonlySet<string>,
): readonly InventoryFinding[] {
  const byFingerprint = new Map(certificates.map((certificate) => [certificate.fingerprintSha256, certificate]));
  const domains = new Set(certificates.flatMap((certificate) => certificate.domains));
  return hosts.flatMap((host) => judgeHost(host, byFingerprint, domains, unanswered));
}

function judgeHost(
  { host, port, endpoints }: InventoryHost,
  byFingerprint: ReadonlyMap<string, InventoryCertificate>,
  domains: ReadonlySet<string>,
  unanswered: ReadonlySet<string>,
): readonly InventoryFinding[] {
  const label = hostLabel({ host, port });
  const findings: InventoryFinding[] = [];
  const add = (code: InventoryFinding["code"], message: string) =>
    findings.push(inventoryFinding(code, label, message));

  for (const { address, failure, served } of endpoints) {
    if (failure !== null) {
      const message = `${address} ${messages[failure.code]} (${failure.detail})`;
      findings.push(inventoryFinding(failure.code, label, message, { remedy: remedyFor(failure.code, host) }));
    }
    for (const { protocol, coverage, fingerprintSha256 } of served) {
      if (protocol === "TLSv1" || protocol === "TLSv1.1") add("legacy-protocol", `${address} speaks ${protocol}`);
      if (coverage === "none") {
        const names = shortenNames(byFingerprint.get(fingerprintSha256)?.domains ?? []);
        add("name-mismatch", `${address} serves a certificate for ${names}`);
      }
    }
  }
  const coverages = endpoints.flatMap(({ served }) => served.map(({ coverage }) => coverage));
  if (coverages.includes("wildcard") && !coverages.includes("exact")) {
    add("wildcard-coverage", `it is served by the wildcard *${host.slice(host.indexOf("."))}`);
  }
  // Without an address, the host was not checked: the reason is not a missing certificate.
  const isUnknown = endpoints.length === 0 && unanswered.has(host);
  if (isIP(host) === 0 && !isUnknown && coverageOf(domains, host) === "none") {
    add("name-uncovered", "none of the certificates is for it");
  }
  for (const difference of differencesOf(endpoints, byFingerprint)) add("addresses-differ", difference);
  const both = endpoints.filter((endpoint) => keyKindsAt(endpoint, byFingerprint).size > 1);
  if (both.length > 0) {
    const addresses = both.map(({ address }) => address).join(", ");
    add("two-key-types", `an ECDSA certificate and an RSA one are served at ${addresses}`);
  }
  return findings;
}

const messages: Readonly<Record<TlsProbeFailure, string>> = {
  "connection-refused": "refuses connections",
  unreachable: "can't be reached",
  timeout: "does not answer",
  "plaintext-answer": "answers in plain text in place of TLS",
  "handshake-refused": "refuses handshakes for it",
  "certificate-malformed": "serves a malformed X.509 certificate",
  "not-asked": "was not asked",
};

function remedyFor(code: TlsProbeFailure, host: string): string | undefined {
  const version = isIP(host);
  if (version === 0) return undefined;
  const withPort = version === 6 ? "[2001:db8::1]:8443" : "192.0.2.1:8443";
  const remedies: Readonly<Partial<Record<TlsProbeFailure, string>>> = {
    "connection-refused": `give the port with the address, as in ${withPort}, or take the address off the list`,
    "plaintext-answer": `give the port of TLS with the address, as in ${withPort}; a server with STARTTLS can't be moved behind a load balancer of this kind`,
    "handshake-refused":
      "the server may serve clients that name a host alone: give the name of the host, and the address with --connect",
  };
  return remedies[code];
}

type KeyKind = "ECDSA" | "RSA";

function keyKindOf(certificate: InventoryCertificate | undefined): KeyKind {
  return certificate?.keyType.startsWith("rsa") === true ? "RSA" : "ECDSA";
}

function keyKindsAt(
  { served }: InventoryEndpoint,
  byFingerprint: ReadonlyMap<string, InventoryCertificate>,
): ReadonlySet<KeyKind> {
  return new Set(served.map(({ fingerprintSha256 }) => keyKindOf(byFingerprint.get(fingerprintSha256))));
}

/** Reports addresses of one host that serve the same clients different certificates, or have none in common. */
function differencesOf(
  endpoints: readonly InventoryEndpoint[],
  byFingerprint: ReadonlyMap<string, InventoryCertificate>,
): readonly string[] {
  const describe = (kind: KeyKind): readonly string[] => {
    const groups = groupByCertificate(endpoints, (fingerprint) => keyKindOf(byFingerprint.get(fingerprint)) === kind);
    return [...groups].map(([fingerprint, addresses]) => {
      const until = byFingerprint.get(fingerprint)?.notAfter.slice(0, 10);
      return `${addresses.join(", ")} (${fingerprint.slice(0, 16)}, until ${until})`;
    });
  };
  const different = (["ECDSA", "RSA"] as const).flatMap((kind) => {
    const groups = describe(kind);
    return groups.length > 1 ? [`different ${kind} certificates at ${groups.join(" and ")}`] : [];
  });
  if (different.length > 0) return different;
  const alone = endpoints.map((endpoint) => keyKindsAt(endpoint, byFingerprint)).filter(({ size }) => size === 1);
  const isApart = new Set(alone.flatMap((kinds) => [...kinds])).size > 1;
  return isApart
    ? [`an ECDSA certificate at ${describe("ECDSA").join()} and an RSA one at ${describe("RSA").join()}`]
    : [];
}

function groupByCertificate(
  endpoints: readonly InventoryEndpoint[],
  wanted: (fingerprint: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { address, served } of endpoints) {
    for (const { fingerprintSha256 } of served.filter((each) => wanted(each.fingerprintSha256))) {
      groups.set(fingerprintSha256, [...(groups.get(fingerprintSha256) ?? []), address]);
    }
  }
  return groups;
}

type ProbeTls = (target: {
  readonly address: string;
  readonly port: number;
  readonly offer: Offer;
}) => Promise<TlsProbeResult>;

/** Requests the certificate for clients without SNI once for each address and port. */
export function createAskDefault(probeTls: ProbeTls): (address: string, port: number) => Promise<TlsProbeResult> {
  const asked = new Map<string, Promise<TlsProbeResult>>();
  return (address, port) => {
    const place = hostLabel({ host: address, port });
    // The `legacy` offer accepts every type of key.
    const answer = asked.get(place) ?? probeTls({ address, port, offer: "legacy" });
    asked.set(place, answer);
    return answer;
  };
}

export function describeDefault(
  probe: TlsProbeResult | undefined,
  { host }: HostTarget,
  readChain: ReturnType<typeof createReadChain>,
): InventoryDefault | null {
  if (probe?.ok !== true) return null;
  const facts = readChain(probe.chain)[0]?.facts;
  if (facts === undefined) return null;
  const { fingerprintSha256, dnsNames } = facts;
  return { fingerprintSha256, domains: [...dnsNames].sort(), coverage: coverageOf(new Set(dnsNames), host) };
}

/** Reports the certificates for clients without SNI: a certificate map serves nothing without a PRIMARY entry. */
export function judgeDefaults(hosts: readonly InventoryHost[]): readonly InventoryFinding[] {
  const groups = new Map<string, { readonly own: InventoryDefault; places: Set<string>; covered: Set<string> }>();
  for (const { host, port, endpoints } of hosts) {
    if (isIP(host) !== 0) continue;
    for (const { address, withoutSni } of endpoints) {
      if (withoutSni === null) continue;
      const { fingerprintSha256 } = withoutSni;
      const group = groups.get(fingerprintSha256) ?? { own: withoutSni, places: new Set(), covered: new Set() };
      groups.set(fingerprintSha256, group);
      group.places.add(hostLabel({ host: address, port }));
      if (withoutSni.coverage !== "none") group.covered.add(host);
    }
  }
  return [...groups.values()].map(({ own: { domains }, places, covered }) => {
    const [first = "", ...further] = places;
    const also = further.length === 0 ? "" : ` (and at ${countOf(further.length, "other address", "other addresses")})`;
    const what = `clients that name no host get the certificate for ${shortenNames(domains)}${also}`;
    return covered.size > 0
      ? inventoryFinding("no-sni-served", first, `${what}, which is for ${shortenNames([...covered])}`)
      : inventoryFinding("default-of-others", first, `${what}, which is for none of the hosts there`);
  });
}
