import { isIP } from "node:net";
import { finding, type InventoryFinding } from "../findings";
import type { EndpointFailure, InventoryCertificate, InventoryEndpoint, InventoryHost } from "../model";
import { coverageOf } from "./coverage";
import { hostLabel } from "./hosts";
import { shortenNames } from "./names";

/** What the answers of hosts' addresses say of them. */
export function judgeHosts(
  hosts: readonly InventoryHost[],
  certificates: readonly InventoryCertificate[],
): readonly InventoryFinding[] {
  const byFingerprint = new Map(certificates.map((certificate) => [certificate.fingerprintSha256, certificate]));
  const domains = new Set(certificates.flatMap((certificate) => certificate.domains));
  return hosts.flatMap((host) => judgeHost(host, byFingerprint, domains));
}

function judgeHost(
  { host, port, endpoints }: InventoryHost,
  byFingerprint: ReadonlyMap<string, InventoryCertificate>,
  domains: ReadonlySet<string>,
): readonly InventoryFinding[] {
  const label = hostLabel({ host, port });
  const findings: InventoryFinding[] = [];
  const add = (code: InventoryFinding["code"], message: string) => findings.push(finding(code, label, message));

  for (const { address, failure, served } of endpoints) {
    if (failure !== null) add(failure.code, `${address} ${messages[failure.code]} (${failure.detail})`);
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
  if (isIP(host) === 0 && coverageOf(domains, host) === "none") {
    add("name-uncovered", "none of the certificates is for it");
  }
  for (const kind of ["ecdsa", "rsa"] as const) {
    const different = groupByCertificate(endpoints, (fingerprint) => kindOf(byFingerprint.get(fingerprint)) === kind);
    if (different.size < 2) continue;
    const told = [...different].map(([fingerprint, addresses]) => {
      const until = byFingerprint.get(fingerprint)?.notAfter.slice(0, 10);
      return `${addresses.join(", ")} (${fingerprint.slice(0, 16)}, until ${until})`;
    });
    add("addresses-differ", `different ${kind === "rsa" ? "RSA" : "ECDSA"} certificates at ${told.join(" and ")}`);
  }
  const two = endpoints.filter(({ served }) => {
    const kinds = served.map(({ fingerprintSha256 }) => kindOf(byFingerprint.get(fingerprintSha256)));
    return kinds.includes("rsa") && kinds.includes("ecdsa");
  });
  if (two.length > 0) {
    add(
      "two-key-types",
      `an ECDSA certificate and an RSA one are served at ${two.map(({ address }) => address).join(", ")}`,
    );
  }
  return findings;
}

const messages: Readonly<Record<EndpointFailure, string>> = {
  "connection-refused": "refuses connections",
  unreachable: "can't be reached",
  timeout: "does not answer",
  "handshake-refused": "refuses handshakes for it",
  "not-asked": "was not asked",
};

function kindOf(certificate: InventoryCertificate | undefined): "rsa" | "ecdsa" {
  return certificate?.keyType.startsWith("rsa") === true ? "rsa" : "ecdsa";
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
