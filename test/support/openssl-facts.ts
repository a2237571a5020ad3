import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHostname } from "../../lib/hostnames";
import { type CertificateFacts, describeCertificate, readCertificate } from "../../lib/x509";

/** The facts that `openssl x509` prints about a certificate, as `CertificateFacts`. */
export type OpensslFacts = Omit<CertificateFacts, "pem" | "selfSigned">;

/** Returns the same facts as this project reads them. */
export function factsHere(der: Uint8Array): OpensslFacts | undefined {
  const certificate = readCertificate(der);
  if (certificate === undefined) return undefined;
  const { pem: _pem, selfSigned: _selfSigned, ...facts } = describeCertificate(certificate);
  return facts;
}

/**
 * Reads certificates with one `openssl x509` process, because its start takes as long as reading ten certificates.
 *
 * @returns facts for each certificate, or `undefined` if openssl can't read it or one of its dates
 */
export function readWithOpenssl(certificates: readonly Uint8Array[]): readonly (OpensslFacts | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "openssl-facts-"));
  try {
    for (const [index, certificate] of certificates.entries()) writeFileSync(join(folder, `${index}.der`), certificate);
    const script = `
      for number in $(seq 0 ${certificates.length - 1}); do
        echo "@@ $number"
        openssl x509 -inform DER -in "$number.der" -noout -serial -subject -issuer -dates -dateopt iso_8601 -fingerprint -sha256 \
          -nameopt esc_2253,esc_ctrl,utf8,sep_comma_plus_space,sname -text -certopt no_sigdump 2>/dev/null || echo "@@ failed"
      done`;
    const options = { cwd: folder, encoding: "latin1", maxBuffer: 1 << 28 } as const;
    const texts = execFileSync("sh", ["-c", script], options).split(/^@@ \d+\n/m);
    return texts.slice(1).map((text) => (/^@@ failed$/m.test(text) ? undefined : readFacts(text)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readFacts(output: string): OpensslFacts | undefined {
  // Long numbers continue on the next line.
  const text = output.replaceAll("\\\n", "");
  const line = (start: RegExp) => new RegExp(`^${start.source}(.*)$`, "m").exec(text)?.[1] ?? "";
  const dates = [line(/notBefore=/), line(/notAfter=/)].map((date) => new Date(date.replace(" ", "T")));
  if (dates.some((date) => Number.isNaN(date.getTime()))) return undefined;
  const [notBefore, notAfter] = dates as [Date, Date];
  const subject = Buffer.from(line(/subject=/), "latin1").toString("utf8");
  const attributes = readAttributes(subject);
  const commonName = attributes.get("CN");
  const san = readExtension(text, "X509v3 Subject Alternative Name");
  const names = readNames(san ?? "");
  const validation = readValidation(readExtension(text, "X509v3 Certificate Policies"), attributes);
  return {
    dnsNames: san === undefined ? nameOf(commonName) : names.dns,
    nonAsciiDnsNames: names.nonAsciiDns,
    ipAddresses: names.ip,
    hasSanExtension: san !== undefined,
    ...(commonName === undefined ? {} : { commonName }),
    subject,
    issuer: Buffer.from(line(/issuer=/), "latin1").toString("utf8"),
    serialNumber: line(/serial=/)
      .toLowerCase()
      .replace(/^(-?)0+(?=.)/, "$1"),
    notBefore,
    notAfter,
    keyType: readKeyType(text),
    isAuthority:
      /CA:TRUE/.test(readExtension(text, "X509v3 Basic Constraints") ?? "") &&
      /Certificate Sign/.test(readExtension(text, "X509v3 Key Usage") ?? "Certificate Sign"),
    mustStaple: /status_request/.test(readExtension(text, "TLS Feature") ?? ""),
    ...(validation === undefined ? {} : { validation }),
    fingerprintSha256: line(/sha256 Fingerprint=/)
      .replaceAll(":", "")
      .toLowerCase(),
  };
}

/** Returns the common name if it is a hostname; it counts only without alternative names. */
function nameOf(commonName = ""): readonly string[] {
  const read = readHostname(commonName);
  return "hostname" in read ? [read.hostname] : [];
}

/** Returns the indented text below the title of an extension. */
function readExtension(text: string, title: string): string | undefined {
  const match = new RegExp(`^( +)${title}: ?(?:critical)?[^\\n]*\\n((?:\\1 +[^\\n]*\\n|\\n)*)`, "m").exec(text);
  return match === null ? undefined : (match[2] ?? "");
}

/** Returns the last value of each attribute, without escapes. */
function readAttributes(name: string): ReadonlyMap<string, string> {
  const parts = name.split(/(?<!\\)(?:, | \+ )/).map((part) => part.split(/=(.*)/s));
  return new Map(
    parts.flatMap(([type, value = ""]) =>
      type === undefined || type === "" ? [] : [[type, unescapeName(value)] as const],
    ),
  );
}

function unescapeName(value: string): string {
  return value.replace(/\\([0-9A-F]{2})|\\(.)/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function readNames(extension: string): Readonly<Record<"dns" | "nonAsciiDns" | "ip", readonly string[]>> {
  const items = extension.trim().split(/, (?=DNS:|IP Address:|email:|URI:|DirName:|othername:|Registered ID:)/);
  const values = (kind: string) => items.flatMap((item) => (item.startsWith(kind) ? [item.slice(kind.length)] : []));
  const isAscii = (name: string) => Buffer.from(name, "latin1").every((octet) => octet < 0x80);
  const dns = values("DNS:")
    .filter(isAscii)
    .map((name) => name.toLowerCase().replace(/\.$/, ""));
  const nonAsciiDns = values("DNS:")
    .filter((name) => !isAscii(name))
    .map((name) => Buffer.from(name, "latin1").toString("utf8"));
  const ip = values("IP Address:").map((address) =>
    isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address,
  );
  const once = (all: readonly string[]) => [...new Set(all)].sort();
  return { dns: once(dns), nonAsciiDns: once(nonAsciiDns), ip: once(ip) };
}

function readValidation(
  policies: string | undefined,
  subject: ReadonlyMap<string, string>,
): "DV" | "OV" | "IV" | "EV" | undefined {
  if (policies === undefined) return undefined;
  const known = {
    "2.23.140.1.1": "EV",
    "2.23.140.1.2.1": "DV",
    "2.23.140.1.2.2": "OV",
    "2.23.140.1.2.3": "IV",
  } as const;
  for (const [, policy = ""] of policies.matchAll(/Policy: (\S+)/g)) {
    if (policy in known) return known[policy as keyof typeof known];
  }
  if (subject.has("jurisdictionC") && subject.has("serialNumber")) return "EV";
  return subject.has("O") ? "OV" : undefined;
}

function readKeyType(text: string): string {
  const kind = /Public Key Algorithm: (\S+)/.exec(text)?.[1] ?? "";
  const bits = /Public-Key: \((\d+) bit\)/.exec(text)?.[1];
  const curve = /ASN1 OID: (\S+)/.exec(text)?.[1] ?? "";
  const short: Readonly<Record<string, string>> = { prime256v1: "p256", secp384r1: "p384", secp521r1: "p521" };
  if (kind === "rsaEncryption") return `rsa-${bits}`;
  if (kind === "rsassaPss") return `rsa-pss-${bits}`;
  if (kind === "id-ecPublicKey") return `ecdsa-${short[curve] ?? curve}`;
  return kind.toLowerCase();
}
